"""How many cases are enough, asked before a run."""

import math

from aloi.core.errors import InvalidInput
from aloi.core.statistics.interval import Z, check_count, check_open_unit

_Z_POWER = 0.8416212335729143
"""The standard normal quantile at 0.8: plans are made for a power of 80 %."""


def cases_for_half_width(half_width: float, rate: float = 0.5) -> int:
    """Return the least number of cases whose Wilson interval at `rate` is at most `half_width` to either side.

    Args:
        half_width: half the width of the 95 % interval, strictly between 0 and 1 (0.1 = ten points).
        rate: the pass rate to expect, 0..1; 0.5 is the most demanding.

    Raises:
        InvalidInput: an argument is outside its range.
    """
    check_open_unit("half_width", half_width)
    if not 0 <= rate <= 1:
        raise InvalidInput(f"rate is {rate}: a pass rate lies between 0 and 1. Give e.g. 0.9.")
    enough = 1
    while _half_width(rate, enough) > half_width:
        enough *= 2
    too_few = enough // 2
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if _half_width(rate, middle) > half_width:
            too_few = middle
        else:
            enough = middle
    return enough


def cases_all_pass(lower_limit: float) -> int:
    """Return how many cases must all pass for the Wilson lower limit to reach `lower_limit`.

    With all n passing that limit is n/(n + z^2), so n is the least whole number of at least L z^2/(1 - L).

    Raises:
        InvalidInput: `lower_limit` is not strictly between 0 and 1.
    """
    check_open_unit("lower_limit", lower_limit)
    return max(1, math.ceil(lower_limit * Z * Z / (1 - lower_limit)))


def pairs_for_difference(delta: float, psi: float) -> int:
    """Return how many paired cases show a difference with a two-sided 5 % test at a power of 80 %.

    ceil((z_.975 sqrt(psi) + z_.8 sqrt(psi - delta^2))^2 / delta^2). Source: Connor 1987, Biometrics 43:207-211.

    Args:
        delta: the difference of pass rates to show, in (0, psi]; its sign does not matter.
        psi: the expected share of pairs whose verdict changes, in (0, 1].

    Raises:
        InvalidInput: `psi` is outside (0, 1], or `delta` is 0 or larger than `psi` (it cannot be: every point of
            difference is a changed verdict).
    """
    _check_psi(psi)
    if not 0 < abs(delta) <= psi:
        raise InvalidInput(f"delta is {delta}: a difference is above 0 and at most psi ({psi}). Give a smaller one.")
    return math.ceil(_pairs(abs(delta), psi))


def detectable_difference(n: int, psi: float) -> float | None:
    """Return the least difference that n paired cases show with a two-sided 5 % test at a power of 80 %.

    Connor's formula (see `pairs_for_difference`) solved for delta.

    Args:
        n: the number of pairs.
        psi: the expected share of pairs whose verdict changes, in (0, 1].

    Returns:
        The difference of pass rates, or None when even the largest, psi itself, needs more pairs.

    Raises:
        InvalidInput: `n` is negative, or `psi` is outside (0, 1].
    """
    check_count("n", n)
    _check_psi(psi)
    if _pairs(psi, psi) > n:
        return None
    power = _Z_POWER * _Z_POWER
    root = math.sqrt(power * psi * (n - Z * Z + power))
    return min((Z * math.sqrt(psi * n) + root) / (n + power), psi)


def _half_width(rate: float, cases: int) -> float:
    return Z / (1 + Z * Z / cases) * math.sqrt(rate * (1 - rate) / cases + Z * Z / (4 * cases * cases))


def _pairs(delta: float, psi: float) -> float:
    spread = Z * math.sqrt(psi) + _Z_POWER * math.sqrt(max(psi - delta * delta, 0.0))
    return (spread / delta) ** 2


def _check_psi(psi: float) -> None:
    if not 0 < psi <= 1:
        raise InvalidInput(f"psi is {psi}: the share of changed verdicts is above 0 and at most 1. Give e.g. 0.2.")
