"""What one process shares while it answers calls of simulated tools: room for so many, and who writes which answer."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from aloi.core.errors import TooMany

AT_ONCE = 64
MOST_WAITING = 1_000
RETRY_SECONDS = 1.0


class Desk:
    """So many requests are answered at once, and some more wait for their turn."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self._room = asyncio.Semaphore(at_once)
        self._left = at_once + most_waiting
        self._writing = WeakValueDictionary[str, asyncio.Lock]()

    @asynccontextmanager
    async def place(self) -> AsyncGenerator[None]:
        """A place in the block, once there is one.

        Raises:
            TooMany: too many wait already.
        """
        if not self._left:
            raise TooMany("this server has its hands full of simulated tools; call again in a moment", RETRY_SECONDS)
        self._left -= 1
        try:
            async with self._room:
                yield
        finally:
            self._left += 1

    @asynccontextmanager
    async def away(self) -> AsyncGenerator[None]:
        """Leave one's place to others in the block, in which a model is waited for: however slow it is, fixed answers
        come at once. It still counts among those that wait."""
        self._room.release()
        try:
            yield
        finally:  # a place is taken back in any case, since whoever holds the block gives one up afterwards
            await asyncio.shield(self._room.acquire())

    def writing(self, key: str) -> asyncio.Lock:
        """The lock of who writes one answer: who wants the same meanwhile waits for it."""
        return self._writing.setdefault(key, asyncio.Lock())
