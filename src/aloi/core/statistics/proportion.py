"""The interval of a run's pass rate: sampling of cases, and the noise of a judge that votes."""

import math

from aloi.core.statistics.interval import (
    WHOLE,
    Interval,
    Z,
    check_count,
    check_part,
    check_variance,
    score_interval,
)


def wilson_interval(passes: int, decided: int, *, z: float = Z) -> Interval:
    """Return the Wilson score interval of `passes` out of `decided`.

    Source: Wilson 1927, JASA 22:209-212; method 3 of Newcombe 1998, Statistics in Medicine 17:857-872.

    Args:
        passes: cases that passed.
        decided: cases that passed or failed. 0 gives (0, 1).
        z: the normal quantile of the level; the default is the 95 % level.

    Raises:
        InvalidInput: a count is negative, or `passes` is above `decided`.
    """
    return run_interval(passes, decided, 0.0, z=z)


def run_interval(passes: int, decided: int, judge_variance_sum: float = 0.0, *, z: float = Z) -> Interval:
    """Return the interval of a run's pass rate, judge noise included.

    The set of rates t with (p - t)^2 <= z^2 (t(1 - t)/n + v), v = `judge_variance_sum` / n^2. Without judge noise it is
    the Wilson interval to the last bit; more noise never narrows it; it contains p and stays inside [0, 1].

    Args:
        passes: cases that passed.
        decided: cases that passed or failed, those graded without a judge too. 0 gives (0, 1).
        judge_variance_sum: the sum of `judge_variance` over the decided cases.
        z: the normal quantile of the level; the default is the 95 % level.

    Raises:
        InvalidInput: a count is negative, `passes` is above `decided`, or the variance is negative or not finite.
    """
    check_part("passes", passes, "decided", decided)
    check_variance("judge_variance_sum", judge_variance_sum)
    if decided == 0:
        return WHOLE
    return score_interval(passes / decided, decided, judge_variance_sum / (decided * decided), z)


def judge_variance(passing_votes: int, votes: int) -> float:
    """Return w, the variance of one case's majority verdict over fresh panels of as many votes.

    With m the share of passing votes, r = P(Bin(votes, m) > votes/2) estimates the chance that a fresh panel passes the
    same output, and w = r(1 - r). A tie is a fail, so even panels are not symmetric. Whole numbers until the last
    division, so the result is exact to the last bit.

    Args:
        passing_votes: judge samples that said pass.
        votes: all judge samples of the case. 0 (no judge) and 1 (nothing measured) give 0, and so do unanimous votes.

    Raises:
        InvalidInput: a count is negative, or `passing_votes` is above `votes`.
    """
    check_part("passing_votes", passing_votes, "votes", votes)
    if votes < 2 or passing_votes in (0, votes):
        return 0.0
    failing_votes = votes - passing_votes
    passing_panels = sum(
        math.comb(votes, j) * passing_votes**j * failing_votes ** (votes - j) for j in range(votes // 2 + 1, votes + 1)
    )
    panels = votes**votes
    return passing_panels * (panels - passing_panels) / panels**2


def error_bounds(passes: int, decided: int, errors: int) -> Interval:
    """Return the pass rate if every error were a fail, and if every error were a pass.

    Leaving errors out of the rate is unbiased only if they have nothing to do with how hard a case is; these bounds
    (Manski 2003, Partial Identification of Probability Distributions) hold without that. No case at all gives (0, 1).

    Raises:
        InvalidInput: a count is negative, or `passes` is above `decided`.
    """
    check_part("passes", passes, "decided", decided)
    check_count("errors", errors)
    total = decided + errors
    if total == 0:
        return WHOLE
    return Interval(passes / total, (passes + errors) / total)
