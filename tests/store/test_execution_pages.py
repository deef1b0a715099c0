"""Lists of executions: the filters, and that a long list is counted only so far."""

from datetime import timedelta
from typing import Any

import pytest

from aloi.core.execution import Execution, ExecutionFilter, ExecutionSource, ExecutionStatus
from aloi.core.outcome import Failure, Outcome
from aloi.core.run import TargetVersion
from aloi.core.trace import Trace
from aloi.store import execution_pages, executions, results
from aloi.store.codec import unpack_id
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, a_run, a_version, another_workspace, new_id

BROKE = Failure(stage="invoke", type="timeout", message="too slow")


async def add(tx: Connection, version: TargetVersion, age: int = 0, text: str = "hi", **more: object) -> str:
    """An execution of so many seconds ago; its id."""
    failed = bool(more.get("failed"))
    outcome = Outcome(output=None if failed else f"to {text}", failure=BROKE if failed else None, latency=1.5)
    execution = Execution(
        id=new_id(),
        target_id=version.target_id,
        target_name=version.target_name,
        target_kind=version.kind,
        version=version.number,
        source=ExecutionSource.RUNNER if more.get("by_hand") else ExecutionSource.PRODUCTION,
        run_id=None,
        case_key=None,
        created_at=NOW - timedelta(seconds=age),
        status=ExecutionStatus.OK,
        input=text,
        outcome=outcome.model_copy(update={"trace": Trace(trace_id="ab" * 16)}),
    )
    await executions.insert(tx, execution, version.id)
    return execution.id


async def ids(rx: Connection, **wanted: Any) -> list[str]:
    page = await execution_pages.page(rx, 1, 50, ExecutionFilter(**wanted))
    assert page.total == len(page.items)
    return [entry.id for entry in page.items]


async def test_newest_first_by_when_they_began(db: Database):
    async with db.transaction() as tx:
        version = await a_version(tx)
        made = [await add(tx, version, age) for age in (30, 10, 20)]
        assert await ids(tx) == [made[1], made[2], made[0]]
        second = await execution_pages.page(tx, 2, 1, ExecutionFilter())
        assert ([entry.id for entry in second.items], second.total) == ([made[2]], 3)
        [entry] = second.items
        assert (entry.input, entry.output, entry.latency, entry.status) == ("hi", "to hi", 1.5, ExecutionStatus.OK)


async def test_each_filter_and_all_of_them_together(db: Database):
    async with db.transaction() as tx:
        bot, other = await a_version(tx), await a_version(tx, "other")
        plain = await add(tx, bot, 40, "Paris is far")
        broken = await add(tx, bot, 30, failed=True)
        by_hand = await add(tx, bot, 20, by_hand=True)
        theirs = await add(tx, other, 10)
        assert await ids(tx, target_id=other.target_id) == [theirs]
        assert await ids(tx, status=ExecutionStatus.ERROR) == [broken]
        assert await ids(tx, status=ExecutionStatus.OK) == [theirs, by_hand, plain]
        assert await ids(tx, source=ExecutionSource.RUNNER) == [by_hand]
        assert await ids(tx, since=NOW - timedelta(seconds=30)) == [theirs, by_hand, broken]
        assert await ids(tx, until=NOW - timedelta(seconds=30)) == [plain]
        assert await ids(tx, text="PARIS") == [plain]
        assert await ids(tx, text="100%") == []
        every = {"target_id": bot.target_id, "source": ExecutionSource.PRODUCTION, "status": ExecutionStatus.OK}
        assert await ids(tx, **every, text="far", since=NOW - timedelta(hours=1), until=NOW) == [plain]


@pytest.mark.parametrize(
    "wanted",
    [
        ExecutionFilter(),
        ExecutionFilter(status=ExecutionStatus.ERROR),
        ExecutionFilter(source=ExecutionSource.PRODUCTION),
        ExecutionFilter(until=NOW + timedelta(seconds=1)),
    ],
)
async def test_those_of_one_moment_stand_in_the_order_of_their_ids(db: Database, wanted: ExecutionFilter):
    async with db.transaction() as tx:
        version = await a_version(tx)
        made = sorted([await add(tx, version, failed=True) for _ in range(9)], reverse=True)
        for target_id in (None, version.target_id):
            one = wanted._replace(target_id=target_id)
            pages = [await execution_pages.page(tx, number, 4, one) for number in (1, 2, 3)]
            assert [entry.id for page in pages for entry in page.items] == made


async def test_sqlite_finds_those_that_failed_by_their_index_alone(db: Database):
    async with db.read() as rx:
        if rx.dialect.name != "sqlite":
            pytest.skip("PostgreSQL decides by what is in the table")
        for query in (
            "SELECT count(*) FROM (SELECT 1 FROM executions e WHERE e.workspace_id = ? AND e.failed = 1 LIMIT 9) f",
            "SELECT e.id FROM executions e WHERE e.workspace_id = ? AND e.failed = 1"
            " ORDER BY e.created_at DESC, e.id DESC LIMIT 9",
        ):
            plan = " ".join(row[3] for row in await rx.fetch(f"EXPLAIN QUERY PLAN {query}", (rx.workspace,)))
            assert "COVERING INDEX executions_by_failed" in plan
            assert "TEMP B-TREE" not in plan


async def test_those_of_runs_are_listed_with_the_input_of_their_case(db: Database):
    stored = await a_run(db)
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(0)], [])
        page = await execution_pages.page(tx, 1, 10, ExecutionFilter(text="Question"))
    [entry] = page.items
    assert (entry.run_id, entry.source, entry.case_key) == (stored.run.id, ExecutionSource.RUN, "a")
    assert entry.input == "Question a"


async def test_other_workspaces_are_not_seen_not_even_by_their_target(db: Database):
    elsewhere = await another_workspace(db)
    async with db.transaction() as tx:
        version = await a_version(tx)
        await add(tx, version)
    async with elsewhere.read() as rx:
        assert await ids(rx) == []
        assert await ids(rx, target_id=version.target_id) == []


async def test_a_long_list_is_counted_and_searched_only_so_far(db: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(execution_pages, "MOST_COUNTED", 3)
    monkeypatch.setattr(execution_pages, "MOST_SEARCHED", 4)
    async with db.transaction() as tx:
        version = await a_version(tx)
        made = [await add(tx, version, age, f"number {age}") for age in range(6)]
        whole = await execution_pages.page(tx, 3, 2, ExecutionFilter())
        assert (whole.total, [entry.id for entry in whole.items]) == (4, made[4:])
        assert await ids(tx, text="number 3") == [made[3]]
        assert await ids(tx, text="number 4") == []


@pytest.mark.parametrize("apart", [0, 50])
async def test_of_some_targets_in_one_order(db: Database, monkeypatch: pytest.MonkeyPatch, apart: int):
    """However they are looked up: target by target, or all of them and then those."""
    monkeypatch.setattr(execution_pages, "MOST_APART", apart)
    async with db.transaction() as tx:
        versions = [await a_version(tx, name) for name in ("one", "two", "three")]
        made = [await add(tx, versions[age % 3], age, "odd" if age % 2 else "even") for age in range(12)]
        seen = [execution for age, execution in enumerate(made) if age % 3 != 2]
        workspace = unpack_id(tx.workspace)
    mine = db.in_workspace(workspace, [version.target_id for version in versions[:2]])
    async with mine.read() as rx:
        assert await ids(rx) == seen
        assert await ids(rx, text="odd") == [execution for execution in seen if made.index(execution) % 2]
        assert await ids(rx, target_id=versions[2].target_id) == []
        third = await execution_pages.page(rx, 3, 3, ExecutionFilter())
        assert ([entry.id for entry in third.items], third.total) == (seen[6:], 8)
    async with db.in_workspace(workspace, []).read() as rx:
        assert await ids(rx) == []
