"""Following a run: its results as they are committed, how far it is, and its end."""

import asyncio
import time
from collections.abc import AsyncGenerator

from aloi.core.errors import NotSignedIn, StoreUnavailable
from aloi.service.accounts.access import authenticate
from aloi.service.context import Context
from aloi.service.process.feed import Feed

HEARTBEAT_SECONDS = 15.0
# Who is signed out, whose key was revoked or who is granted other targets, hears no more after this time.
LOOK_SECONDS = 5.0
HEARTBEAT = b": still here\n\n"
# How soon a browser comes back when the stream breaks off.
RETRY = b"retry: 1000\n\n"


async def follow(context: Context, run_id: str, seq: int, token: str) -> AsyncGenerator[bytes]:
    """The server-sent events of a run, each a `ResultEvent`, `LiveFigures` or, at the end, the `RunView`.

    Args:
        run_id: of a run that the caller may see.
        seq: the number of the last result that is known already; 0 begins with the first.
        token: what the caller is signed in by; the stream ends when it does not count any more, or for other targets.
    """
    yield RETRY
    told: bytes | None = None
    looked = time.monotonic()
    async with context.feeds.of(context.database, run_id) as feed:
        while not feed.closed:
            if time.monotonic() - looked >= LOOK_SECONDS:
                if not await _signed_in(context, token):
                    return
                looked = time.monotonic()
            changed, state = feed.changed, feed.state
            if state is not None:
                while seq < state.head:
                    events, last = await feed.chunk(seq)
                    if last == seq:  # they were deleted meanwhile
                        break
                    yield events
                    seq = last
                if state.progress != told:
                    told = state.progress
                    yield told
                if state.done is not None:
                    yield state.done
                    return
            if state is feed.state and not await _changes(feed, changed):
                yield HEARTBEAT


async def _changes(feed: Feed, changed: asyncio.Event) -> bool:
    """Wait for news; whether there are any before it is time for a sign of life."""
    if feed.closed:
        return True
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await changed.wait()
    except TimeoutError:
        return False
    return True


async def _signed_in(context: Context, token: str) -> bool:
    try:
        return (await authenticate(context, token)).targets == context.principal.targets
    except NotSignedIn:
        return False
    except StoreUnavailable:  # the feed sits it out too
        return True
