"""Runs in which tools are simulated: what stands in, what is kept of it, and what a later run makes of it."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from aloi.core.binding import Binding
from aloi.core.errors import InvalidInput
from aloi.core.run import JudgeSpec, Run, RunLimits, RunRequest
from aloi.core.score import Verdict
from aloi.core.simulation import Simulations
from aloi.core.target import Target
from aloi.core.trajectory import trajectory
from aloi.plugins import build
from aloi.service import again, datasets, runs, targets
from aloi.service.context import Context
from aloi.service.usage import report
from tests.model_server import ModelServer
from tests.service.started_runs import each, finished, results_of

FIXED = {"kind": "static", "answers": [{"output": {"bytes": 7}}]}
WRITTEN = {"kind": "generated", "description": "The disk is full, and it says so."}
WRITE = 'tool-once:file_ops:{"action": "write", "path": "note.txt", "content": "hi"}'
ANSWERED = ({"kind": "contains", "text": "answer"},)
CASES = [{"key": "a", "prompt": "Write it down."}, {"key": "b", "prompt": "Write it down, too."}]
READ = TypeAdapter[Simulations](Simulations)


class Lab:
    """Starts runs of an agent that writes a file, on one dataset."""

    def __init__(self, context: Context, server: ModelServer) -> None:
        self.context = context
        self.server = server

    async def start(
        self,
        cases: list[dict[str, Any]] = CASES,
        simulations: dict[str, Any] | None = None,
        *,
        agent: dict[str, Any] | None = None,
        evaluators: tuple[dict[str, Any], ...] = ANSWERED,
        judge: str | None = "judge-pass",
        in_place: dict[str, Any] | None = None,
        **request: Any,
    ) -> Run:
        """`simulations` are the dataset's, null leaves them; `in_place` are the run's own."""
        fields = {"kind": "agent", "model": f"openai:{WRITE}", "tools": ["file_ops"], **(agent or {})}
        target = build("targets", {**fields, "base_url": self.server.url}, Target)
        version = await targets.save(self.context, "writer", target)
        spec = JudgeSpec(model=f"openai:{judge}", base_url=self.server.url) if judge else None
        wanted = RunRequest.model_validate(
            {"target_version_id": version.id, "dataset": "data", "judge": spec, "simulations": in_place, **request}
        )
        bindings = [Binding.model_validate(evaluator) for evaluator in evaluators]
        given = None if simulations is None else READ.validate_python(simulations)
        return await runs.start_with(self.context, wanted, each(cases), bindings, simulations=given)

    async def run(self, *given: Any, **options: Any) -> Run:
        return await finished(self.context, await self.start(*given, **options))

    async def calls(self, run: Run) -> dict[str, list[tuple[str, Any]]]:
        """By case: how each tool call came by its answer, and the answer."""
        found: dict[str, list[tuple[str, Any]]] = {}
        for key, result in (await results_of(self.context, run)).items():
            assert result.outcome.trace is not None
            path = trajectory(result.outcome.trace)
            found[key] = [(call.provenance, call.output) for call in path.tool_calls]
        return found

    @property
    def written(self) -> int:
        """How often a model was asked to stand in."""
        return sum("You stand in for" in str(request.body["messages"][0]) for request in self.server.requests)


@pytest.fixture
def lab(context: Context, model_server: ModelServer) -> Lab:
    return Lab(context, model_server)


async def test_the_real_tool_writes_and_the_simulated_one_does_not(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder of each case is kept here, to see what is in it at the end."""
    folders: list[Path] = []

    class Kept:
        def __init__(self, **_: Any) -> None:
            folders.append(tmp_path / f"workspace{len(folders)}")

        def __enter__(self) -> str:
            folders[-1].mkdir()
            return str(folders[-1])

        def __exit__(self, *_: Any) -> None:
            return None

    monkeypatch.setattr("aloi.runner.invoke.TemporaryDirectory", Kept)
    real = await lab.run(CASES[:1], {})
    simulated = await lab.run(CASES[:1], {"file_ops": FIXED})
    assert await lab.calls(real) == {"a": [("real", {"bytes": 2})]}
    assert await lab.calls(simulated) == {"a": [("static", {"bytes": 7})]}
    assert [[file.name for file in folder.iterdir()] for folder in folders] == [["note.txt"], []]


async def test_a_case_may_have_its_own(lab: Lab) -> None:
    own = {"kind": "static", "answers": [{"output": {"bytes": 1}}]}
    run = await lab.run([CASES[0], {**CASES[1], "simulations": {"file_ops": own}}], {"file_ops": FIXED}, judge=None)
    assert await lab.calls(run) == {"a": [("static", {"bytes": 7})], "b": [("static", {"bytes": 1})]}
    assert run.spec.judge is None


async def test_the_judges_model_writes_generated_answers_once_for_each_call(lab: Lab) -> None:
    run = await lab.run(CASES, {"file_ops": WRITTEN}, limits=RunLimits(trials=2))
    calls = await lab.calls(run)
    assert calls["a"] == calls["b"] == [("generated", {"content": "Because it fits."})]
    assert lab.written == 1
    assert run.spec.judge is not None and run.spec.judge.model == "openai:judge-pass"
    assert list(run.spec.judge_prompts) == ["simulation"]


async def test_what_writing_them_used_is_on_the_judges_side(lab: Lab) -> None:
    run = await lab.run(CASES, {"file_ops": WRITTEN}, limits=RunLimits(concurrency=1))
    results = await results_of(lab.context, run)
    assert [result.outcome.simulation_usage.calls for result in results.values()] == [1, 0]
    assert run.summary is not None
    assert run.summary.usage.calls == 4
    assert run.summary.judge_usage == results["a"].outcome.simulation_usage
    day = run.created_at.date()
    used = await report(lab.context, day, day)
    assert (used.target.calls, used.judge.calls) == (4, 1)
    progress = await runs.progress(lab.context, run.id)
    assert progress.tokens == (run.summary.usage.tokens or 0) + (run.summary.judge_usage.tokens or 0)


async def test_a_budget_counts_them(lab: Lab) -> None:
    limits = RunLimits(concurrency=1, max_tokens=60)  # the agent itself uses fewer
    run = await lab.run([*CASES, {"key": "c", "prompt": "Once more."}], {"file_ops": WRITTEN}, limits=limits)
    assert run.reason is not None and "token budget of 60 is used up" in run.reason


async def test_an_answer_that_never_fits_is_an_error_of_the_case(lab: Lab) -> None:
    run = await lab.run(CASES[:1], {"file_ops": WRITTEN}, judge="fixed:It is full.")
    failure = (await results_of(lab.context, run))["a"].failure
    assert failure is not None
    assert (failure.stage, failure.type) == ("invoke", "simulation")
    assert "does not fit in any of 3 replies of openai:fixed:It is full." in failure.message
    assert lab.written == 3
    assert run.summary is not None and run.summary.judge_usage.calls == 3


@pytest.mark.parametrize("static", [True, False])
async def test_the_simulation_judge_is_told_which_calls_were_simulated_and_how(lab: Lab, static: bool) -> None:
    cases = [{**CASES[0], "expected_behavior": "Writes the note."}]
    run = await lab.run(cases, {"file_ops": FIXED if static else WRITTEN}, evaluators=({"kind": "simulation_judge"},))
    assert run.summary is not None and run.summary.passed == 1
    shown = lab.server.requests[-1].body["messages"][1]["content"]
    provenance = "static" if static else "generated"
    assert f'{{"tool": "file_ops", "provenance": "{provenance}", "steps": [2]}}' in shown
    assert f'"provenance": "{provenance}"}}' in shown


class TestRefused:
    async def test_a_side_effect_that_is_not_simulated(self, lab: Lab) -> None:
        effects = {"side_effects": ["file_ops"]}
        cases = [{**CASES[0], "simulations": {"file_ops": FIXED}}, CASES[1]]
        with pytest.raises(InvalidInput, match=r"not simulated: file_ops \(case b\); simulate it"):
            await lab.start(cases, agent=effects)
        assert lab.server.requests == []
        with pytest.raises(Exception, match="no dataset 'data'"):  # nothing was saved
            await datasets.get(lab.context, "data")
        allowed = await lab.run(cases, agent=effects, allow_side_effects=True)
        assert allowed.spec.allow_side_effects
        assert await lab.calls(allowed) == {"a": [("static", {"bytes": 7})], "b": [("real", {"bytes": 2})]}

    async def test_only_cases_that_run_are_looked_at(self, lab: Lab) -> None:
        cases = [{**CASES[0], "simulations": {"file_ops": FIXED}}, {**CASES[1], "enabled": False}]
        await lab.run(cases, agent={"side_effects": ["file_ops"]})
        await lab.run([cases[0], CASES[1]], agent={"side_effects": ["file_ops"]}, case_keys=("a",))

    async def test_a_simulation_of_what_the_agent_has_not(self, lab: Lab) -> None:
        with pytest.raises(InvalidInput, match=r"fileops .* its tools and steps are: file_ops"):
            await lab.start(CASES, {"fileops": FIXED})

    async def test_generated_answers_without_a_model(self, lab: Lab) -> None:
        with pytest.raises(InvalidInput, match="none is set; set ALOI_JUDGE_MODEL"):
            await lab.start(CASES, {"file_ops": WRITTEN}, judge=None)


class TestFrozen:
    """What stood in when a run started stands in for it for good."""

    async def change(self, lab: Lab, simulations: dict[str, Any]) -> None:
        dataset = await datasets.get(lab.context, "data")
        await datasets.update(lab.context, dataset.id, {"simulations": simulations})

    async def test_a_run_may_have_others_in_place_of_the_datasets(self, lab: Lab) -> None:
        run = await lab.run(CASES[:1], {"file_ops": FIXED})
        other = {"file_ops": {"kind": "static", "answers": [{"output": {"bytes": 1}}]}}
        with_others = await lab.run(CASES[:1], in_place=other)
        assert await lab.calls(with_others) == {"a": [("static", {"bytes": 1})]}
        assert (run.spec.complete, with_others.spec.complete) == (True, False)
        assert await self.of_dataset(lab) == {"file_ops": FIXED}

    async def of_dataset(self, lab: Lab) -> Any:
        dataset = await datasets.get(lab.context, "data")
        return READ.dump_python(dataset.simulations, mode="json", exclude_defaults=True)

    async def test_a_retry_has_those_of_its_parent(self, lab: Lab) -> None:
        run = await lab.run(CASES, {"file_ops": FIXED}, evaluators=({"kind": "contains", "text": "no such text"},))
        await self.change(lab, {})
        retried = await finished(lab.context, await again.retry(lab.context, run.id, [Verdict.FAIL]))
        assert await lab.calls(retried) == {"a": [("static", {"bytes": 7})], "b": [("static", {"bytes": 7})]}

    async def test_a_resumed_run_has_its_own(self, lab: Lab) -> None:
        run = await lab.start(CASES, {"file_ops": FIXED})
        await runs.cancel(lab.context, run.id)
        await self.change(lab, {})
        resumed = await finished(lab.context, await runs.resume(lab.context, run.id))
        assert await lab.calls(resumed) == {"a": [("static", {"bytes": 7})], "b": [("static", {"bytes": 7})]}

    async def test_grading_anew_keeps_what_the_outcomes_came_of(self, lab: Lab) -> None:
        """So that a gate does not take them for outcomes of the present simulations; and it pays for no answer."""
        cases = [CASES[0], {**CASES[1], "simulations": {"file_ops": WRITTEN}}]
        run = await lab.run(cases, {"file_ops": WRITTEN})
        await self.change(lab, {"file_ops": FIXED})
        regraded = await finished(lab.context, await again.regrade(lab.context, run.id))
        assert await lab.calls(regraded) == await lab.calls(run)
        frozen = await runs.revision_of(lab.context, regraded)
        assert frozen.simulations == READ.validate_python({"file_ops": WRITTEN})
        assert frozen.content_hash == (await runs.revision_of(lab.context, run)).content_hash
        assert lab.written == 1
        assert regraded.spec.judge is None  # nothing is judged, and nothing is written
        day = run.created_at.date()
        assert (await report(lab.context, day, day)).judge.calls == 1
