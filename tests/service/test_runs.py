"""Runs from start to end: what is refused, what is frozen, cancel, budgets, waiting."""

import asyncio
from typing import Any

import pytest

from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.core.run import RunRequest, RunStatus
from aloi.core.score import Verdict
from aloi.core.summary import summarise
from aloi.core.target import Target
from aloi.core.usage import Usage
from aloi.plugins import build
from aloi.service import runs, targets
from aloi.service.context import Context
from aloi.store import result_pages
from aloi.targets.python import Answer, Python
from tests.service.started_runs import finished, prompts, results_of, save, start


async def answer(given: Any) -> Any:
    return f"ok {given}"


async def test_a_run_from_start_to_end(context: Context) -> None:
    await save(context, prompts(12))
    run = await start(context, answer)
    assert run.status is RunStatus.RUNNING
    assert run.total == 12
    run = await finished(context, run)
    assert run.status is RunStatus.COMPLETED
    assert run.summary is not None
    assert (run.summary.passed, run.summary.failed, run.summary.errors) == (12, 0, 0)
    progress = await runs.progress(context, run.id)
    assert (progress.passed, progress.total) == (12, 12)


async def test_the_summary_is_the_sum_over_the_rows(context: Context) -> None:
    async def mixed(given: Any) -> Any:
        if given == "prompt 3":
            raise ValueError("broken")
        return "no" if given in ("prompt 1", "prompt 2") else "ok"

    await save(context, prompts(7))
    run = await finished(context, await start(context, mixed, trials=2))
    async with context.database.read() as rx:
        rows = [row async for row in result_pages.rows(rx, run.id)]
    assert run.summary is not None
    assert run.summary == summarise(rows, trials=2)
    assert (run.summary.passed, run.summary.failed, run.summary.errors) == (8, 4, 2)
    assert run.summary.error_types == {"exception": 2}


@pytest.mark.parametrize("cases", [[], [{"prompt": "a", "enabled": False}], [{"prompt": "a", "status": "draft"}]])
async def test_an_empty_dataset_is_refused(context: Context, cases: list[dict[str, Any]]) -> None:
    await save(context, cases)
    with pytest.raises(InvalidInput, match="no case to run"):
        await start(context, answer)
    assert (await runs.listing(context, None, 1, 10)).total == 0


async def test_cases_that_nothing_grades_are_refused_and_up_to_20_named(context: Context) -> None:
    await save(context, prompts(25), evaluators=[{"kind": "exact_match"}])
    with pytest.raises(InvalidInput, match=r"25 of 25 cases: k0, .*k19 and 5 more"):
        await start(context, answer)


async def test_a_weight_of_0_grades_nothing(context: Context) -> None:
    await save(context, prompts(1), evaluators=[{"kind": "contains", "text": "ok", "weight": 0}])
    with pytest.raises(InvalidInput, match="no evaluator of weight above 0"):
        await start(context, answer)


async def test_a_judge_that_is_needed_and_not_set_is_refused(context: Context) -> None:
    await save(context, [{"prompt": "a", "expected_behavior": "is kind"}], evaluators=[])
    with pytest.raises(InvalidInput, match=r"1 of 1 cases need a judge.*--judge"):
        await start(context, answer)


async def test_a_bad_inline_evaluator_is_refused_with_its_case(context: Context) -> None:
    await save(context, [{"key": "mine", "prompt": "a", "evaluators": [{"kind": "exact_match"}]}])
    with pytest.raises(InvalidInput, match=r"case 'mine'.*'exact_match' needs expected_output"):
        await start(context, answer)


async def test_an_unknown_case_of_a_subset_is_refused(context: Context) -> None:
    await save(context, prompts(2))
    with pytest.raises(InvalidInput, match=r"not all of the cases.*: nope, nada;"):
        await start(context, answer, case_keys=("k0", "nope", "nada"))


async def test_a_subset_runs_alone_and_is_not_complete(context: Context) -> None:
    await save(context, prompts(5))
    run = await finished(context, await start(context, answer, case_keys=("k3", "k1")))
    assert sorted(await results_of(context, run)) == ["k1", "k3"]
    assert run.total == 2
    assert not run.spec.complete


async def test_editing_the_dataset_changes_nothing_of_a_run(context: Context) -> None:
    release = asyncio.Event()

    async def slow(given: Any) -> Any:
        await release.wait()
        return f"ok {given}"

    await save(context, prompts(3))
    run = await start(context, slow, concurrency=1)
    await save(context, [{"key": "k1", "prompt": "edited"}], evaluators=[{"kind": "contains", "text": "other"}])
    release.set()
    run = await finished(context, run)
    found = await results_of(context, run)
    assert {key: result.outcome.output for key, result in found.items()} == {
        f"k{n}": f"ok prompt {n}" for n in range(3)
    }
    assert {result.verdict for result in found.values()} == {Verdict.PASS}


async def test_runs_of_the_same_dataset_share_its_revision(context: Context) -> None:
    await save(context, prompts(3))
    first = await finished(context, await start(context, answer))
    second = await finished(context, await start(context, answer))
    assert first.spec.revision_id == second.spec.revision_id
    assert first.spec.target_version_id == second.spec.target_version_id
    await save(context, prompts(4))
    third = await finished(context, await start(context, answer))
    assert third.spec.revision_id != first.spec.revision_id


async def test_results_are_visible_while_the_run_goes_on(context: Context) -> None:
    async def last_hangs(given: Any) -> Any:
        if given == "prompt 4":
            await asyncio.sleep(60)
        return "ok"

    await save(context, prompts(5))
    run = await start(context, last_hangs)
    async with asyncio.timeout(5):
        while (await runs.progress(context, run.id)).passed < 4:
            await asyncio.sleep(0.02)
    assert len(await results_of(context, run)) == 4
    assert (await runs.get(context, run.id)).status is RunStatus.RUNNING
    await runs.cancel(context, run.id)


async def test_a_cancel_keeps_what_is_finished(context: Context) -> None:
    async def some_hang(given: Any) -> Any:
        if given in ("prompt 2", "prompt 3"):
            await asyncio.sleep(60)
        return "ok"

    await save(context, prompts(6))
    run = await start(context, some_hang, concurrency=6)
    async with asyncio.timeout(5):
        while (await runs.progress(context, run.id)).passed < 4:
            await asyncio.sleep(0.02)
        run = await runs.cancel(context, run.id)
    assert run.status is RunStatus.CANCELLED
    assert run.summary is not None
    assert (run.summary.passed, run.summary.total) == (4, 4)
    with pytest.raises(Conflict, match="nothing to cancel"):
        await runs.cancel(context, run.id)


async def test_a_budget_cancels_the_run_with_its_reason(context: Context) -> None:
    async def costly(given: Any) -> Any:
        return Answer(output="ok", usage=Usage(calls=1, input_tokens=60, output_tokens=40))

    await save(context, prompts(50))
    run = await finished(context, await start(context, costly, concurrency=1, max_tokens=500))
    assert run.status is RunStatus.CANCELLED
    assert run.reason is not None
    assert "token budget of 500 is used up" in run.reason
    assert run.summary is not None
    assert 5 <= run.summary.total < 15  # what was in flight still ends


async def test_deleting_a_live_run_cancels_it_first(context: Context) -> None:
    async def hang(given: Any) -> Any:
        await asyncio.sleep(60)

    await save(context, prompts(2))
    run = await start(context, hang)
    await runs.delete(context, run.id)
    with pytest.raises(NotFound):
        await runs.get(context, run.id)


async def test_a_run_is_found_by_the_beginning_of_its_id_and_as_the_latest(context: Context) -> None:
    await save(context, prompts(1))
    run = await finished(context, await start(context, answer))
    assert (await runs.get(context, "latest")).id == run.id
    assert (await runs.get(context, run.id[:14])).id == run.id
    with pytest.raises(NotFound, match="aloi runs list"):
        await runs.get(context, "ffff")


async def test_a_disabled_case_cannot_be_asked_for(context: Context) -> None:
    await save(context, [*prompts(2), {"key": "off", "prompt": "x", "enabled": False}])
    with pytest.raises(InvalidInput, match=r"not enabled and ready: off;"):
        await start(context, answer, case_keys=("off",))


async def test_nothing_is_stored_of_a_run_whose_target_cannot_be_used(context: Context) -> None:
    await save(context, prompts(1))
    version = await targets.save(context, "bot", Python.of(answer))
    context.in_memory.clear()
    with pytest.raises(Conflict, match="in the memory of a process that is gone"):
        await runs.start(context, RunRequest(target_version_id=version.id, dataset="data"))
    for given in ("nonsense", version.target_id):
        with pytest.raises((InvalidInput, NotFound)):
            await runs.start(context, RunRequest(target_version_id=given, dataset="data"))
    assert (await runs.listing(context, None, 1, 10)).total == 0


@pytest.mark.parametrize("kind", ["agent", "openai"])
async def test_a_model_without_its_key_is_refused_before_anything_is_stored(context: Context, kind: str) -> None:
    await save(context, prompts(1))
    target = build("targets", {"kind": kind, "model": "openai:gpt-x"}, Target)
    version = await targets.save(context, "bot", target)
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
        await runs.start(context, RunRequest(target_version_id=version.id, dataset="data"))
    assert (await runs.listing(context, None, 1, 10)).total == 0


async def test_a_target_that_is_only_observed_is_refused(context: Context) -> None:
    await save(context, prompts(1))
    version = await targets.save(context, "elsewhere", build("targets", {"kind": "remote"}, Target))
    with pytest.raises(InvalidInput, match="'elsewhere' runs elsewhere"):
        await runs.start(context, RunRequest(target_version_id=version.id, dataset="data"))
    assert (await runs.listing(context, None, 1, 10)).total == 0
