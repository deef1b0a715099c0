"""What one process grades at the moment. A rule whose judge hangs keeps its own places, and takes those of no other."""

import asyncio
from collections.abc import Coroutine

from aloi.service.process.intake import Intake

# Characters of the executions that are graded at once: in memory each takes some bytes more.
MOST_IN_HAND = 64_000_000


class Places:
    """Work that goes on, by the rule that it is for. `hand`: how much of executions is in memory for it."""

    def __init__(self) -> None:
        self.hand = Intake(MOST_IN_HAND)
        self._work: dict[asyncio.Task[None], str] = {}

    def taken(self, rule_id: str) -> int:
        """How much goes on for a rule."""
        return sum(one == rule_id for task, one in self._work.items() if not task.done())

    def take(self, rule_id: str, work: Coroutine[None, None, None]) -> None:
        """Set work off."""
        self._work[asyncio.create_task(work)] = rule_id

    async def freed(self, seconds: float) -> None:
        """Wait until some work is over, so many seconds at most; what it raised is raised here."""
        if not self._work:
            await asyncio.sleep(seconds)
            return
        over, _ = await asyncio.wait(self._work, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        faults = [task.exception() for task in over if not task.cancelled()]
        for task in over:
            del self._work[task]
        for fault in faults:
            if fault is not None:
                raise fault

    async def emptied(self) -> None:
        """Wait until all is over; the first fault is raised then."""
        faults: list[Exception] = []
        while self._work:
            try:
                await self.freed(60)
            except Exception as fault:
                faults.append(fault)
        if faults:
            raise faults[0]

    async def end(self) -> None:
        """Cancel what goes on, and wait until it has given back what it claimed."""
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        self._work.clear()
