"""Paths as people read them, as fields, and what they take away."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, TypeAdapter, ValidationError

from aloi.core.paths import JsonPath, child, selects_root, without
from aloi.core.select import select


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("name", "$.name"),
        (2, "$[2]"),
        ("odd key", "$['odd key']"),
        ("it's", r"$['it\'s']"),
        ("", "$['']"),
        ("é", "$['é']"),
    ],
)
def test_child(key: str | int, path: str) -> None:
    assert child("$", key) == path


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_a_childs_path_selects_it(key: str) -> None:
    assert select(child("$", key), {key: 1, key + "x": 2}) == [1]


def test_a_field_refuses_what_is_no_path() -> None:
    adapter = TypeAdapter[str](JsonPath)
    assert adapter.validate_python("$.a[0]") == "$.a[0]"
    with pytest.raises(ValidationError, match="RFC 9535"):
        adapter.validate_python("a[")


@pytest.mark.parametrize(
    ("value", "paths", "left"),
    [
        ({"a": 1, "b": 2}, ["$.a"], {"b": 2}),
        ([{"a": 1, "b": 2}, {"a": 3}], ["$[*].a"], [{"b": 2}, {}]),
        ([1, 2, 3, 4], ["$[0]", "$[2]"], [2, 4]),
        ({"a": {"id": 1, "b": [{"id": 2}]}}, ["$..id"], {"a": {"b": [{}]}}),
        ({"a": 1}, ["$.b"], {"a": 1}),
        ({"a": 1}, [], {"a": 1}),
        ("text", ["$.a"], "text"),
    ],
)
def test_without(value: JsonValue, paths: list[str], left: Any) -> None:
    assert without(value, paths) == left


def test_without_leaves_the_given_value_as_it_is() -> None:
    value: JsonValue = {"a": [1, 2]}
    assert without(value, ["$.a[0]"]) == {"a": [2]}
    assert value == {"a": [1, 2]}


def test_selects_root() -> None:
    assert selects_root("$")
    assert not selects_root("$.a")
