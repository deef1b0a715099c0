"""Two runs on the same cases: is B better than A, and by how much."""

import math
from typing import NamedTuple

from aloi.core.statistics.distribution import binomial_half
from aloi.core.statistics.interval import Interval, Z, check_count, check_variance
from aloi.core.statistics.proportion import wilson_interval

_LEAST_P = math.ulp(0.0)


class McNemar(NamedTuple):
    """Two-sided p-values of no difference, both in (0, 1]: the exact one, and mid-p, which is less conservative."""

    exact: float
    mid_p: float


def mcnemar(b: int, c: int) -> McNemar:
    """Return McNemar's test on the changed verdicts.

    exact = 2 P(Bin(b+c, 1/2) <= min(b, c)), at most 1; mid_p = exact - P(= min(b, c)); both 1 when nothing changed.
    Source: Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91. A mid-p of .05 needs at least
    five changes, all one way. A p-value too small for a float is the smallest float above 0.

    Args:
        b: pairs where only B passes.
        c: pairs where only A passes.

    Raises:
        InvalidInput: a count is negative.
    """
    check_count("b", b)
    check_count("c", c)
    if b + c == 0:
        return McNemar(1.0, 1.0)
    tail, point = binomial_half(min(b, c), b + c)
    exact = min(1.0, 2 * tail)
    return McNemar(max(exact, _LEAST_P), max(exact - point, _LEAST_P))


def paired_difference(a: int, b: int, c: int, d: int, extra_variance: float = 0.0) -> Interval:
    """Return the 95 % interval of the difference of pass rates p_B - p_A = (b - c)/N, inside [-1, 1].

    Method 10 of Newcombe 1998, Statistics in Medicine 17:2635-2650 (Wilson limits and the corrected phi), with
    z^2 `extra_variance` under each root; that term is our own: it never narrows the interval.

    Args:
        a: pairs where both pass.
        b: pairs where only B passes.
        c: pairs where only A passes.
        d: pairs where neither passes.
        extra_variance: the judge noise of the two rates, v_A + v_B, each a sum of `judge_variance` over N^2.

    Returns:
        The interval; (-1, 1) when there is no pair.

    Raises:
        InvalidInput: a count is negative, or the variance is negative or not finite.
    """
    for name, value in (("a", a), ("b", b), ("c", c), ("d", d)):
        check_count(name, value)
    check_variance("extra_variance", extra_variance)
    pairs = a + b + c + d
    if pairs == 0:
        return Interval(-1.0, 1.0)
    rate_b, rate_a = (a + b) / pairs, (a + c) / pairs
    low_b, high_b = wilson_interval(a + b, pairs)
    low_a, high_a = wilson_interval(a + c, pairs)
    phi = _corrected_phi(a, b, c, d)
    noise = Z * Z * extra_variance
    difference = (b - c) / pairs
    down = _distance(rate_b - low_b, high_a - rate_a, phi, noise)
    up = _distance(rate_a - low_a, high_b - rate_b, phi, noise)
    return Interval(max(-1.0, difference - down), min(1.0, difference + up))


def _corrected_phi(a: int, b: int, c: int, d: int) -> float:
    """The correlation of the two verdicts, a positive one drawn towards 0; 0 when a margin is empty."""
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if margins == 0:
        return 0.0
    cross = a * d - b * c
    if cross > 0:
        cross = max(cross - (a + b + c + d) / 2, 0)
    return cross / math.sqrt(margins)


def _distance(first: float, second: float, phi: float, noise: float) -> float:
    return math.sqrt(max(first * first - 2 * phi * first * second + second * second, 0.0) + noise)
