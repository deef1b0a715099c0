"""What JSON schemas say of each other; it never contradicts what values do."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from aloi.core.flow.schemas import ANY, NoSuchMember, in_words, member, misfit
from aloi.core.spec import JsonObject

PERSON: JsonObject = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}}},
    "required": ["name"],
    "additionalProperties": False,
    "$defs": {"tag": {"type": "object", "properties": {"t": {"type": "integer"}}}},
}


def of(schema: JsonObject, *path: str | int) -> Any:
    for segment in path:
        schema = member(schema, segment)
    return schema.get("type", schema.get("anyOf", "anything"))


@pytest.mark.parametrize(
    ("schema", "path", "found"),
    [
        (PERSON, ("name",), "string"),
        (PERSON, ("tags", 0, "t"), "integer"),
        (PERSON, ("tags", "first", "t"), "integer"),
        (PERSON, ("tags", "size"), "integer"),
        (PERSON, ("tags", 3, "other"), "anything"),
        ({"type": "string"}, ("size",), "integer"),
        ({"anyOf": [PERSON, {"type": "null"}]}, ("name",), "string"),
        ({"type": ["object", "null"], "properties": {"a": {"type": "null"}}}, ("a",), "null"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, ("a",), "boolean"),
        ({"type": "array", "prefixItems": [{"type": "null"}, {"type": "string"}]}, (1,), "string"),
        ({"type": "array", "prefixItems": [{"type": "null"}]}, (1,), "anything"),
        ({}, ("a", "b", 0), "anything"),
        ({"$ref": "http://elsewhere/x"}, ("a",), "anything"),
        ({"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}}, ("a",), "anything"),
    ],
)
def test_what_a_member_is(schema: JsonObject, path: tuple[str | int, ...], found: Any) -> None:
    assert of(schema, *path) == found


@pytest.mark.parametrize(
    ("schema", "segment", "said"),
    [
        (PERSON, "nam", "name, tags"),
        (PERSON, 0, "an object"),
        ({"type": "string"}, "a", "text"),
        ({"type": "array"}, "a", "a list"),
        ({"anyOf": [{"type": "null"}, {"type": "number"}]}, "a", "number"),
        ({"const": 3}, "a", "3"),
    ],
)
def test_what_there_cannot_be(schema: JsonObject, segment: str | int, said: str) -> None:
    with pytest.raises(NoSuchMember, match=said):
        member(schema, segment)


@pytest.mark.parametrize(
    ("given_", "wanted", "said"),
    [
        ({"type": "string"}, {"type": "number"}, "is text, and a number"),
        ({"type": "integer"}, {"type": "number"}, None),
        ({"type": "number"}, {"type": "integer"}, None),
        ({"type": ["string", "null"]}, {"type": "string"}, None),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "number"}, "and a number is wanted"),
        ({"type": "string"}, {"anyOf": [{"type": "number"}, {"type": "string"}]}, None),
        ({"const": 3}, {"enum": ["3", 4]}, "is 3, and"),
        ({"enum": [1, 2]}, {"const": 2.0}, None),
        (PERSON, {"type": "object", "required": ["age"]}, "no property 'age'"),
        (PERSON, {"type": "object", "properties": {"name": {"type": "integer"}}}, "'name' that is text"),
        (PERSON, {"type": "object", "properties": {"tags": {"type": "integer"}}}, None),
        (PERSON, {"type": "object", "additionalProperties": False}, "'name', which is not allowed"),
        ({"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "number"}}, "item is"),
        ({}, {"type": "string"}, None),
        (None, {"type": "string"}, None),
        (PERSON, None, None),
    ],
)
def test_what_never_fits(given_: JsonObject | None, wanted: JsonObject | None, said: str | None) -> None:
    reason = misfit(given_, wanted)
    assert reason is None if said is None else reason is not None and said in reason


TYPES = st.sampled_from(["string", "number", "integer", "boolean", "null", "array", "object"])
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.just({}),
        st.fixed_dictionaries({"type": TYPES}),
        st.fixed_dictionaries({"type": st.lists(TYPES, min_size=1, max_size=3, unique=True)}),
        st.fixed_dictionaries({"const": st.sampled_from([1, "a", None, True])}),
    ),
    lambda inner: st.one_of(
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2)},
            optional={
                "required": st.lists(st.sampled_from("ab"), max_size=2, unique=True),
                "additionalProperties": st.booleans(),
            },
        ),
    ),
    max_leaves=6,
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([1, 1.5, "a", "b", None, True, []]),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=5,
)


@given(SCHEMAS, SCHEMAS, VALUES)
@settings(max_examples=400, deadline=None)
def test_a_value_that_fits_both_proves_that_they_fit(one: JsonObject, other: JsonObject, value: Any) -> None:
    if Draft202012Validator(one).is_valid(value) and Draft202012Validator(other).is_valid(value):
        assert misfit(one, other) is None


@given(SCHEMAS, VALUES)
@settings(max_examples=400, deadline=None)
def test_a_member_of_a_value_that_fits_is_known(schema: JsonObject, value: Any) -> None:
    if isinstance(value, dict) and Draft202012Validator(schema).is_valid(value):
        for name in value:
            assert Draft202012Validator(member(schema, name)).is_valid(value[name])


def test_words_for_people() -> None:
    assert in_words({"type": ["string", "null"]}) == "text or null"
    assert in_words(ANY) == "anything"
