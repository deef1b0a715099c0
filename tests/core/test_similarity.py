"""How alike two JSON values are: the rules of each type, and what must hold for all values."""

from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aloi.core.similarity import MAX_PAIRS, Comparer, count_leaves, number_similarity


def same(a: str, b: str) -> float:
    return float(a == b)


IN_ORDER, UNORDERED = Comparer(same), Comparer(same, unordered=True)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("expected", "actual", "value"),
    [
        (100, 90, 0.9),
        (100, 110, 0.9),
        (-100, -90, 0.9),
        (-100, 100, 0),
        (0, 0.0, 1),
        (0, 1e-300, 0),
        (1, 2, 0),
        (10**400, 10**400, 1),
        (10**400, 1.5, 0),
        (1.5, 10**400, 0),
        (float("inf"), 1, 0),
        (1, float("inf"), 0),
        (1, float("nan"), 0),
        (float("inf"), float("inf"), 1),
    ],
)
def test_numbers(expected: float, actual: float, value: float) -> None:
    assert number_similarity(expected, actual) == pytest.approx(value)


@pytest.mark.parametrize(
    ("expected", "actual", "total", "leaves", "extra"),
    [
        (True, 1, 0, 1, 0),
        (1, True, 0, 1, 0),
        (None, None, 1, 1, 0),
        (None, 0, 0, 1, 0),
        ("1", 1, 0, 1, 0),
        ({"a": {"b": 1, "c": 2}}, {"a": 5}, 0, 2, 1),
        ({"a": {"b": 1, "c": 2}}, {}, 0, 2, 0),
        ({"a": {"b": 1, "c": 2}}, {"a": [1, 2]}, 0, 2, 2),
        ({"a": 1}, {"a": {"b": 1}}, 0, 1, 1),
        ({"a": [], "b": 1}, {"a": [1, 2, 3], "b": 1}, 1, 1, 3),
        ([1, 2], [1, 2, 3, [4, 5]], 2, 2, 3),
        ([1, 2, 3], [3, 2, 1], 0 + 1 + 1 / 3, 3, 0),
    ],
)
def test_totals_in_order(expected: Any, actual: Any, total: float, leaves: int, extra: int) -> None:
    found = IN_ORDER.compare(expected, actual)
    assert (found.total, found.leaves, found.extra) == (pytest.approx(total), leaves, extra)


@pytest.mark.parametrize(
    ("expected", "actual", "total", "leaves", "extra"),
    [
        ([1, 2, 3], [3, 2, 1], 3, 3, 0),
        ([{"a": 1}, {"a": 2}], [{"a": 2}], 1, 2, 0),
        ([{"a": 1}], [{"b": 1}, {"a": 1}], 1, 1, 1),
        # The best assignment gives up an equal pair for a better sum.
        ([100, 60], [100, 110], 0.9 + 1 / 3, 2, 0),
        ([[1, 2], [3, 4]], [[4, 3], [2, 1]], 4, 4, 0),
    ],
)
def test_totals_unordered(expected: Any, actual: Any, total: float, leaves: int, extra: int) -> None:
    found = UNORDERED.compare(expected, actual)
    assert (found.total, found.leaves, found.extra) == (pytest.approx(total), leaves, extra)


@given(JSON, JSON, st.booleans())
def test_the_total_lies_between_0_and_the_leaves(a: Any, b: Any, unordered: bool) -> None:
    found = Comparer(same, unordered).compare(a, b)
    assert 0 <= found.total <= found.leaves == count_leaves(a)
    assert 0 <= found.extra <= count_leaves(b)


@given(JSON, st.booleans())
def test_a_value_is_wholly_like_itself(value: Any, unordered: bool) -> None:
    found = Comparer(same, unordered).compare(value, value)
    assert (found.total, found.extra, found.differences) == (count_leaves(value), 0, [])


@given(st.lists(JSON, max_size=5), st.randoms())
def test_order_does_not_count_where_it_should_not(values: list[Any], random: Random) -> None:
    mixed = values.copy()
    random.shuffle(mixed)
    found = UNORDERED.compare(values, mixed)
    assert (found.total, found.extra) == (pytest.approx(count_leaves(values)), 0)


@given(st.lists(JSON, max_size=4), st.lists(JSON, max_size=4), st.randoms())
@example([{"a": 1, "c": 3}], [{"a": 1}, {"a": 1, "c": 9}], Random(0))
def test_order_does_not_count_for_what_is_left_over(expected: list[Any], actual: list[Any], random: Random) -> None:
    shuffled = random.sample(actual, len(actual))
    found, again = UNORDERED.compare(expected, actual), UNORDERED.compare(expected, shuffled)
    assert found.total == pytest.approx(again.total)
    assert found.extra == again.extra


@given(st.lists(JSON, max_size=4), st.lists(JSON, max_size=4))
def test_the_best_assignment_is_never_worse_than_the_order(a: list[Any], b: list[Any]) -> None:
    flat_a: list[Any] = [repr(value) for value in a]
    flat_b: list[Any] = [repr(value) for value in b]
    assert UNORDERED.compare(flat_a, flat_b).total >= IN_ORDER.compare(flat_a, flat_b).total


def test_lists_too_long_for_the_best_assignment_pair_equal_items_first() -> None:
    expected: list[Any] = list(range(int(MAX_PAIRS**0.5) + 1))
    found = UNORDERED.compare(expected, [*expected[:0:-1], -1])
    assert found.approximate
    assert (found.total, found.extra) == (len(expected) - 1, 0)


def test_only_the_first_differences_are_kept() -> None:
    zeros: list[Any] = [0] * 1000
    ones: list[Any] = [1] * 1000
    assert len(IN_ORDER.compare(zeros, ones).differences) == 20
