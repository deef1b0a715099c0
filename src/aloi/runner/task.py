"""What is to be done, and what comes back."""

from typing import NamedTuple

from aloi.core.case import Case
from aloi.core.outcome import Outcome
from aloi.core.result import CaseResult
from aloi.core.usage import NO_USAGE, Usage


class Place(NamedTuple):
    """Where a result belongs in a run: the case's position in its revision, and the trial."""

    position: int
    trial: int


class CaseTask(NamedTuple):
    """One trial of one case. `outcome` is set when the target was invoked already and only grading is left."""

    place: Place
    case: Case
    outcome: Outcome | None = None


class Invoked(NamedTuple):
    """The target answered, or failed to; sent before grading starts, so that it is never paid twice."""

    place: Place
    outcome: Outcome


class Completed(NamedTuple):
    """The outcome with what others sent of it, in the place of the one that was sent before.

    `added`: what it tells of usage that the one before did not.
    """

    place: Place
    outcome: Outcome
    added: Usage = NO_USAGE


class Graded(NamedTuple):
    """The result of the task."""

    place: Place
    result: CaseResult


CaseEvent = Invoked | Completed | Graded
