"""Retry and regrade: what is carried over, what is called, what is complete."""

from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import Conflict, InvalidInput
from aloi.core.run import Run, RunStatus
from aloi.core.score import Verdict
from aloi.service import again, runs
from aloi.service.context import Context
from aloi.settings import Settings
from tests.service.started_runs import Gate, finished, prompts, results_of, save, start, until_passed


class Flaky:
    """Fails on odd prompts until it is mended, and counts its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.mended = False

    async def __call__(self, given: Any) -> Any:
        self.calls.append(given)
        if not self.mended and int(given.split()[1]) % 2:
            raise ConnectionError("down")
        return "ok" if given != "prompt 2" else "no"


async def test_a_retry_of_errors_calls_them_alone_and_is_complete(context: Context) -> None:
    target = Flaky()
    await save(context, prompts(6))
    first = await finished(context, await start(context, target))
    assert first.summary is not None
    assert (first.summary.passed, first.summary.failed, first.summary.errors) == (2, 1, 3)
    target.calls.clear()
    target.mended = True
    run = await finished(context, await again.retry(context, first.id, [Verdict.ERROR]))
    assert sorted(target.calls) == ["prompt 1", "prompt 3", "prompt 5"]
    assert run.summary is not None
    assert (run.summary.passed, run.summary.failed, run.summary.errors) == (5, 1, 0)
    assert run.spec.parent_id == first.id
    assert run.spec.complete
    found = await results_of(context, run)
    assert {key: result.carried_over for key, result in found.items()} == {f"k{n}": n % 2 == 0 for n in range(6)}


async def test_a_retry_of_fails_is_never_complete(context: Context) -> None:
    target = Flaky()
    target.mended = True
    await save(context, prompts(4))
    first = await finished(context, await start(context, target))
    run = await finished(context, await again.retry(context, first.id, [Verdict.FAIL]))
    assert not run.spec.complete


async def test_nothing_to_retry_is_said(context: Context) -> None:
    target = Flaky()
    target.mended = True
    await save(context, prompts(2))
    first = await finished(context, await start(context, target))
    with pytest.raises(InvalidInput, match="nothing to retry"):
        await again.retry(context, first.id, [Verdict.ERROR])


async def test_a_regrade_calls_nothing_and_uses_the_present_evaluators(context: Context) -> None:
    target = Flaky()
    target.mended = True
    await save(context, prompts(4))
    first = await finished(context, await start(context, target))
    target.calls.clear()
    await save(context, prompts(4), evaluators=[{"kind": "contains", "text": "no"}])
    run = await finished(context, await again.regrade(context, first.id))
    assert target.calls == []
    assert run.status is RunStatus.COMPLETED
    assert {key: result.verdict for key, result in (await results_of(context, run)).items()} == {
        "k0": Verdict.FAIL,
        "k1": Verdict.FAIL,
        "k2": Verdict.PASS,
        "k3": Verdict.FAIL,
    }
    assert run.spec.complete


async def test_a_regrade_leaves_out_cases_whose_input_changed_or_that_are_new(context: Context) -> None:
    target = Flaky()
    target.mended = True
    await save(context, prompts(3))
    first = await finished(context, await start(context, target))
    await save(context, [{"key": "new", "prompt": "prompt 9"}, {"key": "k0", "prompt": "edited"}, *prompts(3)[1:]])
    run = await finished(context, await again.regrade(context, first.id))
    assert sorted(await results_of(context, run)) == ["k1", "k2"]
    assert not run.spec.complete
    assert run.total == 2


async def test_a_retry_of_a_retry_can_still_be_graded_anew(context: Context) -> None:
    target = Flaky()
    await save(context, prompts(4))
    first = await finished(context, await start(context, target))
    target.mended = True
    second = await finished(context, await again.retry(context, first.id, [Verdict.ERROR]))
    third = await finished(context, await again.regrade(context, second.id))
    assert len(await results_of(context, third)) == 4


async def cancelled(context: Context, target: Gate, cases: int, **options: Any) -> Run:
    """A run that was cancelled after as many cases as the target answers."""
    await save(context, prompts(cases))
    run = await start(context, target, concurrency=1, **options)
    await until_passed(context, run, target.free)
    return await runs.cancel(context, run.id)


async def test_a_retry_of_a_cancelled_run_runs_what_it_had_not_reached(context: Context) -> None:
    target = Gate(3)
    first = await cancelled(context, target, 7)
    target.free = 100
    run = await finished(context, await again.retry(context, first.id, [Verdict.ERROR]))
    assert (run.status, run.total) == (RunStatus.COMPLETED, 7)
    assert run.summary is not None and run.summary.passed == 7
    assert [result.carried_over for result in (await results_of(context, run)).values()] == [True] * 3 + [False] * 4
    assert run.spec.complete


async def test_a_retry_by_trial(context: Context) -> None:
    target = Gate(4)
    first = await cancelled(context, target, 3, trials=2)
    target.free = 100
    run = await finished(context, await again.retry(context, first.id, [Verdict.ERROR]))
    assert run.total == 6
    assert target.calls == {"prompt 0": 2, "prompt 1": 2, "prompt 2": 3}


@pytest.mark.parametrize("what", ["retry", "regrade"])
async def test_a_run_that_goes_on_is_neither_retried_nor_graded_anew(context: Context, what: str) -> None:
    await save(context, prompts(1))
    run = await start(context, Gate())
    with pytest.raises(Conflict, match="wait for it, resume it or cancel it"):
        await (again.retry(context, run.id, [Verdict.ERROR]) if what == "retry" else again.regrade(context, run.id))


async def test_a_regrade_needs_no_target(context: Context, tmp_path: Path) -> None:
    """Neither the function of a process that is gone, nor leave to run code."""
    await save(context, prompts(3))
    first = await finished(context, await start(context, Gate(9)))
    await context.close()
    later = await Context.open(Settings(home=tmp_path, allow_code=False), {})
    try:
        await save(later, prompts(3), evaluators=[{"kind": "contains", "text": "no"}])
        run = await finished(later, await again.regrade(later, first.id))
        assert run.status is RunStatus.COMPLETED
        assert run.summary is not None and run.summary.failed == 3
        with pytest.raises(Conflict, match="in the memory of a process that is gone"):
            await again.retry(later, first.id, [Verdict.PASS])
    finally:
        await later.close()


async def test_a_regrade_of_a_cancelled_run_grades_what_it_finished(context: Context) -> None:
    target = Gate(2)
    first = await cancelled(context, target, 5)
    run = await finished(context, await again.regrade(context, first.id))
    assert sorted(await results_of(context, run)) == ["k0", "k1"]
    assert (run.total, run.spec.complete) == (2, False)


async def test_nothing_to_grade_anew_is_said(context: Context) -> None:
    first = await cancelled(context, Gate(0), 2)
    with pytest.raises(InvalidInput, match="none of the outcomes"):
        await again.regrade(context, first.id)


async def stopped_regrade(context: Context, target: Gate) -> Run:
    """A regrade that was stopped when one of its three cases had a result."""
    await save(context, prompts(3))
    first = await finished(context, await start(context, target))
    run = await finished(context, await again.regrade(context, first.id))
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE runs SET status = 'cancelled' WHERE parent_id IS NOT NULL")
        of_the_regrade = "run_id IN (SELECT id FROM runs WHERE parent_id IS NOT NULL)"
        await tx.execute(f"DELETE FROM results WHERE position > 0 AND {of_the_regrade}")
    target.calls.clear()
    return run


async def test_a_retry_of_a_stopped_regrade_grades_the_rest_without_calling(context: Context) -> None:
    target = Gate(100)
    regrade = await stopped_regrade(context, target)
    run = await finished(context, await again.retry(context, regrade.id, [Verdict.ERROR]))
    assert target.calls == {}
    assert run.summary is not None and run.summary.passed == 3


async def test_outcomes_that_were_deleted_meanwhile_are_errors_and_not_calls(context: Context) -> None:
    target = Gate(100)
    regrade = await stopped_regrade(context, target)
    await runs.delete(context, regrade.spec.parent_id or "")
    run = await finished(context, await runs.resume(context, regrade.id))
    assert target.calls == {}
    assert run.summary is not None
    assert (run.summary.passed, run.summary.error_types) == (1, {"not_recorded": 2})
