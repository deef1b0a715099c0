import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import (
    Interval,
    bootstrap_interval,
    cluster_standard_error,
    mean_interval,
    paired_t,
    quantile,
)
from aloi.core.statistics.means import mean_of, standard_error
from tests.core.statistics.golden import TOLERANCE, rows, section

scores = st.lists(st.floats(0, 1), min_size=2, max_size=50)


def test_paired_t_agrees_with_scipy() -> None:
    golden = section("paired_t")
    listed = [b - a for a, b in zip(golden["A"], golden["B"], strict=True)]
    # The section lists four of its eight pairs (its p-value has 7 degrees of freedom). The others are not known, but
    # their sum (0.5) and their sum of squares (0.13) follow from its mean and standard error, and t needs no more.
    result = paired_t([*listed, 0.2, 0.3, 0.0, 0.0])
    assert result.mean == pytest.approx(golden["mean_diff"], abs=TOLERANCE)
    assert result.se == pytest.approx(golden["se"], abs=TOLERANCE)
    assert result.t == pytest.approx(golden["t"], abs=TOLERANCE)
    assert result.p == pytest.approx(golden["p"], abs=TOLERANCE)
    assert result.interval == pytest.approx((golden["lo"], golden["hi"]), abs=TOLERANCE)


def test_paired_t_of_the_listed_pairs() -> None:
    result = paired_t([0.1, 0.2, -0.1, 0.0])  # scipy 1.17.1, ttest_1samp
    assert (result.t, result.p) == pytest.approx((0.7745966692414834, 0.49502534605971144), abs=TOLERANCE)


def test_the_clustered_error_agrees_with_statsmodels() -> None:
    for row in rows("cluster_se"):
        assert cluster_standard_error(row["groups"]) == pytest.approx(row["se"], abs=TOLERANCE), row
        assert mean_of([score for group in row["groups"] for score in group]) == pytest.approx(row["mean"]), row


@given(scores)
def test_groups_of_one_have_the_plain_standard_error(values: list[float]) -> None:
    clustered = cluster_standard_error([[value] for value in values])
    assert clustered == pytest.approx(standard_error(values), abs=1e-12)


def test_fewer_than_two_groups_have_no_clustered_error() -> None:
    assert cluster_standard_error([]) is None
    assert cluster_standard_error([[1, 0, 1], []]) is None


@given(scores)
def test_a_mean_interval_holds_the_mean_and_stays_inside(values: list[float]) -> None:
    interval = mean_interval(values)
    assert interval is not None
    assert 0 <= interval.low <= mean_of(values) <= interval.high <= 1


def test_the_mean_interval_by_hand() -> None:
    interval = mean_interval([0.4, 0.6])
    half = 12.706204736174694 * 0.1
    assert interval == Interval(0.0, 1.0)
    assert paired_t([0.4, 0.6]).interval == pytest.approx((0.5 - half, 0.5 + half), abs=TOLERANCE)


@pytest.mark.parametrize("few", [[], [0.7]])
def test_fewer_than_two_scores_have_no_interval(few: list[float]) -> None:
    assert mean_interval(few) is None


def test_what_paired_t_cannot_know_is_none() -> None:
    assert paired_t([]) == (None, None, None, None, None)
    assert paired_t([0.25]) == (0.25, None, None, None, None)
    assert paired_t([0.0, 0.0, 0.0]) == (0.0, 0.0, 0.0, 1.0, Interval(0.0, 0.0))
    assert paired_t([0.1] * 7) == (0.1, 0.0, None, None, Interval(0.1, 0.1))


@given(st.lists(st.integers(0, 10), min_size=2, max_size=20), st.integers(0, 5))
def test_the_same_change_everywhere_has_no_spread_for_its_rounding(tenths: list[int], change: int) -> None:
    result = paired_t([(one + change) / 10 - one / 10 for one in tenths])
    assert (result.se, result.t, result.p) == ((0.0, None, None) if change else (0.0, 0.0, 1.0))
    assert result.interval == pytest.approx((change / 10, change / 10))


@given(scores)
def test_paired_t_changes_sign_with_the_order_of_the_runs(values: list[float]) -> None:
    one, other = paired_t(values), paired_t([-value for value in values])
    assert one.p == other.p
    assert one.mean is not None and other.mean == -one.mean


def test_the_bootstrap_is_seeded() -> None:
    values = [(i * i % 31) / 31 for i in range(30)]
    assert bootstrap_interval(values, seed=3) == bootstrap_interval(values, seed=3)
    assert bootstrap_interval(values, seed=3) != bootstrap_interval(values, seed=4)


def test_the_bootstrap_is_near_the_normal_interval_of_many_cases() -> None:
    values = [float(i % 2) for i in range(400)]
    interval = bootstrap_interval(values)
    half = 1.96 * math.sqrt(0.25 / 400)
    assert interval == pytest.approx((0.5 - half, 0.5 + half), abs=0.006)


@given(scores, st.integers(0, 10))
def test_the_bootstrap_stays_between_the_extremes(values: list[float], seed: int) -> None:
    interval = bootstrap_interval(values, resamples=50, seed=seed)
    assert interval is not None
    assert min(values) - 1e-12 <= interval.low <= interval.high <= max(values) + 1e-12


def test_the_bootstrap_of_nothing_is_none() -> None:
    assert bootstrap_interval([]) is None


def test_a_bootstrap_without_resamples_is_refused() -> None:
    with pytest.raises(InvalidInput, match="resamples is 0"):
        bootstrap_interval([1.0], resamples=0)


def test_quantiles_are_linear_between_neighbours() -> None:
    assert quantile([0, 1, 2, 3], 0.5) == 1.5
    assert quantile([10, 20], 0.95) == pytest.approx(19.5)
    assert quantile([7], 0.95) == 7
    with pytest.raises(InvalidInput, match="ordered is empty"):
        quantile([], 0.5)
    with pytest.raises(InvalidInput, match="probability"):
        quantile([1], 1.0)


@given(st.floats(-1e3, 1e3), st.integers(1, 50))
def test_the_mean_of_equal_values_is_that_value(value: float, count: int) -> None:
    assert mean_of([value] * count) == value


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_scores_are_finite(value: float) -> None:
    for call in (mean_interval, paired_t, bootstrap_interval):
        with pytest.raises(InvalidInput, match="only finite numbers"):
            call([0.5, value])
    with pytest.raises(InvalidInput, match="only finite numbers"):
        cluster_standard_error([[0.5], [value]])
