import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import holm
from tests.core.statistics.golden import TOLERANCE, section

p_lists = st.lists(st.floats(0, 1), max_size=20)


def test_holm_agrees_with_statsmodels() -> None:
    golden = section("holm")
    assert holm(golden["p"]) == pytest.approx(golden["adj"], abs=TOLERANCE)


@given(p_lists)
def test_adjusted_values_lie_between_the_raw_ones_and_bonferroni(p_values: list[float]) -> None:
    for raw, adjusted in zip(p_values, holm(p_values), strict=True):
        assert raw <= adjusted <= min(1.0, max(p_values) * len(p_values))


@given(p_lists)
def test_the_order_of_the_values_is_kept(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    by_raw = [adjusted[index] for index in sorted(range(len(p_values)), key=lambda index: p_values[index])]
    assert by_raw == sorted(by_raw)


def test_one_test_needs_no_correction() -> None:
    assert holm([0.03]) == [0.03]
    assert holm([]) == []


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_what_is_no_p_value_is_refused(p: float) -> None:
    with pytest.raises(InvalidInput, match=r"p_values\[1\]"):
        holm([0.5, p])
