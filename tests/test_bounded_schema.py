"""JSON Schemas that people wrote: what they say, and that none of them takes for ever."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for
from pydantic import JsonValue

from aloi.bounded_schema import TooMuchWork, validator, violations
from aloi.core.errors import StageFailure

LONG = 30.0
TOO_SHORT = 0.05
ENDLESS_PATTERN = "^(a|aa)+$"
ENDLESS_TEXT = "a" * 80 + "b"
BRANCHING = {
    "$defs": {**{f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 3} for i in range(20)}, "d20": {}},
    "$ref": "#/$defs/d0",
}


def found(schema: Any, value: JsonValue, seconds: float = LONG) -> list[str]:
    return [error.message for error in violations(json.dumps(schema), value, seconds, 20)]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": "^a+$"}, "aaa"),
        ({"pattern": "^a+$"}, "aab"),
        ({"pattern": "^a+$"}, 1),
        ({"patternProperties": {"^x": {"type": "string"}}}, {"x1": "a", "y": 1}),
        ({"patternProperties": {"^x": {"type": "string"}}}, {"x1": 1}),
        ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"x1": 1}),
        ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"x1": 1, "y": 2}),
        ({"properties": {"y": {}}, "patternProperties": {"^x": {}}, "additionalProperties": False}, {"x1": 1, "y": 2}),
        ({"patternProperties": {"^x": {}}, "additionalProperties": {"type": "string"}}, {"x1": 1, "y": 2}),
        ({"additionalProperties": False}, {"y": 2}),
        ({"uniqueItems": True}, [1, 1.0]),
        ({"uniqueItems": True}, [1, True, "1", None, [1], [True], {"a": 1}]),
        ({"uniqueItems": True}, [{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}]),
        ({"uniqueItems": True}, [[1, {"a": None}], [1, {"a": False}]]),
        ({"uniqueItems": False}, [1, 1]),
        ({"properties": {"a": {}}, "unevaluatedProperties": False}, {"a": 1, "b": 2}),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True}, 1),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["b"]}}, {"a": 1}),
    ],
)
def test_it_says_what_the_library_says(schema: Any, value: Any) -> None:
    kind = validator_for(schema, default=Draft202012Validator)
    assert bool(found(schema, value)) != kind(schema).is_valid(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": ENDLESS_PATTERN}, ENDLESS_TEXT),
        ({"items": {"pattern": ENDLESS_PATTERN}}, [ENDLESS_TEXT]),
        ({"patternProperties": {ENDLESS_PATTERN: {}}}, {ENDLESS_TEXT: 1}),
        ({"patternProperties": {ENDLESS_PATTERN: {}}, "additionalProperties": False}, {ENDLESS_TEXT: 1}),
        ({"propertyNames": {"pattern": ENDLESS_PATTERN}}, {ENDLESS_TEXT: 1}),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a",
          "definitions": {"a": {"pattern": ENDLESS_PATTERN}}}, ENDLESS_TEXT),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"a": {"pattern": ENDLESS_PATTERN}},
          "properties": {"inner": {"$ref": "#"}, "a": {"$ref": "#/$defs/a"}}}, {"inner": {"a": ENDLESS_TEXT}}),
        (BRANCHING, {}),
        ({"$schema": "https://json-schema.org/draft/2019-09/schema", **BRANCHING}, {}),
    ],
)  # fmt: skip
def test_what_would_take_for_ever_is_given_up(schema: Any, value: Any) -> None:
    with pytest.raises(TooMuchWork, match="takes too long"):
        found(schema, value, TOO_SHORT)


def test_many_items_are_told_apart_in_one_go() -> None:
    assert found({"uniqueItems": True}, [{"a": number} for number in range(20_000)]) == []


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"$ref": "http://127.0.0.1:9/schema.json"}, "not inside it"),
        ({"$ref": "file:///etc/hostname"}, "not inside it"),
        ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, "not inside it"),
        ({"properties": {"a": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}}, "once, at the top"),
        ({"patternProperties": {"a": {}}, "unevaluatedProperties": False}, "use additionalProperties"),
        ({"pattern": "(" * 3000 + ")" * 3000}, "nested too deeply"),
        ({"pattern": "("}, "not a JSON Schema"),
        ({"type": "strin"}, "not a JSON Schema"),
    ],
)
def test_what_cannot_be_checked_is_refused(schema: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        validator(json.dumps(schema))


def test_a_schema_without_end_is_a_failure() -> None:
    with pytest.raises(StageFailure, match="without end") as failure:
        found({"$ref": "#"}, {})
    assert failure.value.type == "recursion"


def test_no_more_is_told_than_was_asked_for() -> None:
    assert len(violations(json.dumps({"items": {"type": "string"}}), list(range(100)), LONG, 3)) == 3
