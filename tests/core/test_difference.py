"""Differences in words: where, expected, actual."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.difference import NOTHING, Difference, differences, listed
from aloi.core.json_values import json_equal

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "a", "A"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xy"), inner),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("expected", "actual", "found"),
    [
        (1, 1.0, []),
        (1, True, ["at $: expected 1, got true"]),
        ({"a": [1, 2]}, {"a": [1, 3]}, ["at $.a[1]: expected 2, got 3"]),
        ({"a": None}, {}, ["at $.a: expected null, got nothing"]),
        ({}, {"a": None}, ["at $.a: expected nothing, got null"]),
        ([1], [1, 2], ["at $[1]: expected nothing, got 2"]),
        ([1, 2], [], ["at $[0]: expected 1, got nothing", "at $[1]: expected 2, got nothing"]),
        ({"a": 1}, [1], ['at $: expected {"a": 1}, got [1]']),
    ],
)
def test_differences(expected: Any, actual: Any, found: list[str]) -> None:
    assert [str(difference) for difference in differences(expected, actual)] == found


@given(JSON, JSON, st.booleans())
def test_there_are_none_iff_the_values_are_equal(a: Any, b: Any, ignore_case: bool) -> None:
    assert (not list(differences(a, b, ignore_case))) == json_equal(a, b, ignore_case)


def test_long_texts_are_shown_from_where_they_part() -> None:
    text = str(Difference("$", "a" * 500 + "b" + "c" * 500, "a" * 500 + "d"))
    assert text.startswith(f'at $, character 501: expected "…{"a" * 30}bccc')
    assert text.endswith(f'got "…{"a" * 30}d"')


def test_listed_says_that_there_is_more() -> None:
    parts = [Difference("$", number, NOTHING) for number in range(4)]
    assert listed(parts[:1]) == "at $: expected 0, got nothing"
    assert listed(parts).endswith("expected 2, got nothing; …")
    assert listed(["a", "b"], 2) == "a; b"
    assert listed([]) == ""
