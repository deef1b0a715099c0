"""How many requests may be on their way to one endpoint: less when it says "too many", more again when it is well.

Additive increase, multiplicative decrease, as TCP does it (Chiu and Jain 1989): a 429 halves the number that may be
under way, each success adds a little, so that a full round of successes adds one.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

CEILING = 1000


class Limiter:
    """The pace of one endpoint, shared by all that talk to it in this process. Places are given in order of asking.

    Args:
        ceiling: most requests at once, however well the endpoint is.
        clock: seconds that only grow.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        ceiling: int = CEILING,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._ceiling = ceiling
        self._clock = clock
        self._sleep = sleep
        self._limit = float(ceiling)
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._resume_at: float | None = None
        self._round = 0

    @property
    def limit(self) -> int:
        """How many requests may be under way now."""
        return int(self._limit)

    @property
    def in_flight(self) -> int:
        """How many places are taken."""
        return self._in_flight

    async def enter(self) -> int:
        """Take a place, waiting for one and for the end of a pause. Give it back with `leave`.

        Returns:
            The round: how often the pace had been lowered when the request set out. `throttled` wants it.
        """
        if self._waiting or self._in_flight >= self.limit:
            await self._queue()
        else:
            self._in_flight += 1
        if self._resume_at is not None:
            await self._pause()
        return self._round

    def leave(self) -> None:
        """Give a place back."""
        self._in_flight -= 1
        self._wake()

    def succeeded(self) -> None:
        """A request went well: a little more is allowed."""
        if self._limit < self._ceiling:
            self._limit = min(self._ceiling, self._limit + 1 / self._limit)
            self._wake()

    def throttled(self, sent_in: int, seconds: float) -> bool:
        """A request that set out in round `sent_in` was told "too many": nobody sets out for so many seconds, then half
        as many. Requests of one round lower the pace once. Call it before `leave`.

        Returns:
            Whether the request set out at a higher pace than is now allowed, so that the same request may well pass
            next time. False when it was alone already.
        """
        self._resume_at = max(self._resume_at or 0.0, self._clock() + seconds)
        if sent_in < self._round:
            return True
        if self._in_flight <= 1:
            self._limit = 1.0
            return False
        self._limit = max(1.0, float(min(self._in_flight, self.limit) // 2))
        self._round += 1
        return True

    async def _queue(self) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                with suppress(ValueError):  # `_wake` may have thrown it out already
                    self._waiting.remove(turn)
            else:
                self.leave()  # the place came in the very moment of the cancellation
            raise

    async def _pause(self) -> None:
        """Sleep off a pause while holding the place, so that no more than `limit` set out when it ends."""
        try:
            while self._resume_at is not None and (seconds := self._resume_at - self._clock()) > 0:
                await self._sleep(seconds)
        except BaseException:
            self.leave()
            raise
        self._resume_at = None

    def _wake(self) -> None:
        while self._waiting and self._in_flight < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self._in_flight += 1
                turn.set_result(None)
