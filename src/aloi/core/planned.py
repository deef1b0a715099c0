"""How many more cases would narrow a run's interval."""

from collections.abc import Iterable
from typing import Literal

from aloi.core.run_view import RunView
from aloi.core.spec import Value
from aloi.core.statistics import cases_for_half_width

HALF_WIDTHS = (0.2, 0.15, 0.1, 0.05)
# The rate that asks for the most cases, for a run that decided nothing.
UNKNOWN_RATE = 0.5

LeftOut = Literal["judge_noise", "trials"]


class PlannedWidth(Value):
    """The cases for an interval of `half_width` (a share: 0.1 is ten points) to either side.

    `cases`: decided cases in all. `more`: how many more than the run has; 0 where it has enough.
    """

    half_width: float
    cases: int
    more: int


class Planning(Value):
    """How many more cases would narrow a run's interval, were they to pass at the run's own rate.

    `rate`: the rate that is reckoned with, 0.5 where nothing is decided (`assumed`). `decided`: the cases that the run
    decided. `half_width`: half of its interval as it is now. `left_out`: what the numbers do not know of. Judge noise
    is such: only with a steadier judge do so many cases suffice. Trials are such: repeated cases may need fewer.
    """

    run_id: str
    rate: float
    assumed: bool
    decided: int
    half_width: float
    left_out: tuple[LeftOut, ...]
    widths: tuple[PlannedWidth, ...]


def plan(run: RunView, half_widths: Iterable[float] = HALF_WIDTHS) -> Planning:
    """Reckon with the run's rate so far, for each of these half-widths (shares, strictly between 0 and 1).

    Source: statistics.md 2, "Planning": the least n whose Wilson interval at the rate is at most so wide.

    Raises:
        InvalidInput: a half-width is outside its range.
    """
    rate = UNKNOWN_RATE if run.rate is None else run.rate
    decided = _decided(run)
    return Planning(
        run_id=run.id,
        rate=rate,
        assumed=run.rate is None,
        decided=decided,
        half_width=(run.interval.high - run.interval.low) / 2,
        left_out=_left_out(run),
        widths=tuple(_planned(width, rate, decided) for width in half_widths),
    )


def _planned(half_width: float, rate: float, decided: int) -> PlannedWidth:
    needed = cases_for_half_width(half_width, rate)
    return PlannedWidth(half_width=half_width, cases=needed, more=max(0, needed - decided))


def _decided(run: RunView) -> int:
    """Decided cases; with several trials, the cases: their trials are not independent."""
    if run.summary is not None and run.summary.trials > 1:
        return run.summary.cases
    return run.progress.passed + run.progress.failed


def _left_out(run: RunView) -> tuple[LeftOut, ...]:
    if run.summary is None:
        return ()
    noise: tuple[LeftOut, ...] = ("judge_noise",) if run.summary.judge_noise else ()
    return (*noise, "trials") if run.summary.trials > 1 else noise
