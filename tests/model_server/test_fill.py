"""The filler gives documents that fit the schema and say what the judge should say."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model_server.chat import Json
from tests.model_server.fill import TEXT, fill

VERDICT: Json = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string"},
        "assertions": {"type": "array", "items": {"$ref": "#/$defs/Assertion"}, "minItems": 2},
        "note": {"anyOf": [{"type": "null"}, {"type": "string"}]},
        "verdict": {"enum": ["fail", "pass"]},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "optional": {"type": "string"},
    },
    "required": ["reasoning", "assertions", "note", "verdict", "score"],
    "$defs": {"Assertion": {"type": "object", "properties": {"met": {"type": "boolean"}}, "required": ["met"]}},
}


@pytest.mark.parametrize(("passing", "word"), [(True, "pass"), (False, "fail")])
def test_a_verdict_is_filled_from_its_required_properties(passing: bool, word: str) -> None:
    assert fill(VERDICT, passing, 0.25) == {
        "reasoning": TEXT,
        "assertions": [{"met": passing}, {"met": passing}],
        "note": TEXT,
        "verdict": word,
        "score": 0.25,
    }


@pytest.mark.parametrize(
    ("schema", "document"),
    [
        ({"type": "array", "items": {"type": "integer"}}, [1]),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 0}, []),
        ({"type": "array", "prefixItems": [{"type": "boolean"}, {"const": 3}]}, [True, 3]),
        ({"type": ["null", "boolean"]}, True),
        ({"anyOf": [{"type": "null"}]}, None),
        ({"enum": ["good", "bad"]}, "good"),
        ({"type": "integer", "minimum": 1, "maximum": 5}, 4),
        ({"type": "number", "minimum": 2}, 2),
        ({"type": "number", "maximum": 0.5}, 0.5),
        ({"allOf": [{"type": "string"}, {"maxLength": 3}]}, TEXT[:3]),
        ({}, TEXT),
    ],
)
def test_each_word_of_the_schema(schema: Json, document: Any) -> None:
    assert fill(schema, True, 0.7) == document


def _list_of(items: Json, least: int) -> Json:
    return {"type": "array", "items": items, "minItems": least}


def _object_of(properties: dict[str, Json]) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


LEAVES = st.sampled_from(
    [
        {"type": "boolean"},
        {"type": "null"},
        {"type": "string", "minLength": 20},
        {"type": "integer", "minimum": 1, "maximum": 5},
        {"type": "number", "minimum": 0, "maximum": 1},
        {"enum": ["no", "yes", None]},
        {"const": {"a": 1}},
        {"$ref": "#/$defs/Named"},
    ]
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(_list_of, inner, st.integers(0, 3))
        | st.builds(_object_of, st.dictionaries(st.text(max_size=4), inner, max_size=3))
        | inner.map(lambda schema: {"anyOf": [schema, {"type": "null"}]})
    ),
    max_leaves=8,
)


@given(schema=SCHEMAS, passing=st.booleans(), score=st.floats(0, 1))
def test_the_document_always_fits_the_schema(schema: Json, passing: bool, score: float) -> None:
    whole = schema | {"$defs": {"Named": _object_of({"met": {"type": "boolean"}})}}
    jsonschema.validate(fill(whole, passing, score), whole)
