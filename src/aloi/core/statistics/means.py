"""Means of scores and of paired score differences: t intervals, the bootstrap, clustered standard errors."""

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from aloi.core.errors import InvalidInput
from aloi.core.statistics.distribution import student_t_quantile, student_t_two_sided
from aloi.core.statistics.interval import Interval, check_finite, check_open_unit

ROUNDING = 1e-12
"""Differences of scores that lie this near to each other are the same: 0.9 - 0.8 is not 0.4 - 0.3 to the last bit."""


class PairedT(NamedTuple):
    """Student's t on paired differences. What cannot be known is None, never NaN.

    mean: mean difference, in score points (None without a pair).
    se: its standard error (None below two pairs).
    t, p: the statistic and its two-sided p-value (None below two pairs, or when all differences are the same but not 0:
        no spread was seen, so the test says nothing; all 0 gives t = 0, p = 1).
    interval: the 95 % interval of the mean (None below two pairs).
    """

    mean: float | None
    se: float | None
    t: float | None
    p: float | None
    interval: Interval | None


def mean_of(values: Sequence[float]) -> float:
    """Return the mean of at least one value; equal values give that very value."""
    first = values[0]
    return first + math.fsum(value - first for value in values) / len(values)


def standard_error(values: Sequence[float]) -> float:
    """Return sd / sqrt(n) with the n - 1 divisor, of at least two values."""
    mean = mean_of(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    return math.sqrt(squares / (len(values) - 1) / len(values))


def mean_interval(scores: Sequence[float]) -> Interval | None:
    """Return the t interval of a mean score, clipped to [0, 1]; None below two scores.

    mean +- t(n-1, .975) sd / sqrt(n) (Student 1908). A score is one per case, the mean over its judge samples, so the
    spread between cases already holds the judge's noise. Rough below ten cases.

    Raises:
        InvalidInput: a score is NaN or infinite.
    """
    check_finite("scores", list(scores))
    if len(scores) < 2:
        return None
    whole = _t_interval(mean_of(scores), standard_error(scores), len(scores))
    return Interval(min(max(whole.low, 0.0), 1.0), max(min(whole.high, 1.0), 0.0))


def paired_t(differences: Sequence[float]) -> PairedT:
    """Return Student's paired t of the differences s_B - s_A, one per pair.

    Raises:
        InvalidInput: a difference is NaN or infinite.
    """
    check_finite("differences", list(differences))
    if not differences:
        return PairedT(None, None, None, None, None)
    mean = mean_of(differences)
    if len(differences) == 1:
        return PairedT(mean, None, None, None, None)
    if max(differences) - min(differences) <= ROUNDING:
        unchanged = abs(mean) <= ROUNDING
        return PairedT(mean, 0.0, 0.0 if unchanged else None, 1.0 if unchanged else None, Interval(mean, mean))
    se = standard_error(differences)
    t = mean / se
    interval = _t_interval(mean, se, len(differences))
    return PairedT(mean, se, t, student_t_two_sided(t, len(differences) - 1), interval)


def bootstrap_interval(values: Sequence[float], *, resamples: int = 2000, seed: int = 0) -> Interval | None:
    """Return the 95 % percentile bootstrap interval of the mean (Efron 1979); None without a value.

    One value per case, so cases are resampled, not trials: pass@k of each case, or score differences of pairs. The same
    seed and values give the same interval.

    Args:
        values: one figure per case, cases where it is undefined left out.
        resamples: 2,000 for pass@k; 10,000 for fewer than ten paired scores.
        seed: of the resampling.

    Raises:
        InvalidInput: a value is NaN or infinite, or `resamples` is below 1.
    """
    check_finite("values", list(values))
    if resamples < 1:
        raise InvalidInput(f"resamples is {resamples}: an interval needs some. Give at least 1, e.g. 2000.")
    if not values:
        return None
    size = len(values)
    generator = random.Random(seed)
    means = sorted(math.fsum(generator.choices(values, k=size)) / size for _ in range(resamples))
    return Interval(quantile(means, 0.025), quantile(means, 0.975))


def quantile(ordered: Sequence[float], probability: float) -> float:
    """Return the quantile of ascending values, linear between neighbours (type 7 of Hyndman and Fan 1996).

    Raises:
        InvalidInput: there is no value, or `probability` is not strictly between 0 and 1.
    """
    check_open_unit("probability", probability)
    if not ordered:
        raise InvalidInput("ordered is empty: no values have no quantile. Give at least one.")
    place = probability * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def cluster_standard_error(groups: Sequence[Sequence[float]]) -> float | None:
    """Return the standard error of the overall mean when scores of one group go together; None below two groups.

    sqrt(C/(C-1) sum_c (sum_{i in c} (s_i - mean))^2) / N: CR1 of Liang and Zeger 1986, Biometrika 73:13-22, with the
    C/(C-1) correction. Empty groups are left out.

    Raises:
        InvalidInput: a score is NaN or infinite.
    """
    filled = [group for group in groups if group]
    scores = [score for group in filled for score in group]
    check_finite("groups", scores)
    count = len(filled)
    if count < 2:
        return None
    mean = mean_of(scores)
    squares = math.fsum(math.fsum(score - mean for score in group) ** 2 for group in filled)
    return math.sqrt(count / (count - 1) * squares) / len(scores)


def _t_interval(mean: float, se: float, size: int) -> Interval:
    half = student_t_quantile(0.975, size - 1) * se
    return Interval(mean - half, mean + half)
