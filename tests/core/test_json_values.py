"""JSON values: their text, equality, JSON found in a text, shortening, what can be stored."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json, to_json

from aloi.core.json_values import (
    answer_fault,
    fold,
    json_equal,
    read_json,
    shortened,
    storable,
    text_of,
    unfenced,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (None, False, False),
        (None, None, True),
        ("1", 1, False),
        ("é", "e\u0301", True),
        ("a", "A", False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}, True),
        ({"a": None}, {}, False),
        ({}, [], False),
        (10**400, 1.0, False),
    ],
)
def test_equality(a: Any, b: Any, equal: bool) -> None:
    assert json_equal(a, b) is equal
    assert json_equal(b, a) is equal


def test_case_is_ignored_in_values_and_not_in_keys() -> None:
    assert json_equal({"a": ["Straße"]}, {"a": ["STRASSE"]}, ignore_case=True)
    assert not json_equal({"A": 1}, {"a": 1}, ignore_case=True)


@given(JSON)
def test_reading_gives_back_what_was_written(value: Any) -> None:
    assert json_equal(read_json(json.dumps(value)), value)
    assert json_equal(read_json(f"```json\n{json.dumps(value)}\n```"), value)
    assert json_equal(read_json(f"```{json.dumps([value])}```"), [value])


@given(st.lists(st.sampled_from(["```", "\n", "a", '"', "json"]), max_size=6).map("".join))
def test_a_text_with_fences_in_it_is_read_from_its_own_fence(text: str) -> None:
    assert read_json(f"```json\n{json.dumps({'code': text})}\n```") == {"code": text}


@pytest.mark.parametrize(
    "text", ["", "NaN", "-Infinity", "[NaN]", "{'a': 1}", "1 2", "x ```\n1\n```", "```\n1\n```\n```"]
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("```\n1\n```", "1\n"),
        (" ```json\n1```\n", "1"),
        ("```", "```"),
        ("``````", "``````"),
        ("```\n1\n``` and ```\n2\n```", "```\n1\n``` and ```\n2\n```"),
        ("```\n1\n```\n```\n2\n```", "```\n1\n```\n```\n2\n```"),
        ('```json\n"use ```x```"\n```', '"use ```x```"\n'),
        ("```[1]```", "[1]"),
        ("```json {}```", " {}"),
        ('```{"a":\n1}\n```', '{"a":\n1}'),
        ("plain", "plain"),
    ],
)
def test_one_fence_is_taken_off(text: str, inside: str) -> None:
    assert unfenced(text) == inside


@pytest.mark.parametrize(
    ("value", "text"), [("é", "é"), ({"a": "é"}, '{"a": "é"}'), (None, "null"), (True, "true"), (1.0, "1.0")]
)
def test_text(value: Any, text: str) -> None:
    assert text_of(value) == text


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(text, ignore_case=True) == fold(fold(text), ignore_case=True)


def test_long_values_are_shortened_and_say_how_long_they_are() -> None:
    assert shortened("a" * 10) == '"aaaaaaaaaa"'
    assert shortened("a" * 300, 10) == '"aaaaaaaaa… (302 characters)'


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ("a\ud800b", "a\ufffdb"),
        ({"k\udc00": ["\ud800", 1, None]}, {"k\ufffd": ["\ufffd", 1, None]}),
        ("\ud83d\ude00", "\U0001f600"),
    ],
)
def test_half_characters_are_replaced(value: Any, stored: Any) -> None:
    assert storable(value) == stored


def test_a_huge_number_becomes_words() -> None:
    value: Any = [10**5000, 1]
    assert storable(value) == ["a whole number of more than 4300 digits", 1]


@given(JSON)
def test_whole_characters_are_kept(value: Any) -> None:
    assert storable(value) is value


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


# With ids, for pytest would write the huge numbers out.
@pytest.mark.parametrize(
    "value",
    [None, "x", 10**4300 - 1, -(10**4300) + 1, nested(100), {"a": [1.5, True]}],
    ids=["null", "text", "long", "negative", "deep", "plain"],
)
def test_what_can_be_read_again_is_an_answer(value: Any) -> None:
    assert answer_fault(value) is None
    assert from_json(to_json({"output": value})) == {"output": value}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (10**4300, "more than 4300 digits"),
        ({"a": [-(10**5000)]}, "more than 4300 digits"),
        (nested(101), "more than 100 levels deep"),
        ([float("nan")], "NaN"),
    ],
    ids=["long", "negative", "deep", "nan"],
)
def test_what_cannot_be_read_again_is_no_answer(value: Any, words: str) -> None:
    assert words in str(answer_fault(value))
