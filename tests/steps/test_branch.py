"""The step `branch`: the first way whose conditions hold."""

from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.errors import InvalidInput
from aloi.core.flow.checks import Scope
from aloi.core.spec import JsonObject
from aloi.core.step import NOTHING_KNOWN, Step
from aloi.plugins import build
from aloi.steps.branch import Branch
from tests.steps.step_calls import StepCalls, step

WAYS: list[Any] = [
    {"name": "big", "if": [{"path": "$.steps.a.n", "above": 10}, {"path": "$.steps.a.kind", "equals": "refund"}]},
    {"name": "some", "if": [{"path": "$.steps.a.list[?@ > 2]", "exists": True}]},
]


def document(value: JsonValue) -> JsonObject:
    return {"input": "big and of no use here", "steps": {"a": value, "b": "of no use either"}}


@pytest.mark.parametrize(
    ("value", "way"),
    [
        ({"n": 11, "kind": "refund", "list": [3]}, "big"),
        ({"n": 11, "kind": "other", "list": [3]}, "some"),
        ({"n": 9, "kind": "refund", "list": [1]}, "otherwise"),
        (None, "otherwise"),
        ("text", "otherwise"),
    ],
)
async def test_the_first_way_whose_conditions_all_hold(calls: StepCalls, value: JsonValue, way: str) -> None:
    calls.document = document(value)
    one = step(Branch, ways=WAYS)
    assert one.arguments(calls.document) == {"steps": {"a": value}}
    assert await calls.run(one) == way


def test_what_a_filter_reads_from_the_root_is_waited_for() -> None:
    path = "$.steps.a[?@.x == $.steps.b.y]"
    one = step(Branch, ways=[{"name": "w", "if": [{"path": path, "exists": True}]}])
    assert [reading.path for reading in one.reads()] == [("steps", "a"), ("steps", "b", "y")]


def test_its_output_is_one_of_its_ways() -> None:
    one = step(Branch, ways=WAYS, otherwise="none")
    assert one.ways() == ("big", "some", "none")
    assert one.answer_schema(NOTHING_KNOWN) == {"enum": ["big", "some", "none"]}
    assert step(Branch, **{name: one.to_spec()[name] for name in ("ways", "otherwise")}) == one


@pytest.mark.parametrize(
    "fields",
    [
        {"ways": []},
        {"ways": [{"name": "w", "if": []}]},
        {"ways": WAYS, "otherwise": "big"},
        {"ways": [WAYS[0], WAYS[0]]},
        {"ways": [{"name": "w", "if": [{"path": "$.input"}]}]},
    ],
)
def test_what_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        build("steps", {"kind": "branch", "name": "one", **fields}, Step)


@pytest.mark.parametrize(
    ("schema", "test", "fault"),
    [
        ({"type": "string"}, {"equals": 3}, "equals"),
        ({"type": "number"}, {"equals": "3"}, "equals"),
        ({"type": "integer"}, {"equals": 3.0}, None),
        ({"enum": ["a", "b"]}, {"equals": "c"}, "equals"),
        ({"enum": ["a", "b"]}, {"not_equals": "c"}, None),
        ({"type": "string"}, {"not_equals": 3}, "not_equals"),
        ({"type": "string"}, {"one_of": [1, "a"]}, None),
        ({"type": "string"}, {"one_of": [1, 2]}, "one_of"),
        ({"type": "string"}, {"above": 3}, "above"),
        ({"type": ["string", "number"]}, {"above": 3}, None),
        ({"type": "number"}, {"contains": "a"}, "contains"),
        ({"type": "array"}, {"contains": 1}, None),
        ({}, {"above": 3}, None),
    ],
)
def test_what_can_never_be_equal(schema: JsonObject, test: dict[str, Any], fault: str | None) -> None:
    one = step(Branch, ways=[{"name": "w", "if": [{"path": "$.input", **test}]}])
    places = [found.at for found in one.faults(Scope(schema))]
    assert places == ([("ways", 0, "if", 0, fault)] if fault else [])
