"""Student's t and the binomial with one half, to about 1e-12, without a numerical library."""

import math
import sys

from aloi.core.errors import InvalidInput
from aloi.core.statistics.interval import check_open_unit, check_part

_TINY = sys.float_info.min
_EPSILON = sys.float_info.epsilon
_EXACT_UP_TO = 1000
"""Binomials of at most this many draws are summed in whole numbers; larger ones in floating point."""


def student_t_two_sided(t: float, df: float) -> float:
    """Return P(|T| >= |t|) for Student's t with `df` degrees of freedom.

    It is I_x(df/2, 1/2) at x = df/(df + t^2), I being the regularised incomplete beta function
    (Abramowitz and Stegun 1964, 26.7.1 and 26.5.27).

    Raises:
        InvalidInput: `df` is not above 0, or `t` is NaN.
    """
    _check_df(df)
    if math.isnan(t):
        raise InvalidInput("t is NaN: there is no p-value for it. Give a number.")
    ratio = t / math.sqrt(df)
    square = ratio * ratio
    if square == 0:
        return 1.0
    if math.isinf(square):
        return 0.0
    a = df / 2
    log_front = -a * math.log1p(square) + 0.5 * (math.log(square) - math.log1p(square)) - _log_beta_half(a)
    front = math.exp(log_front)
    x, y = 1 / (1 + square), square / (1 + square)
    # The fraction converges fast only on its own side of the mean; on the other side use the complement.
    if x < (a + 1) / (a + 2.5):
        return front * _beta_fraction(a, 0.5, x) / a
    return 1 - front * _beta_fraction(0.5, a, y) / 0.5


def student_t_quantile(probability: float, df: float) -> float:
    """Return the t below which Student's t with `df` degrees of freedom falls with the given probability.

    Newton's method on the two-sided p-value, kept inside a bracket that every step narrows.

    Raises:
        InvalidInput: `probability` is not strictly between 0 and 1, or `df` is not above 0.
    """
    check_open_unit("probability", probability)
    _check_df(df)
    if probability == 0.5:
        return 0.0
    tail = 2 * min(probability, 1 - probability)
    low, high = 0.0, 2.0
    while student_t_two_sided(high, df) > tail:
        low, high = high, 2 * high
    t = high
    for _ in range(200):
        excess = student_t_two_sided(t, df) - tail
        low, high = (t, high) if excess > 0 else (low, t)
        step = t + excess / (2 * _student_t_density(t, df))
        following = step if low < step < high else (low + high) / 2
        if abs(following - t) <= 2 * _EPSILON * t:
            break
        t = following
    return t if probability > 0.5 else -t


def binomial_half(successes: int, draws: int) -> tuple[float, float]:
    """Return P(Bin(draws, 1/2) <= successes) and P(Bin(draws, 1/2) = successes).

    Up to 1,000 draws exact to the last bit. Beyond, the probability of one value comes from Loader's saddle-point form
    (2000, Fast and Accurate Computation of Binomial Probabilities), good to about 1e-12 for millions of draws.

    Raises:
        InvalidInput: a count is negative, or `successes` is above `draws`.
    """
    check_part("successes", successes, "draws", draws)
    if draws <= _EXACT_UP_TO:
        ways = [math.comb(draws, j) for j in range(successes + 1)]
        return sum(ways) / 2**draws, ways[-1] / 2**draws
    if 2 * successes >= draws:
        below = draws - successes - 1  # P(X <= s) = 1 - P(X <= n - s - 1): the tail is the part summed well
        point = _half_point(successes, draws)
        return 1 - (_half_tail(below, draws) if below >= 0 else 0.0), point
    return _half_tail(successes, draws), _half_point(successes, draws)


def _half_tail(successes: int, draws: int) -> float:
    """P(Bin(draws, 1/2) <= successes) below the middle: from the largest term down, until terms no longer count."""
    term = total = _half_point(successes, draws)
    for j in range(successes, 0, -1):
        term *= j / (draws - j + 1)
        total += term
        if term <= total * _EPSILON / draws:
            break
    return total


def _half_point(successes: int, draws: int) -> float:
    """P(Bin(draws, 1/2) = successes) by Loader's form, whose terms do not cancel."""
    failures = draws - successes
    if successes == 0 or failures == 0:
        return math.exp(-draws * math.log(2))
    lean = (draws - 2 * successes) / draws
    deviance = successes * math.log1p(-lean) + failures * math.log1p(lean)
    correction = _stirling_error(draws) - _stirling_error(successes) - _stirling_error(failures)
    spread = draws / (2 * math.pi * successes * failures)
    return math.sqrt(spread) * math.exp(correction - deviance)


def _stirling_error(n: int) -> float:
    """log(n!) minus Stirling's formula, for n of at least 1."""
    if n < 16:
        return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2 * math.pi)
    square = n * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n


def _student_t_density(t: float, df: float) -> float:
    log_density = -(df + 1) / 2 * math.log1p(t * t / df) - 0.5 * math.log(df) - _log_beta_half(df / 2)
    return max(math.exp(log_density), _TINY)


def _log_beta_half(a: float) -> float:
    """log B(a, 1/2). For large a by the series of log(Gamma(a + 1/2) / Gamma(a)): lgamma's difference would cancel."""
    half_log_pi = 0.5 * math.log(math.pi)
    if a < 20:
        return math.lgamma(a) + half_log_pi - math.lgamma(a + 0.5)
    inverse = 1 / a
    square = inverse * inverse
    series = inverse * (1 / 8 - square * (1 / 192 - square * (1 / 640 - square * (17 / 14336 - square * 31 / 18432))))
    return half_log_pi - 0.5 * math.log(a) + series


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method."""
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, 1_000_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            result *= c * d
        if abs(c * d - 1) <= _EPSILON:
            break
    return result


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def _check_df(df: float) -> None:
    if not (df > 0 and math.isfinite(df)):
        raise InvalidInput(f"df is {df}: degrees of freedom are finite and above 0. Give at least two values.")
