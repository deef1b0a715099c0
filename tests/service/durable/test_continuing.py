"""Executions go on after their server is gone: where they stood, once, and in their own workspace."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from aloi.core.access import LOCAL, Workspace
from aloi.core.execution import Execution, ExecutionFilter
from aloi.service import executions, pickup, waiting
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.durable import continuing, parking, stretch
from aloi.service.process import lease
from aloi.store import unfinished, workspaces
from aloi.store.codec import pack_id
from tests.service.stepwise import ERROR, OK, RUNNING, WAITING, begun, invoked, let_go, until
from tests.service.stepwise import contexts as contexts
from tests.service.stepwise import stepwise as stepwise

pytestmark = pytest.mark.usefixtures("stepwise")


async def hanging(context: Context, folder: Path) -> Execution:
    """An execution that was answered and hangs in its step `c`, with `b` kept."""
    execution = await invoked(context, folder, "a", "ask", "b", "c", hang="c")
    await waiting.answer(context, execution.id, "ask", "yes")
    await until_begun(folder, "c")
    return execution


async def until_begun(folder: Path, step: str, times: int = 1) -> None:
    async with asyncio.timeout(5):
        while begun(folder)[step] < times:
            await asyncio.sleep(0.01)


async def holder(context: Context, execution_id: str) -> str | None:
    async with context.database.read() as rx:
        [(owner,)] = await rx.fetch("SELECT lease_owner FROM executions WHERE id = ?", (pack_id(execution_id),))
    return owner


async def kill(context: Context) -> None:
    """Break off the work of a server so that it cannot write anything any more."""
    tasks = list(context.work.values())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stretch.Stretch, "give_back", nothing)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def nothing(_: stretch.Stretch) -> None:
    pass


async def test_one_that_was_given_back_goes_on_elsewhere(contexts: list[Context], tmp_path: Path) -> None:
    one, two, _ = contexts
    execution = await hanging(one, tmp_path)
    await one.drain(0)
    assert await holder(two, execution.id) is None
    stopped = await executions.get(two, execution.id)
    assert (stopped.status, stopped.outcome.usage.calls) == (RUNNING, 3)
    let_go(tmp_path)
    await pickup.take_up_executions(two)
    done = await until(two, execution, OK)
    assert done.output == {"a": "a done", "ask": "yes", "b": "b done", "c": "c done"}
    assert begun(tmp_path) == {"a": 1, "b": 1, "c": 2}
    assert done.outcome.trace is not None
    names = [span.name for span in done.outcome.trace.spans if span.name != "invoke_workflow"]
    assert names == ["step a", "step b", "step c", "step c"]
    assert [span.error for span in done.outcome.trace.spans if span.name == "step c"] == ["it was cancelled", None]


async def test_one_whose_server_died_goes_on_once(
    contexts: list[Context], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = contexts
    execution = await hanging(one, tmp_path)
    await kill(one)
    assert await holder(two, execution.id) == one.owner
    monkeypatch.setattr(continuing, "is_dead", one.owner.__eq__)
    await asyncio.gather(pickup.take_up_executions(two), pickup.take_up_executions(three))
    assert len(two.work) + len(three.work) == 1
    await until_begun(tmp_path, "c", 2)
    await pickup.take_up_executions(two)
    let_go(tmp_path)
    done = await until(two, execution, OK)
    assert done.output == {"a": "a done", "ask": "yes", "b": "b done", "c": "c done"}
    assert begun(tmp_path) == {"a": 1, "b": 1, "c": 2}
    assert done.outcome.usage.calls == 3  # what the killed stretch was in the middle of is not known


async def test_it_is_looked_for_all_the_time(
    contexts: list[Context], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pickup, "LOOK_SECONDS", 0.01)
    one, two, _ = contexts
    looking = asyncio.create_task(pickup.look_after_runs(two))
    execution = await hanging(one, tmp_path)
    let_go(tmp_path)
    await one.drain(0)
    await until(two, execution, OK)
    looking.cancel()


async def test_what_somebody_works_on_or_what_waits_is_left_alone(contexts: list[Context], tmp_path: Path) -> None:
    one, two, _ = contexts
    execution = await hanging(one, tmp_path)
    await invoked(one, tmp_path, "ask")
    assert await continuing.abandoned(two) == []
    assert await continuing.abandoned(one) == []
    assert await holder(one, execution.id) == one.owner


async def test_one_that_this_process_lost_is_taken_up_when_its_lease_is_over(
    contexts: list[Context], tmp_path: Path
) -> None:
    one, two, _ = contexts
    execution = await hanging(one, tmp_path)
    await kill(one)
    assert await continuing.abandoned(one) == []
    async with one.database.transaction() as tx:
        assert await unfinished.renew(tx, execution.id, one.owner, now() - timedelta(seconds=1))
    assert await continuing.abandoned(two) == []  # the process lives
    [found] = await continuing.abandoned(one)
    assert found.execution_id == execution.id


async def test_a_lease_is_renewed_and_its_loss_stops_the_work(
    contexts: list[Context], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parking, "WATCH_SECONDS", 0.01)
    monkeypatch.setattr(parking, "RENEW_SECONDS", 0.0)
    one, two, _ = contexts
    execution = await hanging(one, tmp_path)
    async with one.database.read() as rx:
        [first] = await unfinished.running(rx)
    async with asyncio.timeout(5):
        while True:
            async with one.database.read() as rx:
                [later] = await unfinished.running(rx)
            assert first.until is not None and later.until is not None
            if later.until > first.until:
                break
            await asyncio.sleep(0.01)
    async with two.database.transaction() as tx:
        assert await unfinished.take_over(tx, later, two.owner, now() + lease.LEASE)
    async with asyncio.timeout(5):
        while one.work:
            await asyncio.sleep(0.01)
    assert await holder(two, execution.id) == two.owner


async def test_one_that_has_no_step_yet_begins_anew(contexts: list[Context], tmp_path: Path) -> None:
    one, two, _ = contexts
    call = asyncio.create_task(invoked(one, tmp_path, "a", "ask", hang="a"))
    await until_begun(tmp_path, "a")
    await one.drain(0)
    await asyncio.wait([call])
    [entry] = (await executions.listing(two, 1, 20, ExecutionFilter())).items
    let_go(tmp_path)
    await pickup.take_up_executions(two)
    found = await executions.get(two, entry.id)
    assert (await until(two, found, WAITING)).human_steps[0].step == "ask"


async def test_one_that_cannot_go_on_fails_and_keeps_what_it_has(
    contexts: list[Context], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, _ = contexts
    execution = await hanging(one, tmp_path)
    await one.drain(0)
    monkeypatch.undo()  # the kind is gone
    await pickup.take_up_executions(two)
    failed = await executions.get(two, execution.id)
    assert failed.status is ERROR
    assert failed.outcome.failure is not None and failed.outcome.failure.type == "interrupted"
    assert "it was interrupted and cannot go on: there is no kind 'stepwise'" in failed.outcome.failure.message
    assert failed.outcome.trace is not None and failed.outcome.usage.calls == 3
    assert await continuing.abandoned(two) == []


async def test_each_workspace_by_itself(contexts: list[Context], tmp_path: Path) -> None:
    one, two, _ = contexts
    elsewhere = Workspace(id=new_id(), name="elsewhere")
    async with one.database.transaction() as tx:
        await workspaces.create(tx, elsewhere)
    theirs = one.acting_as(LOCAL.model_copy(update={"workspace": elsewhere}))
    execution = await hanging(theirs, tmp_path)
    await one.drain(0)
    let_go(tmp_path)
    await pickup.take_up_executions(two)
    await until(two.acting_as(theirs.principal), execution, OK)
