"""A filled example fits its schema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from aloi.core.example import MOST_ITEMS, example_of
from aloi.core.tool import Tool
from aloi.plugins import kinds, load

Json = dict[str, Any]
VALUES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3)


def fits(value: Any, schema: Json) -> bool:
    return not list(Draft202012Validator(schema).iter_errors(value))


@st.composite
def texts(draw: st.DrawFn) -> Json:
    least = draw(st.integers(0, 9))
    bounds: Json = draw(
        st.fixed_dictionaries({}, optional={"minLength": st.just(least), "maxLength": st.just(least + 3)})
    )
    return {"type": "string", **bounds}


@st.composite
def numbers(draw: st.DrawFn) -> Json:
    least = draw(st.integers(-50, 50))
    size = draw(st.sampled_from([0.5, 1, 2, 3, 7]))
    low = draw(st.sampled_from(["minimum", "exclusiveMinimum"]))
    high = draw(st.sampled_from(["maximum", "exclusiveMaximum"]))
    bounds: Json = draw(
        st.fixed_dictionaries(
            {}, optional={low: st.just(least), high: st.just(least + 20), "multipleOf": st.just(size)}
        )
    )
    kind = "integer" if size >= 1 and draw(st.booleans()) else "number"
    return {"type": kind, **bounds}


LEAVES = (
    texts()
    | numbers()
    | st.just({"type": "boolean"})
    | st.just({"type": "null"})
    | st.just({})
    | st.fixed_dictionaries({"const": VALUES})
    | st.fixed_dictionaries({"enum": st.lists(VALUES, min_size=1, max_size=3)})
    | st.fixed_dictionaries({"type": st.just("string"), "format": st.sampled_from(["date-time", "email", "uri"])})
    | st.fixed_dictionaries({"type": st.just("string"), "default": st.text(max_size=3)})
    | st.just({"$ref": "#/$defs/shared"})
    | st.just({"type": ["null", "integer"]})
)


def objects(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    @st.composite
    def made(draw: st.DrawFn) -> Json:
        properties = draw(st.dictionaries(st.sampled_from("abcd"), inner, max_size=3))
        names = draw(st.lists(st.sampled_from([*properties, "e"]), unique=True))
        closed = "e" not in names and draw(st.booleans())
        return {
            "type": "object",
            "properties": properties,
            "required": names,
            **({"additionalProperties": False} if closed else {}),
        }

    return made()


def lists(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    bounds = {"minItems": st.integers(0, 2), "maxItems": st.integers(2, 4)}
    return st.fixed_dictionaries({"type": st.just("array"), "items": inner}, optional=bounds)


def combined(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    any_of = st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=2)})
    all_of = st.fixed_dictionaries({"allOf": st.tuples(inner, st.just({})).map(list)})
    return any_of | all_of


SCHEMAS = st.recursive(LEAVES, lambda inner: objects(inner) | lists(inner) | combined(inner), max_leaves=8)


@given(SCHEMAS)
def test_an_example_fits_its_schema(schema: Json) -> None:
    whole: Json = {
        **schema,
        "$defs": {"shared": {"type": "object", "properties": {"x": {"type": "number", "minimum": 2}}}},
    }
    assert fits(example_of(whole), whole)


def test_every_property_is_filled_and_what_the_schema_says_comes_first() -> None:
    schema: Json = {
        "type": "object",
        "properties": {
            "city": {"type": "string", "default": "Paris"},
            "unit": {"enum": ["celsius", "fahrenheit"]},
            "kind": {"const": "weather"},
            "note": {"type": "string", "examples": ["mild"]},
            "odd": {"enum": ["a"], "default": "not one of them"},
        },
    }
    assert example_of(schema) == {"city": "Paris", "unit": "celsius", "kind": "weather", "note": "mild", "odd": "a"}


@pytest.mark.parametrize("kind", kinds("tools"))
def test_the_built_in_tools_have_one(kind: str) -> None:
    schema = load("tools", kind, Tool).Output
    assert schema is not None
    assert fits(example_of(schema), schema)


def test_a_schema_of_itself_has_an_end() -> None:
    tree: Json = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "below": {"type": "array", "items": {"$ref": "#"}}},
    }
    assert fits(example_of(tree), tree)
    assert example_of({"$ref": "#"}) is None


def test_a_small_schema_of_millions_of_parts_is_cut() -> None:
    doubling: Json = {"$ref": "#/$defs/n0", "$defs": {}}
    for number in range(60):
        below = {"$ref": f"#/$defs/n{number + 1}"}
        doubling["$defs"][f"n{number}"] = {
            "type": "object",
            "required": ["a", "b"],
            "properties": {"a": below, "b": below},
        }
        doubling["$defs"][f"n{number}"]["allOf"] = [below, below]
    wide: Json = {}
    for _ in range(10):
        wide = {"type": "array", "minItems": MOST_ITEMS, "items": wide}
    # Without the cut neither would come to an end.
    assert isinstance(example_of(doubling), dict)
    assert isinstance(example_of(wide), list)


@pytest.mark.parametrize("schema", [True, False, None, 3, "x", {"type": "strange"}, {"$ref": "https://example.org/x"}])
def test_what_says_nothing_is_null(schema: Any) -> None:
    assert example_of(schema) is None
