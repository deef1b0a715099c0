"""Whatever happens to a schedule in whatever order, it fires when a small model says, and once."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from aloi.core.schedule import FiringStatus
from aloi.service.context import Context
from aloi.service.scheduling import schedules
from aloi.service.scheduling.scheduler import fire_due
from aloi.settings import Settings
from tests.service.schedules_there import MINUTE, START, all_firings, scheduled

STEP = timedelta(seconds=20)
HORIZON = 600


class Rhythm(NamedTuple):
    """Every so many minutes, counted from the start, or from the full hour by a cron expression."""

    minutes: int
    by_cron: bool

    def recurrence(self) -> dict[str, Any]:
        """As it is written."""
        if self.by_cron:
            return {"kind": "cron", "expression": f"*/{self.minutes} * * * *"}
        return {"kind": "every", "n": self.minutes, "unit": "minutes"}

    def fires_at(self, moment: datetime) -> bool:
        """Whether a full minute is one of its times."""
        counted = moment.minute if self.by_cron else (moment - START) // MINUTE
        return moment >= START and counted % self.minutes == 0


@dataclass
class Model:
    """What should be: `since` is the moment up to which everything is done with, `log` what has fired."""

    rhythm: Rhythm
    now: datetime = START - MINUTE
    since: datetime = START - MINUTE
    paused: bool = False
    going_on: bool = False
    log: list[tuple[datetime, datetime, FiringStatus]] = field(default_factory=list[Any])

    def next(self) -> datetime | None:
        """The first of its times behind `since`, minute by minute."""
        if self.paused:
            return None
        first = self.since.replace(second=0)
        minutes = (first + number * MINUTE for number in range(HORIZON))
        return next(moment for moment in minutes if moment > self.since and self.rhythm.fires_at(moment))

    def look(self) -> None:
        """A server looks whether it is due."""
        due = self.next()
        if due is None or due > self.now:
            return
        self.log.append((due, self.now, FiringStatus.SKIPPED if self.going_on else FiringStatus.STARTED))
        self.going_on = True
        self.since = self.now


class World:
    """Two servers over one database, a schedule whose runs go on until they are told to end, and the model of it."""

    def __init__(self, contexts: list[Context], rhythm: Rhythm) -> None:
        self.contexts = contexts
        self.model = Model(rhythm)
        self.may_end = asyncio.Event()

    async def target(self, _: object) -> str:
        """Answers when it may."""
        await self.may_end.wait()
        return "ok"

    async def wait(self, steps: int) -> None:
        """Time goes by and no server runs."""
        self.model.now += steps * STEP

    async def look(self, servers: int) -> None:
        """One server or the other looks, or both at once."""
        looking = [self.contexts[servers]] if servers < len(self.contexts) else self.contexts
        await asyncio.gather(*(fire_due(context, self.model.now) for context in looking))
        self.model.look()

    async def serve(self, minutes: int) -> None:
        """Time goes by while both servers run."""
        for _ in range(minutes + 1):
            await self.wait(3)
            await self.look(len(self.contexts))

    async def end(self, _: int) -> None:
        """The run that is going on comes to its end."""
        self.may_end.set()
        await asyncio.gather(*(task for context in self.contexts for task in context.work.values()))
        self.may_end.clear()
        self.model.going_on = False

    async def pause(self, server: int) -> None:
        """Somebody pauses it."""
        await schedules.pause(self.contexts[server % 2], "nightly", self.model.now)
        self.model.paused = True

    async def resume(self, server: int) -> None:
        """Somebody resumes it."""
        await schedules.resume(self.contexts[server % 2], "nightly", self.model.now)
        if self.model.paused:
            self.model.paused, self.model.since = False, max(self.model.since, self.model.now)

    async def edit(self, minutes: int) -> None:
        """Somebody gives it another rhythm, or the same again."""
        rhythm = Rhythm(minutes + 1, not self.model.rhythm.by_cron if minutes == 2 else self.model.rhythm.by_cron)
        changes = {"recurrence": rhythm.recurrence()}
        await schedules.update(self.contexts[0], "nightly", changes, at=self.model.now)
        if rhythm != self.model.rhythm:
            self.model.rhythm, self.model.since = rhythm, max(self.model.since, self.model.now)

    async def check(self) -> None:
        """The schedule is what the model says."""
        found = await schedules.get(self.contexts[0], "nightly")
        firings = await all_firings(self.contexts[0])
        assert [(firing.due_at, firing.fired_at, firing.status) for firing in firings] == self.model.log
        assert (found.next_at, found.paused) == (self.model.next(), self.model.paused)
        assert found.last == (firings[-1] if firings else None)


Do = Callable[[World, int], Awaitable[None]]
OFTEN: list[Do] = [World.serve, World.wait, World.look, World.end]
DEEDS = [*OFTEN * 2, World.pause, World.resume, World.resume, World.edit]
HISTORIES = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 12)), min_size=12, max_size=30)


def bounded(deed: Do, number: int) -> int:
    """A number that makes sense for a deed: which server, how many minutes or steps."""
    return number if deed is World.wait else number % 3


@given(rhythm=st.builds(Rhythm, st.integers(1, 3), st.booleans()), history=HISTORIES)
@settings(max_examples=25)
def test_histories(rhythm: Rhythm, history: list[tuple[Do, int]]) -> None:
    asyncio.run(lived(rhythm, history))


async def lived(rhythm: Rhythm, history: list[tuple[Do, int]]) -> None:
    """One history, looked at after each deed."""
    with tempfile.TemporaryDirectory() as home:
        contexts = [await Context.open(Settings(home=Path(home)), {}, served=True) for _ in range(2)]
        contexts[1].in_memory = contexts[0].in_memory
        try:
            world = World(contexts, rhythm)
            await scheduled(contexts[0], world.target, recurrence=rhythm.recurrence())
            for deed, number in history:
                await deed(world, bounded(deed, number))
                await world.check()
        finally:
            for context in contexts:
                await context.close()
