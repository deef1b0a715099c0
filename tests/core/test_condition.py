"""Conditions: which values they hold of, and that they stay what they are when they are stored."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from aloi.core.condition import OF_ANY_JSON, TESTS, Condition

ARGUMENTS: JsonValue = {"city": "Zürich", "days": 3, "tags": ["a", None], "note": None, "deep": {"list": [1, 5, 9]}}
VALUES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
GIVEN = st.dictionaries(st.sampled_from(sorted(OF_ANY_JSON)), VALUES, min_size=1)


def condition(path: str, **tests: Any) -> Condition:
    return Condition.model_validate({"path": path, **tests})


@pytest.mark.parametrize(
    ("path", "tests", "holds"),
    [
        ("$.city", {"equals": "Zürich"}, True),
        ("$.city", {"equals": "zürich"}, False),
        ("$.days", {"equals": 3.0}, True),
        ("$.note", {"equals": None}, True),
        ("$.city", {"equals": None}, False),
        ("$.absent", {"equals": None}, False),
        ("$.city", {"not_equals": "Paris"}, True),
        ("$.absent", {"not_equals": "Paris"}, False),
        ("$.note", {"not_equals": None}, False),
        ("$.days", {"one_of": [1, 3]}, True),
        ("$.days", {"one_of": []}, False),
        ("$.city", {"contains": "ür"}, True),
        ("$.tags", {"contains": "a"}, True),
        ("$.tags", {"contains": None}, True),
        ("$.deep", {"contains": "list"}, True),
        ("$.days", {"contains": 3}, False),
        ("$.note", {"exists": True}, True),
        ("$.absent", {"exists": True}, False),
        ("$.absent", {"exists": False}, True),
        ("$.city", {"exists": False}, False),
        ("$.days", {"above": 2, "below": 4}, True),
        ("$.days", {"above": 3}, False),
        ("$.days", {"at_least": 3, "at_most": 3}, True),
        ("$.days", {"below": 3}, False),
        ("$.city", {"above": 0}, False),
        ("$.deep.list[*]", {"equals": 5}, True),
        ("$.deep.list[*]", {"above": 4, "below": 6}, True),
        ("$.deep.list[*]", {"above": 5, "below": 6}, False),  # one node must pass all tests
        ("$", {"exists": True}, True),
    ],
)
def test_a_condition_holds_of_what_its_path_selects(path: str, tests: dict[str, Any], holds: bool) -> None:
    assert condition(path, **tests).holds(ARGUMENTS) is holds


def test_a_bound_is_for_numbers_and_true_is_none() -> None:
    assert not condition("$", at_least=1).holds(True)


def test_arguments_that_are_no_object_are_looked_at_too() -> None:
    assert condition("$", equals="not JSON").holds("not JSON")
    assert not condition("$.city", exists=True).holds("not JSON")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"path": "$"}, "it tests nothing; give one of equals,"),
        ({"path": "$", "exists": None, "above": None}, "it tests nothing"),
        ({"path": "$", "exists": False, "equals": 1}, "exists: false goes alone"),
        ({"path": "no path", "equals": 1}, "is not JSONPath"),
        ({"path": "$", "equals": [float("nan")]}, "NaN or infinite"),
        ({"path": "$", "one_of": [float("inf")]}, "NaN or infinite"),
        ({"path": "$", "above": float("inf")}, "finite number"),
        ({"path": "$", "equal": 1}, "Extra inputs"),
        ({"equals": 1}, "Field required"),
    ],
)
def test_what_is_no_condition_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Condition.model_validate(given)


@given(GIVEN, VALUES)
def test_a_condition_is_the_same_when_it_comes_back(tests: dict[str, Any], value: JsonValue) -> None:
    """However it is written: in full, without defaults, as JSON."""
    first = condition("$", **tests)
    for text in (first.model_dump_json(), first.model_dump_json(exclude_defaults=True), json.dumps(first.model_dump())):
        again = Condition.model_validate_json(text)
        assert again.model_dump() == {"path": "$", **tests}
        assert again.holds(value) is first.holds(value)


def test_only_what_is_given_is_written() -> None:
    assert condition("$.a", equals=None, above=None).model_dump() == {"path": "$.a", "equals": None}


def test_the_schema_tells_of_every_test() -> None:
    schema = Condition.model_json_schema()
    assert set(schema["properties"]) == {"path", *TESTS}
    assert schema["required"] == ["path"]


def test_what_is_answered_is_an_object_of_the_tests_that_are_given() -> None:
    schema = Condition.model_json_schema(mode="serialization")
    assert (schema["type"], "properties" in schema) == ("object", False)
