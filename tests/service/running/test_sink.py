"""The store-backed sink: soon committed, nothing dropped, faults told."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.errors import NotFound, StoreUnavailable
from aloi.core.outcome import Outcome
from aloi.core.score import Verdict
from aloi.runner.task import Completed, Graded, Invoked, Place
from aloi.service.running import sink as sink_module
from aloi.service.running.sink import StoreSink
from aloi.store import outcomes, results, runs
from aloi.store.database import Database
from tests.service.started_runs import fill_up, make_room
from tests.store.samples import Stored, a_run, answer

KEYS = tuple(f"k{n}" for n in range(60))


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(str(tmp_path / "aloi.db"), lock_seconds=0.05)
    yield database
    await database.close()


@pytest.fixture
async def stored(db: Database) -> Stored:
    return await a_run(db, KEYS)


@pytest.fixture
def sink(db: Database, stored: Stored) -> StoreSink:
    return StoreSink(db, stored.run.id, stored.version.id)


def invoked(position: int, outcome: Outcome | None = None) -> Invoked:
    return Invoked(Place(position, 0), outcome or answer(f"Answer {position}"))


def graded(stored: Stored, position: int, verdict: Verdict = Verdict.PASS) -> Graded:
    return Graded(Place(position, 0), stored.result(position, verdict=verdict))


async def counts(db: Database, stored: Stored) -> tuple[int, int]:
    """How many executions and results are committed."""
    async with db.read() as rx:
        waiting = await outcomes.ungraded(rx, stored.run.id)
        done = await results.done(rx, stored.run.id)
    return len(waiting) + len(done), len(done)


async def until(db: Database, stored: Stored, wanted: tuple[int, int]) -> None:
    async with asyncio.timeout(5):
        while await counts(db, stored) != wanted:
            await asyncio.sleep(0.01)


async def test_what_is_recorded_is_committed_soon_without_a_flush(db: Database, stored: Stored, sink: StoreSink):
    assert sink_module.COMMIT_SECONDS <= 0.2  # the promise is 250 ms
    await sink.record(invoked(0))
    await sink.record(graded(stored, 0))
    assert await counts(db, stored) == (0, 0)
    await until(db, stored, (1, 1))
    await sink.record(invoked(1))
    await until(db, stored, (2, 1))


async def test_an_outcome_is_stored_before_its_slow_grading_ends(db: Database, stored: Stored, sink: StoreSink):
    await sink.record(invoked(0))
    await until(db, stored, (1, 0))
    async with db.read() as rx:
        [waiting] = await outcomes.ungraded(rx, stored.run.id)
        assert await outcomes.get(rx, waiting.execution_id) == answer("Answer 0")
    await sink.record(graded(stored, 0))
    await sink.flush()
    assert await counts(db, stored) == (1, 1)


async def test_a_result_of_an_execution_that_was_stored_before_belongs_to_it(db: Database, stored: Stored):
    first = StoreSink(db, stored.run.id, stored.version.id)
    await first.record(invoked(0))
    await first.flush()
    async with db.read() as rx:
        [waiting] = await outcomes.ungraded(rx, stored.run.id)
    second = StoreSink(db, stored.run.id, stored.version.id, {Place(0, 0): waiting.execution_id})
    await second.record(graded(stored, 0))
    await second.flush()
    async with db.read() as rx:
        assert await outcomes.graded(rx, stored.run.id) == [waiting]


async def test_flush_waits_until_all_is_committed(db: Database, stored: Stored, sink: StoreSink):
    for position in range(40):
        await sink.record(invoked(position))
        await sink.record(graded(stored, position))
    await sink.flush()
    assert await counts(db, stored) == (40, 40)
    await sink.flush()


async def test_a_flush_waits_for_a_commit_that_is_going_on(db: Database, stored: Stored, sink: StoreSink):
    async with db.transaction():
        await sink.record(invoked(0))
        await asyncio.sleep(sink_module.COMMIT_SECONDS + 0.02)  # its commit now waits for this transaction
        flushing = asyncio.create_task(sink.flush())
        await asyncio.sleep(0.02)
        assert not flushing.done()
    await flushing
    assert await counts(db, stored) == (1, 0)


async def test_too_many_that_are_open_are_waited_for(
    db: Database, stored: Stored, sink: StoreSink, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sink_module, "MOST_OPEN", 10)
    for position in range(9):
        await sink.record(invoked(position))
    assert await counts(db, stored) == (0, 0)
    await sink.record(invoked(9))
    assert await counts(db, stored) == (10, 0)


async def test_a_fault_surfaces_at_the_next_record_and_at_the_flush(db: Database, stored: Stored, sink: StoreSink):
    await fill_up(db)
    await sink.record(invoked(0, answer("x" * 100_000)))
    with pytest.raises(StoreUnavailable, match="is full"):
        async with asyncio.timeout(5):
            while True:
                await asyncio.sleep(0.01)
                await sink.record(invoked(1))
    with pytest.raises(StoreUnavailable, match="is full"):
        await sink.flush()


async def test_what_a_failed_commit_could_not_store_is_stored_by_the_flush(
    db: Database, stored: Stored, sink: StoreSink
):
    await fill_up(db)
    await sink.record(invoked(0, answer("x" * 100_000)))
    await sink.record(graded(stored, 0))
    await sink.record(invoked(1))
    await asyncio.sleep(sink_module.COMMIT_SECONDS + 0.05)
    assert await counts(db, stored) == (0, 0)
    await make_room(db)
    with pytest.raises(StoreUnavailable, match="is full"):
        await sink.flush()
    assert await counts(db, stored) == (2, 1)


async def test_a_cancel_amid_a_commit_loses_nothing(
    db: Database, stored: Stored, sink: StoreSink, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sink_module, "MOST_OPEN", 3)
    async with db.transaction():
        await sink.record(invoked(0))
        await sink.record(invoked(1))
        recording = asyncio.create_task(sink.record(invoked(2)))
        await asyncio.sleep(0.02)
        recording.cancel()
        await asyncio.gather(recording, return_exceptions=True)
    await sink.flush()
    assert await counts(db, stored) == (3, 0)


async def test_a_run_that_was_deleted_is_told(db: Database, stored: Stored, sink: StoreSink):
    async with db.transaction() as tx:
        await runs.delete(tx, stored.run.id)
    await sink.record(invoked(0))
    with pytest.raises(NotFound, match="was deleted"):
        await sink.flush()


async def test_any_exception_surfaces(db: Database, stored: Stored, sink: StoreSink, monkeypatch: pytest.MonkeyPatch):
    async def broken(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(results, "write", broken)
    await sink.record(invoked(0))
    with pytest.raises(ZeroDivisionError):
        await sink.flush()


async def test_recording_the_same_twice_changes_nothing(db: Database, stored: Stored):
    for _ in range(2):
        sink = StoreSink(db, stored.run.id, stored.version.id)
        await sink.record(invoked(0))
        await sink.record(graded(stored, 0))
        await sink.flush()
    assert await counts(db, stored) == (1, 1)


async def test_no_task_is_left_behind(db: Database, sink: StoreSink):
    await sink.record(invoked(0))
    await sink.flush()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize("at_once", [True, False])
async def test_what_others_sent_of_an_outcome_takes_its_place(
    db: Database, stored: Stored, sink: StoreSink, at_once: bool
):
    await sink.record(invoked(0))
    if not at_once:
        await until(db, stored, (1, 0))
    await sink.record(Completed(Place(0, 0), answer("with spans")))
    await sink.flush()
    async with db.read() as rx:
        [waiting] = await outcomes.ungraded(rx, stored.run.id)
        assert await outcomes.get(rx, waiting.execution_id) == answer("with spans")
    await sink.record(graded(stored, 0))
    await sink.flush()
    assert await counts(db, stored) == (1, 1)
