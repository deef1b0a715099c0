import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import Z, student_t_quantile, student_t_two_sided
from aloi.core.statistics.distribution import binomial_half
from tests.core.statistics.golden import TOLERANCE, rows


def test_student_t_agrees_with_scipy() -> None:
    for row in rows("student_t"):
        assert student_t_quantile(0.975, row["df"]) == pytest.approx(row["t975"], abs=TOLERANCE), row
        assert student_t_two_sided(2.1, row["df"]) == pytest.approx(row["p2_at_2_1"], abs=TOLERANCE), row


@given(st.floats(1e-6, 1e6))
def test_one_degree_of_freedom_is_cauchy(t: float) -> None:
    assert student_t_two_sided(t, 1) == pytest.approx(1 - 2 * math.atan(t) / math.pi, abs=1e-12)


@given(st.floats(1e-6, 1e6))
def test_two_degrees_of_freedom_have_a_closed_form(t: float) -> None:
    assert student_t_two_sided(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), abs=1e-12)


@pytest.mark.parametrize("t", [0.1, 1.0, 1.96, 2.1, 5.0])
def test_a_million_degrees_of_freedom_are_nearly_normal(t: float) -> None:
    df = 1_000_000
    density = math.exp(-t * t / 2) / math.sqrt(2 * math.pi)
    normal_tail = math.erfc(t / math.sqrt(2))
    first_order = (t**3 + t) / (2 * df) * density  # Abramowitz and Stegun 26.7.8, both tails
    assert student_t_two_sided(t, df) == pytest.approx(normal_tail + first_order, abs=TOLERANCE)


def test_the_quantile_of_a_million_degrees_of_freedom_is_nearly_normal() -> None:
    expected = Z + (Z**3 + Z) / (4 * 1_000_000)
    assert student_t_quantile(0.975, 1_000_000) == pytest.approx(expected, abs=TOLERANCE)


@given(st.floats(0.001, 0.999), st.integers(1, 2000))
def test_the_quantile_undoes_the_p_value(probability: float, df: int) -> None:
    t = student_t_quantile(probability, df)
    assert student_t_two_sided(t, df) == pytest.approx(2 * min(probability, 1 - probability), rel=1e-9)
    assert (t >= 0) == (probability >= 0.5)


@given(st.floats(0.501, 0.999), st.integers(1, 500))
def test_fewer_degrees_of_freedom_have_heavier_tails(probability: float, df: int) -> None:
    assert student_t_quantile(probability, df) > student_t_quantile(probability, df + 1)


def test_the_ends_of_student_t() -> None:
    assert student_t_two_sided(0, 5) == 1.0
    assert student_t_two_sided(math.inf, 5) == student_t_two_sided(-math.inf, 5) == 0.0
    assert student_t_two_sided(-2.1, 7) == student_t_two_sided(2.1, 7)
    assert student_t_quantile(0.5, 3) == 0.0


@pytest.mark.parametrize("df", [0, -1, math.nan, math.inf])
def test_impossible_degrees_of_freedom_are_refused(df: float) -> None:
    with pytest.raises(InvalidInput, match="degrees of freedom"):
        student_t_two_sided(1, df)
    with pytest.raises(InvalidInput, match="degrees of freedom"):
        student_t_quantile(0.9, df)


@pytest.mark.parametrize("probability", [0, 1, math.nan])
def test_impossible_probabilities_are_refused(probability: float) -> None:
    with pytest.raises(InvalidInput, match="probability"):
        student_t_quantile(probability, 5)


def test_the_p_value_of_nan_is_refused() -> None:
    with pytest.raises(InvalidInput, match="t is NaN"):
        student_t_two_sided(math.nan, 5)


@pytest.mark.parametrize("draws", [1001, 1500, 3001, 10_000])
@pytest.mark.parametrize("place", [0.0, 0.001, 0.4, 0.47, 0.499, 0.5, 0.52, 0.9, 1.0])
def test_large_binomials_agree_with_whole_numbers(draws: int, place: float) -> None:
    successes = round(place * draws)
    ways, total = 1, 1
    for j in range(1, successes + 1):
        ways = ways * (draws - j + 1) // j
        total += ways
    tail, point = binomial_half(successes, draws)
    assert tail == pytest.approx(total / 2**draws, rel=1e-11, abs=1e-300)
    assert point == pytest.approx(ways / 2**draws, rel=1e-11, abs=1e-300)


def test_small_binomials_are_exact() -> None:
    assert binomial_half(1, 8) == (9 / 256, 8 / 256)
    assert binomial_half(0, 0) == (1.0, 1.0)


@given(st.integers(1, 200_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_binomials_are_probabilities(case: tuple[int, int]) -> None:
    tail, point = binomial_half(*case)
    assert 0 <= point <= tail <= 1
