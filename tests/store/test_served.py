"""Sessions of served tools and their calls, on both databases."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from aloi.core.served import ServedCall, ServedSession
from aloi.service.clock import new_id
from aloi.store import served
from aloi.store.database import Database
from tests.store.backends import BACKENDS, fresh, open_database

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LATER = NOW + timedelta(seconds=10)
TOKEN, OTHER = b"1" * 32, b"2" * 32


@pytest.fixture(params=BACKENDS)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    async with fresh(request, tmp_path) as address:
        opened = await open_database(address)
        yield opened
        await opened.close()


def call(tool: str = "a", **more: object) -> ServedCall:
    return ServedCall.model_validate(
        {"tool": tool, "arguments": {"x": "é\x00"}, "provenance": "static", "start_ns": 2**60, **more}
    )


SESSION = ServedSession(scope=new_id(), workspace_id=new_id(), tools=())


async def test_a_session_until_its_time_is_over(database: Database) -> None:
    async with database.transaction() as tx:
        await served.begin(tx, TOKEN, SESSION, LATER)
    async with database.in_workspace(new_id()).read() as rx:  # known by its token alone
        assert await served.session(rx, TOKEN, NOW) == SESSION
        assert await served.session(rx, OTHER, NOW) is None
        assert await served.session(rx, TOKEN, LATER) is None
    async with database.transaction() as tx:
        assert await served.hold(tx, TOKEN, NOW)
        assert not await served.hold(tx, TOKEN, LATER)
        await served.sweep(tx, LATER - timedelta(microseconds=1))
        assert await served.session(tx, TOKEN, NOW) == SESSION
        await served.sweep(tx, LATER)
        assert await served.session(tx, TOKEN, NOW) is None


async def test_calls_are_kept_in_order_and_go_with_their_session(database: Database) -> None:
    first, second = call(), call("b", output=[1, "ü"], end_ns=2**60 + 1)
    async with database.transaction() as tx:
        await served.begin(tx, TOKEN, SESSION, LATER)
        await served.begin(tx, OTHER, SESSION, LATER)
        assert await served.counts(tx, TOKEN, "a", "k") == (0, 0)
        await served.add(tx, TOKEN, 0, first, "k")
        await served.add(tx, TOKEN, 1, second, "k")
        await served.add(tx, OTHER, 0, second, "k")
        assert await served.counts(tx, TOKEN, "a", "k") == (2, 1)
        assert await served.counts(tx, TOKEN, "a", "other") == (2, 0)
        assert await served.size(tx, TOKEN) > await served.size(tx, OTHER) > 0
    ended = first.model_copy(update={"output": 7, "end_ns": 2**60 + 5})
    async with database.transaction() as tx:
        assert await served.change(tx, TOKEN, 0, ended)
        assert await served.end(tx, TOKEN) == (ended, second)
        assert not await served.change(tx, TOKEN, 0, ended)
        assert await served.calls(tx, TOKEN) == ()
        assert await served.end(tx, TOKEN) == ()
        assert await served.calls(tx, OTHER) == (second,)


async def test_calls_at_once_get_numbers_of_their_own(database: Database) -> None:
    async with database.transaction() as tx:
        await served.begin(tx, TOKEN, SESSION, LATER)

    async def add() -> int:
        async with database.transaction() as tx:
            assert await served.hold(tx, TOKEN, NOW)
            total, turn = await served.counts(tx, TOKEN, "a", "k")
            await asyncio.sleep(0)
            await served.add(tx, TOKEN, total, call(), "k")
            return turn

    assert sorted(await asyncio.gather(*[add() for _ in range(12)])) == list(range(12))


async def test_the_first_answer_stands(database: Database) -> None:
    scope, key = new_id(), b"3" * 32
    async with database.transaction() as tx:
        assert await served.answer(tx, scope, key) is None
        assert await served.keep(tx, scope, key, {"a": "ü"}, LATER) == '{"a":"ü"}'
        assert await served.keep(tx, scope, key, "late", LATER) == '{"a":"ü"}'
        assert await served.answer(tx, new_id(), key) is None
        await served.sweep(tx, LATER)
        assert await served.answer(tx, scope, key) is None
