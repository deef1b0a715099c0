"""What breaks around one firing: it is told as well as can be, and holds up no other schedule."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.schedule import FiringStatus, Schedule
from aloi.service.context import Context
from aloi.service.scheduling import scheduler, schedules
from aloi.service.scheduling.scheduler import fire_due
from aloi.settings import Settings
from aloi.store import schedules as stored
from aloi.store.connection import Connection
from tests.service.schedules_there import EVERY_MINUTE, MINUTE, START, fields_of, fire, scheduled


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[Context]:
    """A server's context."""
    opened = await Context.open(Settings(home=tmp_path), {}, served=True)
    yield opened
    await opened.close()


@pytest.mark.parametrize("recurrence", [EVERY_MINUTE, {"kind": "every", "n": 1, "unit": "days"}])
async def test_a_schedule_in_a_zone_that_is_gone_can_still_be_read(context: Context, recurrence: Any) -> None:
    await scheduled(context, recurrence=recurrence)
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE schedules SET zone = 'Mars/Olympus'")
    assert (await schedules.get(context, "nightly")).words.endswith("Mars/Olympus")
    assert (await fire(context, START)).status is FiringStatus.FAILED


@pytest.mark.parametrize("said", ["\x00 and the rest", "\ud83d and the rest"])
async def test_a_reason_may_quote_anything(context: Context, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    def breaks(*_: object) -> None:
        raise ValueError(said)

    monkeypatch.setattr(scheduler, "live_target", breaks)
    await scheduled(context)
    firing = await fire(context, START)
    assert firing.reason is not None and firing.reason.endswith(" and the rest")


async def test_one_that_cannot_even_be_told_of_holds_up_no_other(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scheduled(context)
    await schedules.create(context, fields_of("another"), START - 2 * MINUTE)
    get = stored.get

    async def breaks(rx: Connection, ref: str) -> Schedule:
        schedule = await get(rx, ref)
        if schedule.name == "nightly":
            raise ValueError("a row that cannot be read")
        return schedule

    monkeypatch.setattr(stored, "get", breaks)
    [firing] = await fire_due(context, START)
    assert firing.status is FiringStatus.STARTED
