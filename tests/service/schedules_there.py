"""Shortcuts for tests of schedules: time is an argument, the target a function, the dataset small."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from aloi.core.run import Run
from aloi.core.schedule import Firing, FiringStatus, Schedule
from aloi.service import runs, targets
from aloi.service.context import Context
from aloi.service.scheduling import schedules
from aloi.service.scheduling.scheduler import fire_due
from aloi.targets.python import Python
from tests.service.started_runs import prompts, save

START = datetime(2026, 3, 27, 7, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
EVERY_MINUTE = {"kind": "every", "n": 1, "unit": "minutes"}


def answer_ok(_: object) -> str:
    """A target whose every case passes."""
    return "ok"


class Answers:
    """A target that answers as it is told: by the prompt, `ok` where nothing is said; `down` raises."""

    def __init__(self) -> None:
        self.said: dict[str, str] = {}

    def __call__(self, given: Any) -> str:
        """The answer."""
        said = self.said.get(given, "ok")
        if said == "down":
            raise RuntimeError("it is down")
        return said

    def say(self, **numbers: int) -> None:
        """Answer the first so many prompts with `down`, the next with `no`."""
        words = [word for word, number in numbers.items() for _ in range(number)]
        self.said = {f"prompt {place}": word for place, word in enumerate(words)}


async def scheduled(
    context: Context, target: Callable[..., Any] = answer_ok, cases: int = 1, name: str = "nightly", **fields: Any
) -> Schedule:
    """A schedule that fires every minute from 2026-03-27 07:00 UTC on, made a minute before."""
    await save(context, prompts(cases))
    await targets.save(context, "target", Python.of(target))
    return await schedules.create(context, fields_of(name, **fields), START - MINUTE)


def fields_of(name: str = "nightly", **fields: Any) -> dict[str, Any]:
    """What a schedule is made from."""
    plain = {"name": name, "target_id": "target", "dataset_id": "data", "start": START, "recurrence": EVERY_MINUTE}
    return {**plain, **fields}


async def fire(context: Context, at: datetime) -> Firing:
    """The one firing of a moment; its run is finished."""
    [firing] = await fire_due(context, at)
    if firing.run_id is not None:
        await runs.wait(context, firing.run_id, 10)
    return firing


async def all_firings(context: Context, ref: str = "nightly") -> Sequence[Firing]:
    """All firings of a schedule, the first one first."""
    found: list[Firing] = []
    number, pages = 1, 1
    while number <= pages:
        page = await schedules.firings_of(context, ref, number, 200)
        found += page.items
        number, pages = number + 1, page.pages
    return found[::-1]


async def run_of(context: Context, firing: Firing) -> Run:
    """The run that a firing started."""
    assert firing.status is FiringStatus.STARTED and firing.run_id is not None
    return await runs.get(context, firing.run_id)
