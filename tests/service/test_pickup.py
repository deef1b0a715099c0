"""Runs of servers that nobody works on are taken up; the others are left alone."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.access import LOCAL, Workspace
from aloi.core.run import Run, RunStatus
from aloi.service import pickup, runs
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store import workspaces
from tests.service.started_runs import Gate, lease_holder, prompts, results_of, save, start, until_passed


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[Context]:
    """A server's context."""
    opened = await Context.open(Settings(home=tmp_path), {}, served=True)
    yield opened
    await opened.close()


@pytest.fixture
async def other(context: Context, tmp_path: Path) -> AsyncIterator[Context]:
    """Another server on the same database, which has the same functions in memory."""
    opened = await Context.open(Settings(home=tmp_path), {}, served=True)
    opened.in_memory = context.in_memory
    yield opened
    await opened.close()


async def given_back(context: Context, target: Gate, cases: int = 6, **options: Any) -> Run:
    """A run that its server gave back when it ended, with two results."""
    target.free = 2
    await save(context, prompts(cases))
    run = await start(context, target, concurrency=1, **options)
    await until_passed(context, run, 2)
    await context.drain(0)
    assert await lease_holder(context, run) is None
    assert (await runs.get(context, run.id)).interrupted
    return run


async def completed(context: Context, run: Run) -> Run:
    async with asyncio.timeout(5):
        while (found := await runs.get(context, run.id)).status is not RunStatus.COMPLETED:
            await asyncio.sleep(0.01)
    return found


async def test_a_run_that_was_given_back_goes_on(context: Context, other: Context) -> None:
    target = Gate()
    run = await given_back(context, target)
    target.free = 100
    await pickup.take_up(other)
    done = await completed(other, run)
    assert done.summary is not None and done.summary.passed == 6
    assert target.calls["prompt 0"] == target.calls["prompt 1"] == 1
    assert other.work == {}


async def test_it_is_looked_for_all_the_time(context: Context, other: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pickup, "LOOK_SECONDS", 0.01)
    looking = asyncio.create_task(pickup.look_after_runs(other))
    target = Gate()
    run = await given_back(context, target)
    target.free = 100
    await completed(other, run)
    looking.cancel()


async def test_what_somebody_works_on_is_left_alone(context: Context, other: Context) -> None:
    await save(context, prompts(1))
    run = await start(context, Gate())
    await pickup.take_up(other)
    assert other.work == {}
    assert await lease_holder(context, run) == context.owner


async def test_the_runs_of_commands_are_theirs(context: Context, other: Context) -> None:
    context.served = False
    run = await given_back(context, Gate())
    await pickup.take_up(other)
    assert other.work == {}
    assert (await runs.get(other, run.id)).interrupted


async def test_of_two_servers_one_takes_it(context: Context, other: Context, tmp_path: Path) -> None:
    target = Gate()
    run = await given_back(context, target)
    target.free = 100
    third = await Context.open(Settings(home=tmp_path), {}, served=True)
    third.in_memory = context.in_memory
    try:
        await asyncio.gather(pickup.take_up(other), pickup.take_up(third))
        assert len(other.work) + len(third.work) == 1
        await completed(other, run)
    finally:
        await third.close()
    assert set(target.calls.values()) <= {1, 2}
    assert target.calls.total() <= 7


async def test_each_workspace_by_itself(context: Context, other: Context) -> None:
    elsewhere = Workspace(id=new_id(), name="elsewhere")
    async with context.database.transaction() as tx:
        await workspaces.create(tx, elsewhere)
    theirs = context.acting_as(LOCAL.model_copy(update={"workspace": elsewhere}))
    target = Gate()
    run = await given_back(theirs, target)
    target.free = 100
    await pickup.take_up(other)
    own = other.acting_as(theirs.principal)
    await completed(own, run)
    assert len(await results_of(own, run)) == 6


async def test_one_that_cannot_go_on_fails_and_keeps_what_it_has(context: Context, other: Context) -> None:
    run = await given_back(context, Gate())
    other.in_memory = {}
    await pickup.take_up(other)
    failed = await runs.get(other, run.id)
    assert failed.status is RunStatus.FAILED
    assert failed.reason is not None
    assert failed.reason.startswith("it was interrupted and cannot go on: ")
    assert "in the memory of a process that is gone" in failed.reason
    assert failed.summary is not None and failed.summary.passed == 2
    assert await lease_holder(other, run) is None
    await pickup.take_up(other)
    assert other.work == {}


async def test_one_that_cannot_even_be_read_holds_up_no_other(
    context: Context, other: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Gate(), Gate()
    strange = await given_back(context, first)
    context.draining.clear()
    run = await given_back(context, second)
    first.free = second.free = 100
    get = pickup.get

    async def breaks(own: Context, run_id: str) -> Run:
        if run_id == strange.id:
            raise ValueError("a row that cannot be read")
        return await get(own, run_id)

    with monkeypatch.context() as patched:
        patched.setattr(pickup, "get", breaks)
        await pickup.take_up(other)
        await completed(other, run)
    await pickup.take_up(other)
    await completed(other, strange)
