"""Definitions as text: every fault at its line."""

import json
from typing import Any

import pytest

from aloi.core.definition_check import DefinitionCheck
from aloi.service.context import Context
from aloi.service.suites.definitions import check

GOOD = """\
input_schema:
  type: object
  properties: {question: {type: string}}
  additionalProperties: false
  required: [question]
steps:
  - name: route
    kind: branch
    ways:
      - name: refund
        if: [{path: $.input.question, contains: money}]
    otherwise: other
  - name: polite
    kind: transform
    description: What is answered.
    when: {route: refund}
    template: "You asked: {{ input.question }}"
  - name: each
    kind: map
    items: "{{ steps.words }}"
    steps:
      - {name: loud, kind: transform, template: "{{ item | upcase }}"}
      - {name: twice, kind: transform, template: "{{ steps.loud }}{{ steps.polite }}"}
  - {name: words, kind: transform, value: [a, b]}
output: "{{ steps.each }}"
"""


def at(found: DefinitionCheck) -> list[tuple[int | None, str]]:
    return [(fault.line, fault.pointer) for fault in found.faults]


def test_a_sound_definition_has_its_steps_told(context: Context):
    found = check(context, "workflow", GOOD)
    assert found.faults == ()
    assert found.definition is not None
    assert found.definition["output"] == "{{ steps.each }}"
    outline = {step.name: step for step in found.steps}
    assert {name: set(step.waits_for) for name, step in outline.items()} == {
        "route": set(), "polite": {"route"}, "each": {"words", "polite"}, "words": set()
    }  # fmt: skip
    assert outline["polite"].when == {"route": ("refund",)}
    assert outline["polite"].description == "What is answered."
    assert [(step.name, step.waits_for) for step in outline["each"].inside] == [("loud", ()), ("twice", ("loud",))]


def test_json_is_read_as_well(context: Context):
    steps = [{"name": "a", "kind": "transform", "template": "x"}]
    assert check(context, "workflow", json.dumps({"kind": "workflow", "steps": steps}, indent=1)).faults == ()
    broken = json.dumps({"steps": [*steps, {"name": "b", "kind": "transform", "template": "{{ steps.c }}"}]}, indent=1)
    assert at(check(context, "workflow", broken)) == [(11, "/steps/1/template")]


@pytest.mark.parametrize(
    ("change", "line", "where", "said"),
    [
        (("kind: transform\n    desc", "kind: transfrom\n    desc"), 14, "/steps/1/kind", "transfrom"),
        (("steps.words", "steps.wrods"), 20, "/steps/2/items", "wrods"),
        (("input.question }}", "input.answer }}"), 17, "/steps/1/template", "answer"),
        (("{{ steps.loud }}", "{{ steps.each }}"), 23, "/steps/2/steps/1/template", "each"),
        (("route: refund", "route: rebate"), 16, "/steps/1/when", "rebate"),
        (("otherwise: other", "otherwise: other\n    unheard: 1"), 13, "/steps/0/unheard", "unheard is not known here"),
        (("  required: [question]\n", "  required: question\n"), 1, "/input_schema", "required"),
        (("output: ", "kind: agent\noutput: "), 25, "/kind", "workflow"),
    ],
)
def test_each_fault_stands_at_its_line(context: Context, change: tuple[str, str], line: int, where: str, said: str):
    assert change[0] in GOOD
    found = check(context, "workflow", GOOD.replace(*change))
    fault = found.faults[0]
    assert fault.pointer.startswith(where)
    assert said in fault.detail
    assert fault.line == line


@pytest.mark.parametrize(
    "text",
    ["", "   ", "- a", "just words", "a: [1", "{", '{"a": 1,}', "a: 1\na: 2", "\x00", "a: !!python/object:os.system x"],
)
def test_what_is_no_definition_is_told_in_words(context: Context, text: str):
    found = check(context, "workflow", text)
    assert found.definition is None
    assert found.faults[0].detail


@pytest.mark.parametrize(
    "text", ["steps: 3", "steps: [1, null, {}]", "steps: []", "kind: workflow", "a: 1", "steps: [{name: 1}]"]
)
def test_oddly_shaped_definitions_have_faults_and_no_steps(context: Context, text: str):
    found = check(context, "workflow", text)
    assert found.faults
    assert found.steps == ()


def test_other_kinds_are_checked_too(context: Context):
    found = check(context, "agent", "model: nothing\ntools: [calculator]\n")
    assert at(found) == [(1, "/model")]
    assert found.steps == ()


def test_what_the_operator_does_not_allow_is_a_fault(context: Context):
    context.settings = context.settings.model_copy(update={"allow_code": False})
    found: Any = check(context, "python", "function: os:getcwd\n")
    assert "ALOI_ALLOW_CODE" in found.faults[0].detail


SURROGATES = [
    r'{"steps": [{"name": "a", "kind": "transform", "description": "\ud800", "value": {"\udc00": 1}, "\ud800": 1}]}',
    r'{"steps": [{"name": "a\ud800", "kind": "\udc00"}], "\ud800": 1}',
    "steps: []\n\ud800",
    '{"steps": "\ud800',
]


@pytest.mark.parametrize("text", SURROGATES)
def test_half_a_pair_of_surrogates_is_a_fault_that_can_be_told(context: Context, text: str):
    found = check(context, "workflow", text)
    assert found.faults and found.model_dump_json()
