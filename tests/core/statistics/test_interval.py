import math
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import Interval, Z
from aloi.core.statistics.interval import check_count, check_finite, check_open_unit, check_part, check_variance
from aloi.core.statistics.interval import score_interval as score

rates = st.floats(0, 1)
sizes = st.floats(1, 1e9)
variances = st.floats(0, 10)


def test_z_is_the_normal_quantile() -> None:
    assert pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-14) == Z


def test_no_case_gives_the_whole_range() -> None:
    assert score(0.0, 0, 0.0) == Interval(0.0, 1.0)


@given(rates, sizes, variances)
def test_holds_the_rate_and_stays_inside(rate: float, size: float, variance: float) -> None:
    low, high = score(rate, size, variance)
    assert 0 <= low <= rate <= high <= 1


@given(rates, sizes, variances, variances)
def test_more_variance_is_never_narrower(rate: float, size: float, first: float, second: float) -> None:
    inner, outer = score(rate, size, min(first, second)), score(rate, size, max(first, second))
    assert outer.low <= inner.low
    assert outer.high >= inner.high


@given(st.floats(0.05, 0.95), st.floats(5, 1e4), st.floats(0, 0.01))
def test_the_ends_solve_the_equation_it_is_defined_by(rate: float, size: float, variance: float) -> None:
    for end in score(rate, size, variance):
        if 0 < end < 1:
            assert (rate - end) ** 2 == pytest.approx(Z * Z * (end * (1 - end) / size + variance), rel=1e-9)


@pytest.mark.parametrize("value", [-1, math.nan])
def test_a_count_is_not_negative(value: int) -> None:
    with pytest.raises(InvalidInput, match=r"cases is .*: a count cannot be negative\. Give 0 or more"):
        check_count("cases", value)


@pytest.mark.parametrize(("part", "whole"), [(-1, 3), (4, 3), (0, -1)])
def test_a_part_is_not_more_than_its_whole(part: int, whole: int) -> None:
    with pytest.raises(InvalidInput, match=r"Give 0"):
        check_part("passes", part, "decided", whole)


@pytest.mark.parametrize("value", [-1e-9, math.nan, math.inf])
def test_a_variance_is_finite_and_not_negative(value: float) -> None:
    with pytest.raises(InvalidInput, match="w is"):
        check_variance("w", value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_named_with_its_place(value: float) -> None:
    with pytest.raises(InvalidInput, match=r"scores\[1\]"):
        check_finite("scores", [0.5, value])


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.1, math.nan])
def test_the_open_unit_range_leaves_out_its_ends(value: float) -> None:
    with pytest.raises(InvalidInput, match="level is"):
        check_open_unit("level", value)
