"""Tango's score interval of a paired difference: another road to nearly the same place as Newcombe's method."""

import math

from aloi.core.statistics import Interval, Z


def tango_interval(a: int, b: int, c: int, d: int) -> Interval:
    """Return the interval of (b - c)/N by bisection. Source: Tango 1998, Statistics in Medicine 17:891-908."""
    pairs = a + b + c + d
    difference = (b - c) / pairs
    return Interval(
        _limit(b, c, pairs, difference, -1.0, Z) if difference > -1 else -1.0,
        _limit(b, c, pairs, difference, 1.0, -Z) if difference < 1 else 1.0,
    )


def _limit(b: int, c: int, pairs: int, inside: float, outside: float, bound: float) -> float:
    for _ in range(200):
        middle = (inside + outside) / 2
        if abs(_score(b, c, pairs, middle)) <= abs(bound):
            inside = middle
        else:
            outside = middle
    return inside


def _score(b: int, c: int, pairs: int, delta: float) -> float:
    linear = -b - c + (2 * pairs - b + c) * delta
    constant = -c * delta * (1 - delta)
    restricted = (math.sqrt(max(linear * linear - 8 * pairs * constant, 0.0)) - linear) / (4 * pairs)
    variance = pairs * (2 * restricted + delta * (1 - delta))
    excess = b - c - pairs * delta
    if variance <= 0:
        return 0.0 if excess == 0 else math.copysign(math.inf, excess)
    return excess / math.sqrt(variance)
