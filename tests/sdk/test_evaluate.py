"""Evaluating anything that answers, from Python."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aloi
from aloi.client import connect
from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.errors import InvalidInput, NotFound
from aloi.core.run import JudgeSpec, RunStatus
from aloi.core.score import Verdict
from aloi.settings import Settings
from aloi.targets.replay import Replay
from tests.model_server import ModelServer

OK = [{"kind": "contains", "text": "ok"}]
CASES = [{"key": f"k{n}", "prompt": f"prompt {n}"} for n in range(4)]


async def answer(given: str) -> str:
    return f"ok {given}"


def answer_slowly(given: str) -> str:
    return f"ok {given}"


LAMBDA: Callable[[str], str] = lambda given: f"ok {given}"  # noqa: E731 - notebooks are full of them


def outputs(report: aloi.Report) -> dict[str, Any]:
    return {result.case_key: result.outcome.output for result in report.results}


class TestTargets:
    @pytest.mark.parametrize("target", [answer, answer_slowly, LAMBDA])
    async def test_callables(self, target: Any) -> None:
        report = await aloi.evaluate(target, CASES, evaluators=OK)
        assert outputs(report) == {f"k{n}": f"ok prompt {n}" for n in range(4)}
        assert str(report) == "4/4 passed (95% CI 51–100%)"
        assert report.failed == ()

    async def test_a_structured_input_and_answer(self) -> None:
        def bigger(given: dict[str, int]) -> dict[str, int]:
            return {"n": given["n"] + 1}

        cases = [{"key": "a", "input": {"n": 1}, "expected_output": {"n": 2}}]
        report = await aloi.evaluate(bigger, cases, evaluators=[{"kind": "exact_match"}])
        assert report.summary.passed == 1

    async def test_tool_calls_that_are_returned(self) -> None:
        async def with_calls(given: str) -> dict[str, Any]:
            return {"output": "ok", "tool_calls": [{"tool": "search", "args": {"q": given}}]}

        spec = [{"kind": "tool_call_order", "tools": ["search"]}]
        assert (await aloi.evaluate(with_calls, CASES, evaluators=spec)).summary.passed == 4
        assert (await aloi.evaluate(answer, CASES, evaluators=spec)).summary.errors == 4

    async def test_a_spec_a_value_and_a_saved_name(self) -> None:
        recorded: dict[str, Any] = {f"k{n}": "ok" for n in range(4)}
        spec: Any = {"kind": "replay", "outputs": recorded}
        for target in (spec, Replay(outputs=recorded), "replay", "replay@1"):
            report = await aloi.evaluate(target, CASES, evaluators=OK)
            assert (report.run.target, report.summary.passed) == ("replay@1", 4)

    async def test_a_model(self, model_server: ModelServer) -> None:
        target = {"kind": "openai", "model": "fixed:ok", "base_url": model_server.url}
        report = await aloi.evaluate(target, CASES, evaluators=OK)
        assert report.summary.passed == 4
        assert report.summary.usage.calls == 4

    async def test_what_is_no_target(self) -> None:
        nonsense: Any = 4
        with pytest.raises(InvalidInput, match="4 is no target"):
            await aloi.evaluate(nonsense, CASES, evaluators=OK)
        with pytest.raises(NotFound, match="no target 'nobody'"):
            await aloi.evaluate("nobody", CASES, evaluators=OK)
        with pytest.raises(InvalidInput, match="no kind 'nope'"):
            await aloi.evaluate({"kind": "nope"}, CASES, evaluators=OK)

    async def test_a_function_that_is_called_as_a_kind(self) -> None:
        async def replay(given: str) -> str:
            return "ok"

        replay.__qualname__ = "replay"
        await aloi.evaluate({"kind": "replay", "outputs": {"k0": "ok"}}, CASES, evaluators=OK)
        report = await aloi.evaluate(replay, CASES, evaluators=OK)
        assert (report.run.target, report.summary.passed) == ("replay (python)@1", 4)


class TestCases:
    async def test_cases_without_keys_and_twice_the_same(self) -> None:
        report = await aloi.evaluate(answer, [{"prompt": "a"}, {"prompt": "a"}, Case(input="b")], evaluators=OK)
        assert sorted(map(str, outputs(report).values())) == ["ok a", "ok a", "ok b"]

    async def test_a_key_twice_is_refused(self) -> None:
        with pytest.raises(InvalidInput, match="'k0' is used twice"):
            await aloi.evaluate(answer, [CASES[0], CASES[0]], evaluators=OK)

    async def test_any_iterable(self) -> None:
        report = await aloi.evaluate(answer, (case for case in CASES), evaluators=iter(OK))
        assert report.summary.passed == 4

    @pytest.mark.parametrize(
        ("cases", "said"),
        [
            ([], "no case to run"),
            ([{}], "needs a prompt"),
            ([{"prompt": None}], "needs a prompt"),
            (["question"], "the case 'question' does not fit"),
            ("question", "the case 'q' does not fit"),
            ([{"prompt": "a", "expected": "b"}], "expected"),
            ([{"prompt": "a", "enabled": False}], "no case to run"),
        ],
    )
    async def test_what_are_no_cases(self, cases: Any, said: str) -> None:
        with pytest.raises(InvalidInput, match=said):
            await aloi.evaluate(answer, cases, evaluators=OK)

    async def test_that_nothing_grades_them_is_said(self) -> None:
        with pytest.raises(InvalidInput, match="no evaluator of weight above 0 applies to 4 of 4 cases"):
            await aloi.evaluate(answer, CASES)

    @pytest.mark.parametrize("text", ["\0", "é😀\u200b", "x" * 1_000_000, "\ud800", " ", "a\r\nb"])
    async def test_odd_texts(self, text: str) -> None:
        async def parrot(given: str) -> str:
            return given

        cases = [{"prompt": text, "expected_output": text}]
        if text == "\ud800":
            with pytest.raises(InvalidInput, match="surrogate"):
                await aloi.evaluate(parrot, cases, evaluators=[{"kind": "exact_match"}])
            return
        report = await aloi.evaluate(parrot, cases, evaluators=[{"kind": "exact_match"}])
        assert report.summary.passed == 1

    async def test_the_dataset_has_just_the_cases_of_the_last_call(self) -> None:
        await aloi.evaluate(answer, CASES, evaluators=OK, name="mine")
        report = await aloi.evaluate(answer, CASES[:2], evaluators=OK, name="mine")
        assert (report.run.dataset_name, report.summary.total) == ("mine", 2)


class TestRuns:
    async def test_errors_of_the_callable_are_results(self) -> None:
        async def fragile(given: str) -> Any:
            if given == "prompt 1":
                raise ConnectionError("down")
            return {"prompt 2": None, "prompt 3": "no"}.get(given, "ok")

        report = await aloi.evaluate(fragile, CASES, evaluators=OK)
        assert str(report) == "1/2 passed (95% CI 9–91%), 2 errors"
        assert {result.case_key: result.verdict for result in report.failed} == {
            "k1": Verdict.ERROR,
            "k2": Verdict.ERROR,
            "k3": Verdict.FAIL,
        }
        assert report.summary.error_types == {"exception": 1, "no_answer": 1}
        [down] = [result.failure for result in report.failed if result.case_key == "k1"]
        assert down is not None and "ConnectionError: down" in down.message

    async def test_a_deadline(self) -> None:
        async def hang(given: str) -> str:
            await asyncio.sleep(60)
            return "ok"

        report = await aloi.evaluate(hang, CASES[:1], evaluators=OK, seconds_per_case=0.05)
        assert report.summary.error_types == {"timeout": 1}

    async def test_trials(self) -> None:
        calls: list[str] = []

        async def sometimes(given: str) -> str:
            calls.append(given)
            return "ok" if len(calls) % 2 else "no"

        report = await aloi.evaluate(sometimes, CASES, evaluators=OK, trials=2, concurrency=1)
        assert len(calls) == len(report.results) == 8
        assert str(report).startswith("4/8 trials passed")
        assert [found.k for found in report.summary.pass_at_k] == [1, 2]

    async def test_so_many_at_once(self) -> None:
        now_at_work, most = 0, 0

        async def counted(given: str) -> str:
            nonlocal now_at_work, most
            now_at_work += 1
            most = max(most, now_at_work)
            await asyncio.sleep(0.01)
            now_at_work -= 1
            return "ok"

        cases = [{"prompt": f"prompt {n}"} for n in range(12)]
        await aloi.evaluate(counted, cases, evaluators=OK, concurrency=3)
        assert most == 3

    async def test_a_budget_stops_the_run_with_its_figures(self, model_server: ModelServer) -> None:
        target = {"kind": "openai", "model": "fixed:ok", "base_url": model_server.url}
        report = await aloi.evaluate(target, CASES, evaluators=OK, concurrency=1, max_tokens=2)
        assert report.run.status is RunStatus.CANCELLED
        assert "token budget" in (report.run.reason or "")
        assert 0 < report.summary.total < 4

    @pytest.mark.parametrize("form", ["name", "mapping", "value"])
    async def test_a_judge(self, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
        judge: Any = {"model": "openai:judge-pass", "base_url": model_server.url}
        if form == "value":
            judge = JudgeSpec.model_validate(judge)
        if form == "name":
            monkeypatch.setenv("ALOI_BASE_URL", model_server.url)
            monkeypatch.setenv("ALOI_JUDGE_MODEL", "openai:judge-pass")
            judge = None
        cases = [{"prompt": "Hello", "expected_behavior": "It greets."}]
        report = await aloi.evaluate(answer, cases, judge=judge, judge_samples=3)
        assert report.run.spec.judge is not None
        assert (report.run.spec.judge.samples, report.summary.judged, report.summary.passed) == (3, 1, 1)
        assert len(model_server.requests) == 3

    async def test_a_judge_by_its_name_alone_needs_its_key(self) -> None:
        cases = [{"prompt": "Hello", "expected_behavior": "It greets."}]
        with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
            await aloi.evaluate(answer, cases, judge="openai:gpt-x")

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"trials": 0}, "trials"),
            ({"concurrency": 0}, "concurrency"),
            ({"seconds_per_case": 0}, "seconds_per_case"),
            ({"judge": "gpt"}, "provider:model"),
            ({"judge_samples": 0}, "judge_samples"),
            ({"judge_samples": 6}, "judge_samples"),
            ({"evaluators": [{"kind": "contanis"}]}, "contanis"),
            ({"evaluators": ["contains"]}, "the evaluator 'contains'"),
            ({"name": ""}, "name"),
        ],
    )
    async def test_options_that_do_not_fit_are_named(self, options: dict[str, Any], said: str) -> None:
        with pytest.raises(InvalidInput, match=said):
            given: dict[str, Any] = {"evaluators": OK, **options}
            await aloi.evaluate(answer, CASES, **given)

    async def test_evaluators_of_any_form(self) -> None:
        binding = Binding(name="mine", weight=2, spec={"kind": "contains", "text": "ok"})
        report = await aloi.evaluate(answer, CASES[:1], evaluators=[binding, *OK, *OK])
        assert [score.evaluator for score in report.results[0].scores] == ["mine", "contains", "contains-2"]

    @pytest.mark.parametrize("shared", [True, False])
    async def test_many_of_one_name_at_once_keep_their_cases_and_functions(self, aloi_home: Path, shared: bool) -> None:
        def made(number: int) -> Any:
            async def agent(given: str) -> str:
                return f"{number} answers {given}"

            return agent

        client = await connect(Settings(home=aloi_home), {})
        reports = await asyncio.gather(
            *(
                aloi.evaluate(
                    made(number),
                    [{"prompt": f"{number}/{n}"} for n in range(3)],
                    evaluators=[{"kind": "contains", "text": f"{number} answers {number}/"}],
                    client=client if shared else None,
                )
                for number in range(5)
            )
        )
        await client.close()
        assert [report.summary.passed for report in reports] == [3] * 5

    async def test_the_same_function_again_is_the_same_version(self, aloi_home: Path) -> None:
        client = await connect(Settings(home=aloi_home), {})
        reports = [await aloi.evaluate(answer, CASES, evaluators=OK, client=client) for _ in range(2)]
        await client.close()
        assert [report.run.target for report in reports] == ["answer@1", "answer@1"]
