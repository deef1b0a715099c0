"""One look for all who follow a run: what they share, and that nothing is kept for a slow one."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from aloi.service import runs
from aloi.service.context import Context
from aloi.service.process import feed as feeds
from aloi.service.process.feed import GONE, Feed
from aloi.store import result_feed
from aloi.store import runs as stored
from tests.service.started_runs import Gate, finished, prompts, save, start, until_passed


async def until(feed: Feed, condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await feed.changed.wait()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where results were read from, each time that they were."""
    monkeypatch.setattr(feeds, "LOOK_SECONDS", 0.01)
    at: list[int] = []
    after = result_feed.after

    async def counted(rx: object, run_id: str, seq: int, limit: int) -> object:
        at.append(seq)
        return await after(rx, run_id, seq, limit)  # pyright: ignore[reportArgumentType] - handed on as it came

    monkeypatch.setattr(result_feed, "after", counted)
    return at


async def test_followers_at_one_place_share_what_was_read(context: Context, reads: list[int]) -> None:
    await save(context, prompts(5))
    run = await finished(context, await start(context, Gate(5)))
    async with context.feeds.of(context.database, run.id) as one, context.feeds.of(context.database, run.id) as two:
        assert one is two
        chunks = await asyncio.gather(*(one.chunk(0) for _ in range(50)))
        assert reads == [0]
        assert len({id(chunk.events) for chunk in chunks}) == 1
        assert chunks[0].events.count(b"event: result\n") == 5
        assert chunks[0].last == 5
    assert context.feeds.open == 0


async def test_a_slow_follower_reads_on_from_where_it_is(
    context: Context, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "CHUNK", 2)
    monkeypatch.setattr(feeds, "CHUNKS_KEPT", 1)
    await save(context, prompts(6))
    run = await finished(context, await start(context, Gate(6)))
    async with context.feeds.of(context.database, run.id) as feed:
        for seq in (0, 2, 4):
            assert (await feed.chunk(seq)).last == seq + 2
        await feed.chunk(0)
    assert reads == [0, 2, 4, 0]


async def test_it_is_told_when_there_is_news_and_not_otherwise(context: Context, reads: list[int]) -> None:
    target = Gate(2)
    await save(context, prompts(3))
    run = await start(context, target, concurrency=1)
    async with context.feeds.of(context.database, run.id) as feed:
        await until(feed, lambda: feed.state is not None and feed.state.head == 2)
        state, changed = feed.state, feed.changed
        await asyncio.sleep(0.1)
        assert feed.state is state and not changed.is_set()
        await runs.cancel(context, run.id)
        await until(feed, lambda: feed.state is not None and feed.state.done is not None)
        assert feed.state is not None and feed.state.done is not None
        assert b'"status":"cancelled"' in feed.state.done


async def test_a_run_that_is_gone(context: Context, reads: list[int]) -> None:
    await save(context, prompts(2))
    run = await start(context, Gate(1), concurrency=1)
    await until_passed(context, run, 1)
    async with context.feeds.of(context.database, run.id) as feed:
        await until(feed, lambda: feed.state is not None)
        async with context.database.transaction() as tx:
            await stored.delete(tx, run.id)
        await until(feed, lambda: feed.state is not None and feed.state.done == GONE)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_closed_feeds_let_followers_go(context: Context, reads: list[int], when: str) -> None:
    await save(context, prompts(1))
    run = await start(context, Gate())
    close: Callable[[], Awaitable[None]] = context.feeds.close
    if when == "before":
        await close()
    async with context.feeds.of(context.database, run.id) as feed:
        if when == "after":
            changed = feed.changed
            await close()
            assert changed.is_set()
        assert feed.closed
