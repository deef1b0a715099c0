"""How large a value is as text, without writing it."""

import json

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from aloi.core.flow.weight import is_heavier

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=30,
)


@given(VALUES)
def test_a_value_is_at_least_as_heavy_as_its_text_is_long(value: JsonValue) -> None:
    text = json.dumps(value, ensure_ascii=False)
    escaped = sum(text.count(mark) * 6 for mark in ("\\",))  # which the text has and the value has not
    assert is_heavier([value], len(text) - escaped)


def test_a_text_counts_its_characters() -> None:
    assert not is_heavier("x" * 10, 10)
    assert is_heavier("x" * 11, 10)


def test_a_part_in_many_places_counts_each_time_and_takes_no_time() -> None:
    value: JsonValue = "x"
    for _ in range(200):  # 2**200 characters
        value = [value, value]
    assert is_heavier(value, 10_000)
    assert is_heavier({"a" * 100: 1}, 100)
