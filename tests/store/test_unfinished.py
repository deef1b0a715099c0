"""Executions that are not over: one at a time works on them, and nobody else changes them meanwhile."""

from datetime import timedelta

import pytest

from aloi.core.errors import Conflict, NotFound
from aloi.core.execution import Execution, ExecutionFilter, ExecutionSource, ExecutionStatus
from aloi.core.outcome import Failure, Outcome
from aloi.core.usage import Usage
from aloi.store import execution_pages, executions, unfinished
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, OTHER_WORKSPACE, a_version, another_workspace, new_id

LATER = NOW + timedelta(minutes=1)
OK, ERROR, WAITING, RUNNING = (ExecutionStatus(word) for word in ("ok", "error", "waiting", "running"))
KEPT = Outcome(usage=Usage(calls=1), latency=1.5)


async def begun(tx: Connection, name: str = "flow", owner: str = "one") -> Execution:
    """An execution that its owner works on."""
    version = await a_version(tx, name)
    execution = Execution(
        id=new_id(),
        target_id=version.target_id,
        target_name=version.target_name,
        target_kind=version.kind,
        version=version.number,
        source=ExecutionSource.PRODUCTION,
        run_id=None,
        case_key=None,
        created_at=NOW,
        status=RUNNING,
        input="Hi",
        outcome=Outcome(),
    )
    await unfinished.begin(tx, execution, version.id, owner, LATER)
    return execution


async def statuses(rx: Connection) -> dict[ExecutionStatus, list[str]]:
    """The ids that each filter by status finds; each entry says the status by which it was found."""
    found: dict[ExecutionStatus, list[str]] = {}
    for status in ExecutionStatus:
        entries = (await execution_pages.page(rx, 1, 20, ExecutionFilter(status=status))).items
        assert {entry.status for entry in entries} <= {status}
        found[status] = [entry.id for entry in entries]
    return found


async def test_it_stands_from_the_start(db: Database) -> None:
    async with db.transaction() as tx:
        execution = await begun(tx)
    async with db.read() as rx:
        assert await executions.get(rx, execution.id) == execution
        assert await statuses(rx) == {OK: [], ERROR: [], WAITING: [], RUNNING: [execution.id]}
        assert await unfinished.stand(rx, execution.id) == (Outcome(), None)


async def test_one_of_a_target_that_is_gone(db: Database) -> None:
    async with db.transaction() as tx:
        execution = await begun(tx)
    with pytest.raises(Conflict):
        async with db.transaction() as tx:
            await unfinished.begin(tx, execution.model_copy(update={"id": new_id()}), new_id(), "one", LATER)


async def test_how_far_it_is(db: Database) -> None:
    async with db.transaction() as tx:
        execution = await begun(tx)
        assert await unfinished.keep(tx, execution.id, "one", KEPT, {"a": "nul \0 é"}, LATER)
        assert await unfinished.stand(tx, execution.id) == (KEPT, {"a": "nul \0 é"})
        assert not await unfinished.keep(tx, execution.id, "two", Outcome(), {}, LATER)
        assert await unfinished.keep(tx, execution.id, "one", None, {"b": 1}, LATER)
        assert await unfinished.stand(tx, execution.id) == (KEPT, {"b": 1})
        assert await unfinished.keep(tx, execution.id, "one", Outcome(), None, None)
        assert await unfinished.stand(tx, execution.id) == (Outcome(), {"b": 1})
        assert not await unfinished.keep(tx, execution.id, "one", Outcome(), {}, LATER)  # it was given back
        assert (await executions.get(tx, execution.id)).status is RUNNING


async def test_it_waits_and_goes_on(db: Database) -> None:
    async with db.transaction() as tx:
        execution = await begun(tx)
        assert not await unfinished.go_on(tx, execution.id, "two", LATER)
        assert await unfinished.keep(tx, execution.id, "one", KEPT, {}, None, waits=True)
        assert await unfinished.hold(tx, execution.id) is WAITING
        assert await statuses(tx) == {OK: [], ERROR: [], WAITING: [execution.id], RUNNING: []}
        assert await unfinished.running(tx) == []
        assert not await unfinished.renew(tx, execution.id, "one", LATER)
        assert await unfinished.go_on(tx, execution.id, "two", LATER)
        assert not await unfinished.go_on(tx, execution.id, "three", LATER)
        assert await unfinished.hold(tx, execution.id) is RUNNING
        assert await unfinished.is_held_by(tx, execution.id, "two")
        assert not await unfinished.is_held_by(tx, execution.id, "one")


async def test_leases(db: Database) -> None:
    async with db.transaction() as tx:
        first, second = await begun(tx), await begun(tx, "other", "two")
        assert await unfinished.keep(tx, second.id, "two", KEPT, {}, None)
        assert await unfinished.renew(tx, first.id, "one", LATER + timedelta(seconds=1))
        assert not await unfinished.renew(tx, first.id, "two", NOW)
        held, free = await unfinished.running(tx)
        assert held[1:] == (first.id, "one", LATER + timedelta(seconds=1))
        assert free[1:] == (second.id, None, None)
        for found in (held, free):
            assert await unfinished.take_over(tx, found, "three", LATER)
            assert not await unfinished.take_over(tx, found, "four", LATER)
            assert await unfinished.is_held_by(tx, found.execution_id, "three")


@pytest.mark.parametrize("failure", [None, Failure(stage="invoke", type="broken", message="no")])
async def test_the_end(db: Database, failure: Failure | None) -> None:
    outcome = Outcome(output=None if failure else "done", failure=failure, usage=Usage(calls=2))
    async with db.transaction() as tx:
        execution = await begun(tx)
        assert not await unfinished.end(tx, execution.id, outcome, "two")
        assert await unfinished.end(tx, execution.id, outcome, "one")
        status = ERROR if failure else OK
        found = await executions.get(tx, execution.id)
        assert (found.status, found.outcome) == (status, outcome)
        assert [name for name, ids in (await statuses(tx)).items() if ids] == [status]
        assert await unfinished.hold(tx, execution.id) is None
        assert await unfinished.stand(tx, execution.id) == (outcome, None)
        assert not await unfinished.end(tx, execution.id, Outcome(output="again"))
        assert not await unfinished.keep(tx, execution.id, "one", Outcome(), {}, LATER)
        assert not await unfinished.go_on(tx, execution.id, "one", LATER)


async def test_anybody_may_end_it(db: Database) -> None:
    async with db.transaction() as tx:
        running, waits = await begun(tx), await begun(tx, "other")
        await unfinished.keep(tx, waits.id, "one", KEPT, {}, None, waits=True)
        for execution in (running, waits):
            assert await unfinished.end(tx, execution.id, Outcome(output="x"))


async def test_what_is_not_there(db: Database) -> None:
    async with db.transaction() as tx:
        assert await unfinished.hold(tx, new_id()) is None
        assert await unfinished.stand(tx, new_id()) == (Outcome(), None)
        assert not await unfinished.is_held_by(tx, new_id(), "one")


async def test_those_of_all_workspaces_are_found(db: Database) -> None:
    other = await another_workspace(db)
    async with other.transaction() as tx:
        execution = await begun(tx)
    async with db.read() as rx:
        [found] = await unfinished.running(rx)
        assert (found.workspace_id, found.execution_id) == (OTHER_WORKSPACE, execution.id)
        with pytest.raises(NotFound):
            await executions.get(rx, execution.id)
