"""`aloi.evaluate` and `aloi.grade` by a server that the environment names."""

import asyncio
from typing import Any

import pytest

import aloi
from aloi.core.binding import Binding
from aloi.core.errors import InvalidInput, NotFound, NotPermitted, NotSignedIn, ServerUnavailable
from aloi.core.run import RunStatus
from aloi.core.score import Verdict
from aloi.service import runs
from aloi.targets.python import Python
from tests.api.calls import RunningServer
from tests.model_server import ModelServer

OK = [{"kind": "contains", "text": "ok"}]
CASES = [{"key": f"k{n}", "prompt": f"prompt {n}"} for n in range(4)]


async def answer(given: str) -> str:
    return f"ok {given}"


def answer_in_a_thread(given: str) -> str:
    return f"ok {given}"


@pytest.mark.parametrize("target", [answer, answer_in_a_thread, Python.of(answer)])
async def test_a_function_is_called_here_and_graded_there(there: RunningServer, target: Any) -> None:
    report = await aloi.evaluate(target, CASES, evaluators=OK)
    assert str(report) == "4/4 passed (95% CI 51–100%)"
    assert [result.outcome.output for result in report.results] == [f"ok prompt {n}" for n in range(4)]
    assert (await runs.get(there.context, report.run.id)).spec == report.run.spec


async def test_failures_tool_calls_and_latency_come_along(there: RunningServer) -> None:
    async def agent(given: str) -> dict[str, Any]:
        if given == "prompt 0":
            raise RuntimeError("broken")
        await asyncio.sleep(0.05)
        return {"output": "ok", "tool_calls": [{"tool": "search", "args": {}}] if given == "prompt 1" else []}

    rules = [{"kind": "tool_call_order", "tools": ["search"]}]
    report = await aloi.evaluate(agent, CASES, evaluators=rules)
    results = {result.case_key: result for result in report.results}
    assert [results[f"k{n}"].verdict for n in range(4)] == [Verdict.ERROR, Verdict.PASS, Verdict.FAIL, Verdict.FAIL]
    failure = results["k0"].failure
    assert failure is not None and (failure.stage, failure.type) == ("invoke", "exception")
    assert results["k1"].outcome.latency >= 0.05


async def test_trials_of_a_function_are_refused_before_it_is_called(there: RunningServer) -> None:
    called: list[str] = []
    with pytest.raises(InvalidInput, match="trials is 3"):
        await aloi.evaluate(called.append, CASES, evaluators=OK, trials=3)
    assert called == []
    assert (await runs.listing(there.context, None, 1, 1)).total == 0


async def test_a_spec_a_saved_name_and_trials(there: RunningServer, model_server: ModelServer) -> None:
    spec: Any = {"kind": "openai", "model": "fixed:ok", "base_url": model_server.url}
    for target in (spec, "openai", "openai@1"):
        report = await aloi.evaluate(target, CASES, evaluators=OK, trials=2, name="data")
        assert (report.run.target, report.run.dataset_name, report.summary.total) == ("openai@1", "data", 8)
    assert len(model_server.requests) == 24


async def test_again_with_other_answers_it_is_another_version(there: RunningServer) -> None:
    replies = iter("abc")

    async def agent(given: str) -> str:
        return next(replies)

    versions = [(await aloi.evaluate(agent, CASES[:1], evaluators=OK)).run.target_version for _ in range(2)]
    assert versions == [1, 2]


async def test_what_cannot_be_done(there: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotFound, match="no target 'nobody'"):
        await aloi.evaluate("nobody", CASES, evaluators=OK)
    with pytest.raises(InvalidInput, match="no kind 'nope'"):
        await aloi.evaluate(answer, CASES, evaluators=[{"kind": "nope"}])
    with pytest.raises(NotPermitted, match="ALOI_ALLOW_CODE does not allow"):
        await aloi.evaluate({"kind": "python", "function": "os:getcwd"}, CASES, evaluators=OK)
    with pytest.raises(InvalidInput, match="no case to run"):
        await aloi.evaluate(answer, [], evaluators=OK)
    monkeypatch.setenv("ALOI_API_KEY", "aloi_wrong")
    with pytest.raises(NotSignedIn, match="or set ALOI_API_KEY"):
        await aloi.evaluate("nobody", CASES, evaluators=OK)
    monkeypatch.setenv("ALOI_SERVER", "http://127.0.0.1:1")
    with pytest.raises(ServerUnavailable, match="gives no answer"):
        await aloi.evaluate("nobody", CASES, evaluators=OK)


async def test_who_stops_waiting_stops_the_run(there: RunningServer, model_server: ModelServer) -> None:
    spec: Any = {"kind": "openai", "model": "hang", "base_url": model_server.url}
    waiting = asyncio.create_task(aloi.evaluate(spec, CASES, evaluators=OK))
    async with asyncio.timeout(10):
        while not model_server.requests:
            await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await runs.listing(there.context, None, 1, 1)).items[0].status is RunStatus.CANCELLED


async def test_without_async(there: RunningServer) -> None:
    report = await asyncio.to_thread(aloi.evaluate_sync, answer, CASES, evaluators=OK)
    assert report.summary.passed == 4


async def test_grading_one_output(there: RunningServer, model_server: ModelServer) -> None:
    score = await asyncio.to_thread(aloi.grade, OK[0], output="it is ok", case={"prompt": "x"})
    assert score.verdict is Verdict.PASS
    order = Binding.model_validate({"kind": "tool_call_order", "tools": ["a"]})
    assert (await asyncio.to_thread(aloi.grade, order, output="x", tool_calls=[])).verdict is Verdict.FAIL
    judge = {"model": "openai:judge-fail", "base_url": model_server.url}
    spec = {"kind": "llm_judge", "rubric": "It is kind."}
    assert (await asyncio.to_thread(aloi.grade, spec, output="x", judge=judge)).verdict is Verdict.FAIL
    with pytest.raises(NotPermitted, match="ALOI_ALLOW_CODE"):
        await asyncio.to_thread(aloi.grade, {"kind": "python", "function": "os:getcwd"}, output="x")
