import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import (
    cases_all_pass,
    cases_for_half_width,
    detectable_difference,
    pairs_for_difference,
    wilson_interval,
)
from tests.core.statistics.golden import TOLERANCE, rows, section


def test_cases_for_a_half_width_agree_with_brute_force() -> None:
    for row in rows("n_for_halfwidth"):
        assert cases_for_half_width(row["h"], row["p"]) == row["n"], row
    assert cases_for_half_width(0.1) == 93


@given(st.floats(0.01, 0.6))
def test_the_half_width_is_reached_and_by_no_fewer_cases(half_width: float) -> None:
    cases = cases_for_half_width(half_width, 0.0)

    def reached(n: int) -> bool:
        low, high = wilson_interval(0, n)
        return (high - low) / 2 <= half_width + 1e-12

    assert reached(cases)
    assert cases == 1 or not reached(cases - 1) or math.isclose(wilson_interval(0, cases - 1).high / 2, half_width)


def test_a_very_narrow_interval_is_found_at_once() -> None:
    assert cases_for_half_width(1e-6) == pytest.approx(1.959963984540054**2 / 4e-12, rel=1e-9)


def test_cases_that_must_all_pass_agree_with_brute_force() -> None:
    for row in rows("n_all_pass"):
        assert cases_all_pass(row["L"]) == row["n"], row
    assert [cases_all_pass(limit) for limit in (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)] == [4, 9, 16, 35, 73, 381]


@given(st.floats(0.01, 0.999))
def test_all_passing_reach_the_limit_and_one_fewer_does_not(limit: float) -> None:
    cases = cases_all_pass(limit)
    assert wilson_interval(cases, cases).low >= limit - 1e-12
    assert cases == 1 or wilson_interval(cases - 1, cases - 1).low < limit + 1e-12


def test_pairs_agree_with_connor() -> None:
    golden = section("n_paired")
    for row in rows("n_paired"):
        assert pairs_for_difference(row["delta"], row["psi"]) == row["n"], row
    for row in golden["mde"]:
        found = detectable_difference(row["n"], row["psi"])
        expected = row["mde"]
        assert found == (expected if expected is None else pytest.approx(expected, abs=TOLERANCE)), row


def test_pairs_of_the_printed_examples() -> None:
    assert (pairs_for_difference(0.1, 0.2), pairs_for_difference(0.2, 0.3)) == (155, 57)
    assert pairs_for_difference(-0.1, 0.2) == 155


@given(st.integers(0, 1_000_000), st.floats(0.001, 1))
def test_the_detectable_difference_needs_just_that_many_pairs(n: int, psi: float) -> None:
    delta = detectable_difference(n, psi)
    if delta is None:
        assert pairs_for_difference(psi, psi) > n
    else:
        assert 0 < delta <= psi
        assert pairs_for_difference(delta, psi) == pytest.approx(n, abs=1, rel=1e-9)


def test_thirty_cases_detect_about_a_27_point_change() -> None:
    assert pairs_for_difference(0.27, 0.27) <= 30
    assert detectable_difference(30, 0.2) is None
    assert detectable_difference(0, 1.0) is None


@pytest.mark.parametrize("half_width", [0, 1, -0.1, math.nan])
def test_impossible_half_widths_are_refused(half_width: float) -> None:
    with pytest.raises(InvalidInput, match="half_width"):
        cases_for_half_width(half_width)


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.nan])
def test_impossible_rates_are_refused(rate: float) -> None:
    with pytest.raises(InvalidInput, match="rate is"):
        cases_for_half_width(0.1, rate)


@pytest.mark.parametrize("limit", [0, 1, math.nan])
def test_impossible_limits_are_refused(limit: float) -> None:
    with pytest.raises(InvalidInput, match="lower_limit"):
        cases_all_pass(limit)


@pytest.mark.parametrize(("delta", "psi"), [(0, 0.2), (0.3, 0.2), (math.nan, 0.2), (0.1, 0), (0.1, 1.1)])
def test_impossible_differences_are_refused(delta: float, psi: float) -> None:
    with pytest.raises(InvalidInput):
        pairs_for_difference(delta, psi)


def test_impossible_numbers_of_pairs_are_refused() -> None:
    with pytest.raises(InvalidInput, match="n is -1"):
        detectable_difference(-1, 0.2)
    with pytest.raises(InvalidInput, match="psi is 0"):
        detectable_difference(10, 0)
