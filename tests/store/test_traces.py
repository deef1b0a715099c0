"""Spans that wait, and claims of them."""

import json
from datetime import timedelta

import pytest

from aloi.store import traces
from aloi.store.connection import Connection
from aloi.store.database import Database
from aloi.store.traces import Batch, Times
from tests.store.samples import NOW, new_id

FIRST, SECOND = "0a" * 16, "0b" * 16
IDLE, LATER = timedelta(seconds=5), timedelta(minutes=1)


def batch(trace_id: str, spans: int = 1, works: bool = True) -> Batch:
    return Batch(trace_id, json.dumps(["x"] * spans), spans, works)


async def receive(tx: Connection, *batches: Batch, after: int = 0, longest: int = 3600) -> int:
    at = NOW + timedelta(seconds=after)
    times = Times(at, at + IDLE, at + LATER, at - timedelta(seconds=longest))
    return await traces.receive(tx, batches, [new_id() for _ in batches], times)


async def due(tx: Connection, after: int) -> list[str]:
    """Which are due so many seconds later; they are not claimed for any time."""
    at = NOW + timedelta(seconds=after)
    return [found.trace_id for found in await traces.claim(tx, new_id(), at, at, 10, 10**9)]


async def test_a_trace_is_due_when_nothing_came_for_a_while(db: Database):
    async with db.transaction() as tx:
        await receive(tx, batch(FIRST))
        await receive(tx, batch(FIRST), after=3)
        assert (await due(tx, 7), await due(tx, 8)) == ([], [FIRST])


async def test_one_without_work_waits_longer_until_there_is_some(db: Database):
    async with db.transaction() as tx:
        await receive(tx, batch(FIRST, works=False), batch(SECOND, works=False))
        await receive(tx, batch(SECOND), after=1)
        await receive(tx, batch(SECOND, works=False), after=2)
        assert (await due(tx, 7), await due(tx, 59), await due(tx, 60)) == ([SECOND], [SECOND], [SECOND, FIRST])


async def test_one_that_never_rests_is_due_all_the_same(db: Database):
    async with db.transaction() as tx:
        for second in range(0, 20, 2):
            await receive(tx, batch(FIRST), after=second, longest=10)
        assert (await due(tx, 14), await due(tx, 15)) == ([], [FIRST])


async def test_what_is_claimed_is_nobody_elses_until_the_claim_ends(db: Database):
    async with db.transaction() as tx:
        await receive(tx, batch(FIRST), batch(SECOND))
        at, mine = NOW + timedelta(seconds=10), new_id()
        assert await traces.is_any_due(tx, at)
        assert len(await traces.claim(tx, mine, at, at + LATER, 1, 10**9)) == 1
        other = await traces.claim(tx, new_id(), at, at + LATER, 10, 10**9)
        assert len(other) == 1
        assert not await traces.is_any_due(tx, at)
        assert await traces.is_any_due(tx, at + LATER)
        assert len(await traces.still_claimed(tx, mine)) == 1


async def test_a_claim_takes_so_much_at_once_but_at_least_one(db: Database):
    async with db.transaction() as tx:
        await receive(tx, *(batch(f"{number:032x}", 100) for number in range(1, 6)))
        at = NOW + LATER
        assert len(await traces.claim(tx, new_id(), at, at, 10, 1200)) == 2
        assert len(await traces.claim(tx, new_id(), at, at, 10, 1)) == 1


async def test_what_is_put_off_is_due_again_later(db: Database):
    async with db.transaction() as tx:
        await receive(tx, batch(FIRST))
        at, mine = NOW + timedelta(seconds=10), new_id()
        await traces.claim(tx, mine, at, at + LATER, 1, 10**9)
        await traces.put_off(tx, mine, FIRST, at + timedelta(seconds=30))
        assert (await due(tx, 39), await due(tx, 40)) == ([], [FIRST])
        [found] = await traces.claim(tx, new_id(), at + LATER, at + LATER, 1, 10**9)
        assert found.tries == 1


async def test_too_many_spans_of_a_trace_are_left_out_and_others_are_not(db: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(traces, "MOST_SPANS", 5)
    async with db.transaction() as tx:
        assert await receive(tx, batch(FIRST, 5)) == 0
        assert await receive(tx, batch(FIRST, 2), batch(SECOND, 1)) == 2
        waiting = await traces.received(tx, [FIRST, SECOND])
        assert {trace_id: len(rows) for trace_id, rows in waiting.items()} == {FIRST: 1, SECOND: 1}
