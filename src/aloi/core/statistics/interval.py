"""What an interval is, the score interval that every pass rate shares, and the checks of arguments."""

import math
from typing import NamedTuple

from aloi.core.errors import InvalidInput

Z = 1.959963984540054
"""The standard normal quantile at 0.975: all intervals are 95 % intervals unless a call says otherwise."""


class Interval(NamedTuple):
    """A confidence interval, both ends included, in the unit of the figure it belongs to."""

    low: float
    high: float


WHOLE = Interval(0.0, 1.0)
"""All that can be said of a rate when nothing was decided."""


def score_interval(rate: float, size: float, variance: float, z: float = Z) -> Interval:
    """Return every true rate t in [0, 1] for which (rate - t)^2 <= z^2 (t(1 - t)/size + variance).

    With `variance` 0 this is the score interval of Wilson (1927, JASA 22:209-212). A larger variance never narrows it.

    Args:
        rate: the observed rate, 0..1.
        size: the number of decided cases, or an effective number; it need not be whole. 0 gives (0, 1).
        variance: a variance of the rate beyond the sampling of cases, e.g. that of re-judging the same outputs.
        z: the normal quantile of the level.
    """
    if size == 0:
        return WHOLE
    stretch = 1 + z * z / size
    centre = (rate + z * z / (2 * size)) / stretch
    half = z / stretch * math.sqrt(rate * (1 - rate) / size + z * z / (4 * size * size) + variance * stretch)
    # The rate is inside by algebra, and so are 0 and 1 when they are the rate; rounding must not push them out.
    return Interval(min(rate, max(0.0, centre - half)), max(rate, min(1.0, centre + half)))


def check_count(name: str, value: int) -> None:
    """Raise `InvalidInput` unless `value` is 0 or more."""
    if not value >= 0:
        raise InvalidInput(f"{name} is {value}: a count cannot be negative. Give 0 or more.")


def check_part(name: str, part: int, whole_name: str, whole: int) -> None:
    """Raise `InvalidInput` unless 0 <= `part` <= `whole`."""
    check_count(whole_name, whole)
    if not 0 <= part <= whole:
        raise InvalidInput(f"{name} is {part}: it counts some of {whole_name} ({whole}). Give 0 to {whole}.")


def check_variance(name: str, value: float) -> None:
    """Raise `InvalidInput` unless `value` is finite and 0 or more."""
    if not (value >= 0 and math.isfinite(value)):
        raise InvalidInput(f"{name} is {value}: a variance is a finite number, 0 or more. Give such a number.")


def check_finite(name: str, values: list[float]) -> None:
    """Raise `InvalidInput` when one of the values is NaN or infinite."""
    for position, value in enumerate(values):
        if not math.isfinite(value):
            raise InvalidInput(f"{name}[{position}] is {value}: only finite numbers have a mean. Leave it out.")


def check_open_unit(name: str, value: float) -> None:
    """Raise `InvalidInput` unless 0 < `value` < 1."""
    if not 0 < value < 1:
        raise InvalidInput(f"{name} is {value}: it lies strictly between 0 and 1. Give e.g. 0.9.")
