import math
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import Interval, error_bounds, judge_variance, run_interval, wilson_interval
from tests.core.statistics.golden import TOLERANCE, rows


@st.composite
def runs(draw: st.DrawFn, most: int = 2000) -> tuple[int, int]:
    """Passes and decided cases of a run that decided something."""
    decided = draw(st.integers(1, most))
    return draw(st.integers(0, decided)), decided


@st.composite
def panels(draw: st.DrawFn, most: int = 5) -> tuple[int, int]:
    """Passing votes and votes of one case."""
    votes = draw(st.integers(1, most))
    return draw(st.integers(0, votes)), votes


def test_wilson_agrees_with_statsmodels_scipy_and_r() -> None:
    for row in rows("wilson"):
        expected = (row["lo"], row["hi"])
        assert wilson_interval(row["x"], row["n"]) == pytest.approx(expected, abs=TOLERANCE), row


def test_wilson_agrees_with_the_published_table() -> None:
    for row in rows("wilson_published_newcombe1998"):
        interval = wilson_interval(row["x"], row["n"])
        assert (round(interval.low, 4), round(interval.high, 4)) == (row["lo"], row["hi"]), row


def test_wilson_at_other_levels() -> None:
    for row in rows("wilson_levels"):
        z = NormalDist().inv_cdf((1 + row["conf"]) / 2)
        assert wilson_interval(row["x"], row["n"], z=z) == pytest.approx((row["lo"], row["hi"]), abs=TOLERANCE), row


def test_judge_variance_agrees_with_the_binomial() -> None:
    for row in rows("case_judge_variance"):
        assert judge_variance(row["y"], row["k"]) == pytest.approx(row["var"], abs=TOLERANCE), row
        assert (2 * row["y"] > row["k"]) == row["passed"], row


def test_the_run_interval_agrees_with_numerical_inversion() -> None:
    for row in rows("judge_noise_interval"):
        decided = [case for case in row["cases"] if case["verdict"] != "error"]
        votes = [case.get("votes") or [] for case in decided]
        noise = math.fsum(judge_variance(sum(case), len(case)) for case in votes)
        passes = sum(case["verdict"] == "pass" for case in decided)
        assert (passes, len(decided)) == (row["passed"], row["decided"]), row
        assert noise / max(len(decided), 1) ** 2 == pytest.approx(row["v_judge"], abs=TOLERANCE), row
        interval = run_interval(passes, len(decided), noise)
        assert interval == pytest.approx((row["lo"], row["hi"]), abs=TOLERANCE), row
        wilson = wilson_interval(passes, len(decided))
        assert wilson == pytest.approx((row["wilson_lo"], row["wilson_hi"]), abs=TOLERANCE), row
        assert (noise > 0) == row["incl_judge_noise"], row


def test_no_decided_case_gives_the_whole_range() -> None:
    assert wilson_interval(0, 0) == run_interval(0, 0, 0.0) == Interval(0.0, 1.0)


@given(runs(10**9))
def test_the_ends_are_exact_when_all_or_none_pass(run: tuple[int, int]) -> None:
    passes, decided = run
    low, high = wilson_interval(passes, decided)
    assert (low == 0.0) == (passes == 0)
    assert (high == 1.0) == (passes == decided)


@given(runs(), st.lists(panels(), max_size=30))
def test_judge_noise_never_narrows_holds_the_rate_and_stays_inside(
    run: tuple[int, int], votes: list[tuple[int, int]]
) -> None:
    passes, decided = run
    noise = math.fsum(judge_variance(*case) for case in votes[:decided])
    inner, outer = wilson_interval(passes, decided), run_interval(passes, decided, noise)
    assert 0 <= outer.low <= inner.low <= passes / decided <= inner.high <= outer.high <= 1


@given(runs(), st.floats(1e-3, 0.2))
def test_judge_noise_widens_what_is_not_at_an_end(run: tuple[int, int], share: float) -> None:
    passes, decided = run
    inner, outer = wilson_interval(passes, decided), run_interval(passes, decided, share * decided)
    assert outer.low < inner.low or outer.low == 0
    assert outer.high > inner.high or outer.high == 1


@given(runs(), st.floats(0, 500), st.floats(0, 500))
def test_intervals_are_nested_in_the_noise(run: tuple[int, int], first: float, second: float) -> None:
    inner, outer = run_interval(*run, min(first, second)), run_interval(*run, max(first, second))
    assert outer.low <= inner.low
    assert inner.high <= outer.high


@given(runs(), st.integers(0, 5))
def test_unanimous_votes_are_wilson_to_the_last_bit(run: tuple[int, int], votes: int) -> None:
    passes, decided = run
    noise = sum([judge_variance(votes, votes)] * passes + [judge_variance(0, votes)] * (decided - passes))
    assert run_interval(passes, decided, noise) == wilson_interval(passes, decided)


@given(runs(), st.floats(0, 100))
def test_pass_and_fail_are_mirror_images(run: tuple[int, int], noise: float) -> None:
    passes, decided = run
    low, high = run_interval(passes, decided, noise)
    assert run_interval(decided - passes, decided, noise) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize("votes", [2, 3, 4, 5])
@pytest.mark.parametrize("passing", [True, False])
def test_more_minority_votes_never_lower_the_variance(votes: int, passing: bool) -> None:
    kept = [y for y in range(votes + 1) if (2 * y > votes) == passing]
    by_minority = kept[::-1] if passing else kept
    variances = [judge_variance(y, votes) for y in by_minority]
    assert variances == sorted(variances)


@given(st.integers(0, 60), st.integers(0, 60))
def test_odd_panels_are_symmetric(passing: int, more: int) -> None:
    votes = 2 * max(passing, more) + 1
    assert judge_variance(passing, votes) == judge_variance(votes - passing, votes)


@given(panels(200))
def test_a_judge_variance_lies_in_its_range(panel: tuple[int, int]) -> None:
    passing, votes = panel
    w = judge_variance(passing, votes)
    assert 0 <= w <= 0.25
    assert (w == 0) == (votes < 2 or passing in (0, votes))


def test_a_tie_is_a_fail_so_even_panels_are_not_symmetric() -> None:
    assert judge_variance(1, 4) < judge_variance(3, 4)


def test_a_judge_without_votes_adds_nothing() -> None:
    assert judge_variance(0, 0) == 0.0


def test_error_bounds_take_every_error_both_ways() -> None:
    assert error_bounds(7, 9, 1) == Interval(0.7, 0.8)
    assert error_bounds(0, 0, 3) == error_bounds(0, 0, 0) == Interval(0.0, 1.0)


@pytest.mark.parametrize(("passes", "decided"), [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts_are_refused(passes: int, decided: int) -> None:
    for call in (wilson_interval, run_interval, judge_variance):
        with pytest.raises(InvalidInput):
            call(passes, decided)
    with pytest.raises(InvalidInput):
        error_bounds(passes, decided, 0)


@pytest.mark.parametrize("noise", [-0.1, math.nan, math.inf])
def test_an_impossible_variance_is_refused(noise: float) -> None:
    with pytest.raises(InvalidInput, match="judge_variance_sum"):
        run_interval(1, 2, noise)


def test_negative_errors_are_refused() -> None:
    with pytest.raises(InvalidInput, match="errors is -1"):
        error_bounds(1, 2, -1)
