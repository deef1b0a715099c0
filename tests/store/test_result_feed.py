"""The results of a run as they come in."""

from aloi.core.score import Verdict
from aloi.store import result_feed, results
from aloi.store.database import Database
from tests.store.samples import Stored, a_run

PASS, FAIL, ERROR = Verdict.PASS, Verdict.FAIL, Verdict.ERROR


async def feed(db: Database, stored: Stored, seq: int = 0, limit: int = 200) -> list[tuple[int, int, Verdict]]:
    async with db.read() as rx:
        entries = await result_feed.after(rx, stored.run.id, seq, limit)
    return [(entry.seq, entry.position, entry.row.verdict) for entry in entries]


async def commit(db: Database, stored: Stored, *places: tuple[int, Verdict]) -> None:
    async with db.transaction() as tx:
        graded = [stored.graded(position, verdict=verdict) for position, verdict in places]
        await results.write(tx, stored.run.id, [stored.invoked(position) for position, _ in places], graded)


async def test_results_come_in_the_order_of_their_commits(db: Database):
    stored, other = await a_run(db), await a_run(db)
    await commit(db, stored, (2, PASS))
    await commit(db, other, (0, PASS))
    await commit(db, stored, (1, FAIL), (0, ERROR))
    assert await feed(db, stored) == [(1, 2, PASS), (2, 1, FAIL), (3, 0, ERROR)]
    assert await feed(db, stored, seq=1, limit=1) == [(2, 1, FAIL)]
    assert await feed(db, stored, seq=3) == []
    assert await feed(db, other) == [(1, 0, PASS)]
    async with db.read() as rx:
        assert await result_feed.last_seq(rx, stored.run.id) == 3


async def test_an_entry_has_the_figures(db: Database):
    stored = await a_run(db)
    await commit(db, stored, (1, FAIL))
    async with db.read() as rx:
        [entry] = await result_feed.after(rx, stored.run.id, 0)
    expected = stored.result(1, verdict=FAIL).row()
    assert entry.row.model_copy(update={"case_hash": ""}) == expected and len(entry.row.case_hash) == 64


async def test_a_result_that_is_replaced_comes_again(db: Database):
    stored = await a_run(db)
    await commit(db, stored, (0, PASS), (1, PASS))
    await commit(db, stored, (0, FAIL))
    assert await feed(db, stored, seq=2) == [(3, 0, FAIL)]
    assert await feed(db, stored) == [(2, 1, PASS), (3, 0, FAIL)]


async def test_what_is_carried_over_comes_first_in_the_order_of_its_places(db: Database):
    first = await a_run(db)
    await commit(db, first, (2, PASS), (0, PASS), (1, ERROR))
    retry = await a_run(db, parent=first)
    async with db.transaction() as tx:
        await results.carry(tx, first.run.id, retry.run.id, {PASS})
    await commit(db, retry, (1, FAIL))
    assert await feed(db, retry) == [(1, 0, PASS), (2, 2, PASS), (3, 1, FAIL)]


async def test_a_run_without_results_has_an_empty_feed(db: Database):
    stored = await a_run(db)
    assert await feed(db, stored) == []
    async with db.read() as rx:
        assert await result_feed.last_seq(rx, stored.run.id) == 0
