"""What a JSONPath over a workflow's document reads."""

from typing import Any

import pytest

from aloi.core.errors import StageFailure
from aloi.core.flow.paths import fixed, part_read, path_readings, selected
from aloi.core.spec import JsonObject

DOCUMENT: JsonObject = {"input": {"n": 1}, "item": 7, "steps": {"a": {"b": [1, 2]}, "c": 3}}


@pytest.mark.parametrize(
    ("path", "read", "is_whole"),
    [
        ("$.steps.a.b[0]['x y']", ("steps", "a", "b", 0, "x y"), True),
        ("$.steps.a[*].b", ("steps", "a"), False),
        ("$.steps.a..b", ("steps", "a"), False),
        ("$.steps['a','b']", ("steps",), False),
        ("$.steps.a[1:2]", ("steps", "a"), False),
        ("$", (), True),
        ("$..a", (), False),
    ],
)
def test_the_part_that_reads_one_value(path: str, read: tuple[Any, ...], is_whole: bool) -> None:
    assert fixed(path) == (read, is_whole)


def test_what_filters_read_from_the_root_counts_too() -> None:
    path = "$.steps.a[?(@.x == $.steps.b.y && length($.input.z) > 1) || !@.list[?@ == $.steps.q]]"
    found = [reading.path for reading in path_readings(path, ("path",))]
    assert found == [("steps", "a"), ("steps", "b", "y"), ("input", "z"), ("steps", "q")]


def test_only_what_is_read_is_walked() -> None:
    assert part_read(DOCUMENT, [*path_readings("$.steps.a.b", ())]) == {"steps": {"a": {"b": [1, 2]}}}
    assert part_read(DOCUMENT, [*path_readings("$.item", ())]) == {"item": 7}
    assert part_read(DOCUMENT, [*path_readings("$.steps.gone", ())]) == {}


def test_one_value_or_a_list() -> None:
    assert selected("$.steps.a.b[1]", DOCUMENT, [*path_readings("$.steps.a.b[1]", ())]) == 2
    assert selected("$.steps.a.b[*]", DOCUMENT, [*path_readings("$.steps.a.b[*]", ())]) == [1, 2]
    with pytest.raises(StageFailure, match="selects nothing") as caught:
        selected("$.steps.a.x", DOCUMENT, [*path_readings("$.steps.a.x", ())])
    assert (caught.value.stage, caught.value.type) == ("invoke", "path")
