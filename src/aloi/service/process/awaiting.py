"""What cases of this process wait for: one look at the database for all of their traces, ten times a second."""

import asyncio
import logging
from collections.abc import Generator
from contextlib import contextmanager
from itertools import groupby

from aloi.core.errors import StoreUnavailable
from aloi.store import traces
from aloi.store.database import Database

LOOK_SECONDS = 0.1
log = logging.getLogger("aloi.service")


class Watch:
    """One trace that is waited for. It comes to rest when something came of it, and then nothing for a while."""

    def __init__(self, database: Database, workspace_id: str, trace_id: str, idle: float) -> None:
        self.database = database
        self.workspace_id = workspace_id
        self.trace_id = trace_id
        self._idle = idle
        self._count = 0
        self._changed_at = 0.0
        self._rests = asyncio.Event()

    def saw(self, count: int, at: float) -> None:
        """So many spans came until now; `at` by the clock of the event loop."""
        if count != self._count:
            self._count, self._changed_at = count, at
        elif self._changed_at and at - self._changed_at >= self._idle:
            self._changed_at = 0.0  # said once, until something comes again
            self._rests.set()

    async def came_to_rest(self, seconds: float) -> bool:
        """Whether, within so many seconds, something came since it was asked last, and then nothing for a while."""
        try:
            async with asyncio.timeout(seconds):
                await self._rests.wait()
        except TimeoutError:
            return False
        self._rests.clear()
        return True


class Awaited:
    """The traces that are waited for. `looks` counts how often the database was looked at."""

    def __init__(self) -> None:
        self.looks = 0
        self._watches: list[Watch] = []
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def watching(self, watch: Watch) -> Generator[Watch]:
        """Look after a trace while the block goes on."""
        self._watches.append(watch)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look_after())
        try:
            yield watch
        finally:
            self._watches.remove(watch)

    async def _look_after(self) -> None:
        while self._watches:
            try:
                await self._look()
            except StoreUnavailable as error:
                log.warning("spans that cases wait for cannot be looked for now: %s", error)
            except Exception:  # whatever it was, the next look may go well
                log.exception("spans that cases wait for could not be looked for")
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        ordered = sorted(self._watches, key=lambda watch: watch.workspace_id)
        for _, group in groupby(ordered, key=lambda watch: watch.workspace_id):
            watches = list(group)
            self.looks += 1
            async with watches[0].database.read() as rx:
                counts = await traces.counts(rx, [watch.trace_id for watch in watches])
            at = asyncio.get_running_loop().time()
            for watch in watches:
                watch.saw(sum(counts.get(watch.trace_id, ())), at)
