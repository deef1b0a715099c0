"""Going on with a run: what is finished is not done again, and what changed is refused."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import Conflict, InvalidInput
from aloi.core.run import Run, RunLimits, RunRequest, RunStatus
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service import again, runs, targets
from aloi.service.context import Context
from aloi.service.running.frozen import Frozen, load
from aloi.service.running.head import head_of
from aloi.settings import Settings
from tests.service.started_runs import finished, prompts, results_of, save, start, until_passed


class Stoppable:
    """Answers so many times, then hangs until it is let go; counts its calls."""

    def __init__(self, answers: int) -> None:
        self.calls: list[str] = []
        self.answers = answers

    async def __call__(self, given: Any) -> Any:
        self.calls.append(given)
        if len(self.calls) > self.answers:
            await asyncio.sleep(60)
        return "ok"


async def test_an_interrupted_run_goes_on_where_it_was(context: Context) -> None:
    target = Stoppable(4)
    await save(context, prompts(9))
    run = await start(context, target, concurrency=2)
    await until_passed(context, run, 4)
    task = context.work.pop(run.id)
    task.cancel()
    await asyncio.wait([task])
    assert (await runs.get(context, run.id)).status is RunStatus.RUNNING
    before = await results_of(context, run)
    target.calls.clear()
    target.answers = 100
    run = await finished(context, await runs.resume(context, run.id))
    assert run.status is RunStatus.COMPLETED
    assert len(target.calls) == 9 - len(before)
    assert not set(before) & {call.replace("prompt ", "k") for call in target.calls}
    after = await results_of(context, run)
    assert {key: after[key] for key in before} == before


async def test_a_cancelled_run_can_be_resumed(context: Context) -> None:
    target = Stoppable(3)
    await save(context, prompts(5))
    run = await start(context, target)
    await until_passed(context, run, 3)
    await runs.cancel(context, run.id)
    target.answers = 100
    run = await finished(context, await runs.resume(context, run.id))
    assert run.status is RunStatus.COMPLETED
    assert run.summary is not None
    assert run.summary.passed == 5


async def test_a_completed_run_is_not_resumed(context: Context) -> None:
    await save(context, prompts(1))
    run = await finished(context, await start(context, Stoppable(9)))
    with pytest.raises(Conflict, match="completed"):
        await runs.resume(context, run.id)


async def test_a_run_that_goes_on_is_not_resumed(context: Context, tmp_path: Path) -> None:
    await save(context, prompts(2))
    run = await start(context, Stoppable(0))
    with pytest.raises(Conflict, match="going on in this process"):
        await runs.resume(context, run.id)


async def test_a_run_of_another_living_process_is_not_resumed(context: Context, tmp_path: Path) -> None:
    await save(context, prompts(2))
    target = Stoppable(0)
    run = await start(context, target)
    other = await Context.open(Settings(home=tmp_path), {})
    other.owner = "elsewhere.example:1:1"
    other.in_memory.update(context.in_memory)
    try:
        with pytest.raises(Conflict, match="is worked on by"):
            await runs.resume(other, run.id)
    finally:
        await other.close()


async def test_a_callable_of_a_process_that_is_gone_is_refused(context: Context, tmp_path: Path) -> None:
    await save(context, prompts(3))
    run = await start(context, Stoppable(1))
    await until_passed(context, run, 1)
    await context.close()
    later = await Context.open(Settings(home=tmp_path), {})
    try:
        with pytest.raises(Conflict, match="in the memory of a process that is gone"):
            await runs.resume(later, run.id)
    finally:
        await later.close()


async def test_a_module_that_changed_is_refused_with_the_difference_named(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "aloi_resume_target.py"
    module.write_text("async def answer(given):\n    return 'ok'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    target = build("targets", {"kind": "python", "function": "aloi_resume_target:answer"}, Target)
    await save(context, prompts(2))
    version = await targets.save(context, "module", target)
    run = await runs.start(context, RunRequest(target_version_id=version.id, dataset="data", limits=RunLimits()))
    await finished(context, run)
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE runs SET status = 'cancelled'")
    module.write_text("async def answer(given):\n    return 'other'\n", encoding="utf-8")
    context.in_memory.clear()
    sys.modules.pop("aloi_resume_target")
    with pytest.raises(Conflict, match=r"source.* changed since"):
        await runs.resume(context, run.id)


async def test_an_interrupted_regrade_still_calls_nothing(context: Context) -> None:
    target = Stoppable(100)
    await save(context, prompts(4))
    first = await finished(context, await start(context, target))
    run = await finished(context, await again.regrade(context, first.id))
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE runs SET status = 'running' WHERE parent_id IS NOT NULL")
        of_the_regrade = "run_id IN (SELECT id FROM runs WHERE parent_id IS NOT NULL)"
        await tx.execute(f"DELETE FROM results WHERE position > 1 AND {of_the_regrade}")
    target.calls.clear()
    assert len((await head_of(context, run)).ungraded) == 2
    run = await finished(context, await runs.resume(context, run.id))
    assert target.calls == []
    assert len(await results_of(context, run)) == 4


async def test_what_a_run_spent_counts_after_a_resume(context: Context) -> None:
    await save(context, prompts(2))
    run = await finished(context, await start(context, Stoppable(9)))
    head = await head_of(context, run)
    assert len(head.done) == 2
    assert head.ungraded == {}


async def test_what_is_done_is_read_when_nobody_else_can_add_to_it(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another finishes between the wish to resume a run and the lease is not paid a second time."""
    target = Stoppable(2)
    await save(context, prompts(6))
    run = await start(context, target, concurrency=1)
    await until_passed(context, run, 2)
    await runs.cancel(context, run.id)
    target.answers = 100
    target.calls.clear()
    other = await Context.open(Settings(home=tmp_path), {})
    other.in_memory = context.in_memory

    async def after_the_other(given: Context, of: Run) -> Frozen:
        """Another works on the run, and stops before its end, while this one still looks at what was frozen."""
        if given is context:
            await finished(other, await runs.resume(other, of.id))
            async with context.database.transaction() as tx:
                await tx.execute("UPDATE runs SET status = 'failed'")
        return await load(given, of)

    try:
        with monkeypatch.context() as patched:
            patched.setattr(runs, "load", after_the_other)
            resumed = await runs.resume(context, run.id)
        run = await finished(context, resumed)
        assert run.status is RunStatus.COMPLETED
        assert len(target.calls) == 4
    finally:
        await other.close()


async def test_a_resume_without_the_key_of_its_model_is_refused(context: Context) -> None:
    """Else every case that is left would be an error, and finished."""
    await save(context, prompts(1))
    run = await finished(context, await start(context, Stoppable(9)))
    async with context.database.transaction() as tx:
        await tx.execute(
            "UPDATE target_versions SET kind = 'agent', fingerprint = '{}',"
            """ definition = '{"kind": "agent", "model": "openai:gpt-x"}'"""
        )
        await tx.execute("UPDATE runs SET status = 'cancelled'")
    context.in_memory.clear()
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
        await runs.resume(context, run.id)
