"""The step `transform`: values, texts and paths over earlier outputs."""

from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.errors import InvalidInput
from aloi.core.flow.checks import Scope
from aloi.core.spec import JsonObject
from aloi.core.step import Step
from aloi.plugins import build
from aloi.steps.transform import Transform
from tests.steps.step_calls import StepCalls, step

DOCUMENT: JsonObject = {
    "input": {"n": 2},
    "steps": {"fetch": {"items": [{"t": "a", "ok": True}, {"t": "b", "ok": False}], "none": None}},
}


@pytest.mark.parametrize(
    ("fields", "output"),
    [
        ({"value": {"all": "{{ steps.fetch.items }}", "n": "{{ input.n }}", "text": "n={{ input.n }}"}},
         {"all": [{"t": "a", "ok": True}, {"t": "b", "ok": False}], "n": 2, "text": "n=2"}),
        ({"value": None}, None),
        ({"value": "{{ steps.fetch.none }}"}, None),
        ({"template": "{{ steps.fetch.none }}"}, ""),
        ({"template": "{{ input.n }}"}, "2"),
        ({"template": "{% for i in steps.fetch.items %}{{ i.t }};{% endfor %}"}, "a;b;"),
        ({"path": "$.steps.fetch.items[*].t"}, ["a", "b"]),
        ({"path": "$.steps.fetch.items[0].t"}, "a"),
        ({"path": "$.steps.fetch.items[?@.ok == true].t"}, ["a"]),
        ({"path": "$.steps.fetch.items[?@.t == 'z']"}, []),
        ({"path": "$.input.n"}, 2),
    ],
)  # fmt: skip
async def test_what_it_gives(calls: StepCalls, fields: dict[str, Any], output: JsonValue) -> None:
    calls.document = DOCUMENT
    assert await calls.run(step(Transform, **fields)) == output


@pytest.mark.parametrize(
    ("fields", "type_", "said"),
    [
        ({"path": "$.steps.fetch.gone"}, "path", "selects nothing"),
        ({"value": ["{{ steps.fetch.gone }}"]}, "template", "steps.fetch.gone"),
        ({"template": "x{{ steps.fetch.gone }}"}, "template", "steps.fetch.gone"),
        ({"template": "{{ (1..400000) }}"}, "template", "smaller"),
    ],
)
async def test_what_is_not_there(calls: StepCalls, fields: dict[str, Any], type_: str, said: str) -> None:
    calls.document = DOCUMENT
    failure = await calls.failure(step(Transform, **fields))
    assert failure.type == type_
    assert said in failure.message


def test_its_span_shows_what_it_reads() -> None:
    one = step(Transform, template="{{ input.n }} {{ steps.fetch.none }} {{ steps.fetch.gone | default: 1 }}")
    assert one.arguments(DOCUMENT) == {"input.n": 2, "steps.fetch.none": None}


@pytest.mark.parametrize("fields", [{}, {"value": 1, "template": "x"}, {"template": "{{"}, {"path": "x"}])
def test_what_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        build("steps", {"kind": "transform", "name": "one", **fields}, Step)


@pytest.mark.parametrize(
    ("fields", "schema"),
    [
        ({"template": "x"}, {"type": "string"}),
        ({"path": "$.input[*]"}, {"type": "array"}),
        ({"path": "$.input.n"}, {"type": "integer"}),
        ({"value": "{{ input.n }}"}, {"type": "integer"}),
        ({"value": "{{ input.unknown }}"}, None),
        ({"value": "n={{ input.n }}"}, {"type": "string"}),
        ({"value": 3}, {"const": 3}),
    ],
)
def test_what_is_known_of_its_output(fields: dict[str, Any], schema: JsonObject | None) -> None:
    scope = Scope({"type": "object", "properties": {"n": {"type": "integer"}}})
    assert step(Transform, **fields).answer_schema(scope) == schema
