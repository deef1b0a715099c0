"""Several trials of each case: the case stays the unit, so trials are never counted as independent cases."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from aloi.core.errors import InvalidInput
from aloi.core.statistics.distribution import student_t_quantile
from aloi.core.statistics.interval import WHOLE, Interval, Z, check_count, check_part, check_variance, score_interval
from aloi.core.statistics.means import mean_of, standard_error


class TrialsEstimate(NamedTuple):
    """The pass rate over cases with repeated trials.

    rate: mean of the cases' own rates (None when no trial was decided).
    se: its standard error between cases (None below two cases).
    effective_cases: the number of independent cases the interval counts as, between cases and trials.
    interval: the 95 % interval of the rate.
    """

    rate: float | None
    se: float | None
    effective_cases: float
    interval: Interval


def trials_interval(groups: Sequence[Sequence[int]], judge_variance: float = 0.0) -> Interval:
    """Return the 95 % interval of the mean case rate; see `estimate_trials`.

    With one trial per case it is `run_interval` to the last bit.
    """
    return estimate_trials(groups, judge_variance).interval


def estimate_trials(groups: Sequence[Sequence[int]], judge_variance: float = 0.0) -> TrialsEstimate:
    """Return the pass rate of repeated trials, with a score interval at an effective number of cases.

    The rate p is the mean of the C case rates and SE its standard error between cases. The effective number is
    p(1-p)/SE^2 (z/t(C-1, .975))^2, kept between C and the number of trials; C when the cases do not differ. Source: the
    effective sample size with the degrees-of-freedom correction of Korn and Graubard 1998, Survey Methodology
    24:193-201, in the score interval.

    Args:
        groups: one sequence per case of its decided trials, 1 = pass and 0 = fail. Trials in error are left out, and a
            case without a decided trial counts for nothing.
        judge_variance: the variance of the rate over re-judging the same outputs; see `trials_judge_variance`.

    Raises:
        InvalidInput: a trial is neither 0 nor 1, or the variance is negative or not finite.
    """
    check_variance("judge_variance", judge_variance)
    _check_trials(groups)
    filled = [group for group in groups if group]
    if not filled:
        return TrialsEstimate(None, None, 0, WHOLE)
    rates = [sum(group) / len(group) for group in filled]
    rate = math.fsum(rates) / len(rates)
    se = standard_error(rates) if len(rates) > 1 else None
    size = _effective_cases(rates, rate, se, sum(len(group) for group in filled))
    return TrialsEstimate(rate, se, size, score_interval(rate, size, judge_variance))


def trials_judge_variance(groups: Sequence[Sequence[float]]) -> float:
    """Return the variance that a noisy judge adds to the mean case rate.

    sum over cases of (sum of w over its trials) / T_c^2, divided by C^2.

    Args:
        groups: one sequence per case of w (`judge_variance` of the votes) of each decided trial, 0 without a judge.

    Raises:
        InvalidInput: a w is negative or not finite.
    """
    filled = [group for group in groups if group]
    for group in filled:
        for w in group:
            check_variance("w", w)
    if not filled:
        return 0.0
    return math.fsum(math.fsum(group) / len(group) ** 2 for group in filled) / len(filled) ** 2


def pass_at_k(trials: int, passes: int, k: int) -> float | None:
    """Return the chance that at least one of k of a case's trials passed: 1 - C(T-c, k)/C(T, k).

    Source: Chen et al. 2021, arXiv 2107.03374. None when there are fewer than k trials.

    Args:
        trials: T, the case's decided trials.
        passes: c, those that passed.
        k: how many trials are drawn, at least 1.

    Raises:
        InvalidInput: a count is negative, `passes` is above `trials`, or `k` is below 1.
    """
    _check_draw(trials, passes, k)
    if trials < k:
        return None
    draws = math.comb(trials, k)
    return (draws - math.comb(trials - passes, k)) / draws


def pass_hat_k(trials: int, passes: int, k: int) -> float | None:
    """Return pass^k, the chance that all of k of a case's trials passed: C(c, k)/C(T, k).

    Source: Yao et al. 2024 (tau-bench), arXiv 2406.12045. None when there are fewer than k trials. Arguments and errors
    are those of `pass_at_k`.
    """
    _check_draw(trials, passes, k)
    if trials < k:
        return None
    return math.comb(passes, k) / math.comb(trials, k)


def mean_defined(values: Sequence[float | None]) -> float | None:
    """Return the mean of the values that are not None; None when there is none. For pass@k and pass^k over cases."""
    defined = [value for value in values if value is not None]
    return mean_of(defined) if defined else None


def _effective_cases(rates: Sequence[float], rate: float, se: float | None, trials: int) -> float:
    count = len(rates)
    if se is None or se == 0:
        return count
    shrink = Z / student_t_quantile(0.975, count - 1)
    return min(max(rate * (1 - rate) / (se * se) * shrink * shrink, count), trials)


def _check_trials(groups: Sequence[Sequence[int]]) -> None:
    for position, group in enumerate(groups):
        for trial in group:
            if trial not in (0, 1):
                raise InvalidInput(f"groups[{position}] holds {trial}: a trial is 1 (pass) or 0 (fail).")


def _check_draw(trials: int, passes: int, k: int) -> None:
    check_part("passes", passes, "trials", trials)
    check_count("k", k)
    if k == 0:
        raise InvalidInput("k is 0: pass@k draws at least one trial. Give 1 or more.")
