"""The tasks of a run: its revision's cases times its trials, minus what is done."""

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Container
from typing import NamedTuple

from aloi.core.case import Case
from aloi.core.outcome import Outcome
from aloi.runner.task import CaseTask, Place


class PlacedCase(NamedTuple):
    """A case with its position in the revision."""

    position: int
    case: Case


OutcomeOf = Callable[[Place], Awaitable[Outcome | None]]


async def nothing_stored(place: Place) -> Outcome | None:
    """For a run that starts: no outcome was stored."""
    return None


async def plan(
    cases: AsyncIterable[PlacedCase],
    trials: int,
    done: Container[Place] = frozenset(),
    outcome_of: OutcomeOf = nothing_stored,
) -> AsyncIterator[CaseTask]:
    """Give the tasks in order, one at a time, so that no more cases are in memory than are being worked on.

    Args:
        done: places that have a result.
        outcome_of: the outcome that was stored but never graded, if there is one; it is graded without invoking.
    """
    async for position, case in cases:
        for trial in range(trials):
            place = Place(position, trial)
            if place not in done:
                yield CaseTask(place, case, await outcome_of(place))
