"""Time that passes only when somebody sleeps."""

import asyncio


class Waits:
    """A clock and its sleep; `slept` are the seconds of every sleep, in order."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, until)
