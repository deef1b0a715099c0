"""The contract of the store: the life of a run, on every kind of database. `tests/store` has each table's details."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from aloi.core.errors import NotFound
from aloi.core.run import RunStatus
from aloi.core.score import Verdict
from aloi.core.summary import summarise
from aloi.store import cases, datasets, outcomes, result_pages, results, revisions, runs, targets
from aloi.store.database import Database
from tests.store.backends import BACKENDS, fresh, open_database
from tests.store.samples import NOW, Stored, a_run, answer

KEYS = ("a", "b", "c", "d")
LATER = NOW + timedelta(minutes=1)


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """Where a new database of a kind is."""
    async with fresh(request, tmp_path) as where:
        yield where


@pytest.fixture
async def db(address: str) -> AsyncIterator[Database]:
    """It, opened."""
    database = await open_database(address)
    yield database
    await database.close()


async def record(db: Database, stored: Stored, position: int, verdict: Verdict | None = Verdict.PASS) -> None:
    """One case's events, as a worker sends them: the outcome first, then in a transaction of its own the result."""
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(position)], [])
    if verdict is not None:
        async with db.transaction() as tx:
            await results.write(tx, stored.run.id, [], [stored.graded(position, verdict=verdict)])


async def test_a_run_from_its_start_to_its_summary(db: Database):
    stored = await a_run(db, KEYS)
    async with db.transaction() as tx:
        assert await runs.claim(tx, stored.run.id, "me", LATER, NOW, lambda _: False) is None
        assert await runs.set_status(tx, stored.run.id, {RunStatus.PENDING}, RunStatus.RUNNING, started_at=NOW)
    verdicts = [Verdict.PASS, Verdict.PASS, Verdict.FAIL, Verdict.ERROR]
    for position, verdict in enumerate(verdicts):
        await record(db, stored, position, verdict)
    async with db.transaction() as tx:
        summary = summarise([row async for row in result_pages.rows(tx, stored.run.id)])
        assert await runs.set_status(
            tx, stored.run.id, {RunStatus.RUNNING}, RunStatus.COMPLETED, summary=summary, finished_at=LATER
        )
        await runs.release(tx, stored.run.id, "me")
    async with db.read() as rx:
        run = await runs.get(rx, "latest")
        counts = await results.counts(rx, run.id)
    assert run.status is RunStatus.COMPLETED and run.summary == summary
    assert (summary.passed, summary.failed, summary.errors) == (2, 1, 1)
    assert (counts.passed, counts.failed, counts.errors) == (2, 1, 1)
    assert counts.tokens == summary.usage.tokens and counts.cost == summary.usage.cost


async def test_a_run_that_broke_off_goes_on_where_it_was(db: Database, address: str):
    stored = await a_run(db, KEYS)
    await record(db, stored, 0)
    await record(db, stored, 2, None)
    again = await open_database(address)
    async with again.read() as rx:
        assert await results.done(rx, stored.run.id) == {(0, 0)}
        [waiting] = await outcomes.ungraded(rx, stored.run.id)
        assert await outcomes.get(rx, waiting.execution_id) == answer("Answer 2")
        placed = await revisions.cases(rx, stored.run.spec.revision_id)
    assert (waiting.position, waiting.trial) == (2, 0)
    assert [case.key for _, case in placed] == list(KEYS)
    async with again.transaction() as tx:
        graded = stored.graded(2)._replace(execution_id=waiting.execution_id)
        await results.write(tx, stored.run.id, [], [graded])
    for position in (1, 3):
        await record(again, stored, position)
    async with again.read() as rx:
        assert (await results.counts(rx, stored.run.id)).passed == 4
        assert await outcomes.ungraded(rx, stored.run.id) == []
        assert await rx.fetch("SELECT count(*) FROM executions") == [(4,)]
    await again.close()


async def test_a_run_is_read_while_it_goes_on(db: Database, address: str):
    stored = await a_run(db, KEYS)
    watcher = await open_database(address)
    for position in range(4):
        await record(db, stored, position)
        async with watcher.read() as rx:
            assert (await results.counts(rx, stored.run.id)).passed == position + 1
            assert await result_pages.one(rx, stored.run.id, KEYS[position]) == stored.result(position)
    await watcher.close()


async def test_what_a_run_froze_outlives_its_dataset(db: Database):
    stored = await a_run(db, KEYS)
    await record(db, stored, 1)
    async with db.transaction() as tx:
        case = await cases.get(tx, stored.dataset.id, "b")
        await cases.update(tx, stored.dataset.id, case.model_copy(update={"input": "another question"}))
        await datasets.delete(tx, stored.dataset.id)
    async with db.read() as rx:
        assert await revisions.cases(rx, stored.revision.id) == list(enumerate(stored.cases))
        assert await result_pages.one(rx, stored.run.id, "b") == stored.result(1)
        assert await targets.version_by_id(rx, stored.version.id) == stored.version
        with pytest.raises(NotFound):
            await datasets.get(rx, stored.dataset.id)


async def test_two_owners_cannot_both_hold_a_run(db: Database, address: str):
    stored = await a_run(db, KEYS)
    other = await open_database(address)
    async with db.transaction() as tx:
        assert await runs.claim(tx, stored.run.id, "one", LATER, NOW, lambda _: False) is None
    async with other.transaction() as tx:
        assert await runs.claim(tx, stored.run.id, "two", LATER, NOW, lambda _: False) == "one"
        assert not await runs.renew(tx, stored.run.id, "two", LATER)
    await other.close()
