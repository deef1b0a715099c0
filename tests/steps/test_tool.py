"""The step `tool`: what is checked when it is saved and when it runs, and how a tool fails it."""

from typing import Any

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.step import NOTHING_KNOWN, Step
from aloi.plugins import build
from aloi.steps.tool import Tool
from tests.steps.step_calls import StepCalls, step


async def test_the_output_is_the_result(calls: StepCalls) -> None:
    calls.document = {"input": {"a": 17}, "steps": {"look": {"b": 23}}}
    one = step(Tool, tool="calculator", arguments={"expression": "{{ input.a }} * {{ steps.look.b }}"})
    assert one.arguments(calls.document) == {"expression": "17 * 23"}
    assert await calls.run(one) == 391
    assert calls.trace.spans == ()  # the engine records the call


async def test_one_expression_may_give_all_arguments(calls: StepCalls) -> None:
    calls.document = {"input": {"expression": "6 * 7"}, "steps": {}}
    assert await calls.run(step(Tool, tool="calculator", arguments="{{ input }}")) == 42


async def test_a_tool_with_options_works_in_the_folder_of_the_case(calls: StepCalls) -> None:
    write = {"action": "write", "path": "a.txt", "content": "{{ input }}"}
    tool = {"kind": "file_ops", "max_bytes": 10}
    await calls.run(step(Tool, tool=tool, arguments=write))
    read = step(Tool, tool=tool, arguments={"action": "read", "path": "a.txt"})
    assert "Hi there" in str(await calls.run(read))
    calls.document = {"input": "x" * 11, "steps": {}}
    failure = await calls.failure(step(Tool, tool=tool, arguments=write))
    assert failure.type == "tool_failed"
    assert read.uses_workspace()


def test_what_it_is() -> None:
    one = step(Tool, tool="calculator", arguments={"expression": "{{ input }}"})
    assert one.tool_name() == "calculator"
    assert one.answer_schema(NOTHING_KNOWN) == {"type": "number"}
    (component,) = one.components()
    assert (component.name, component.kind, component.side_effect) == ("one", "tool", False)
    (reading,) = one.reads()
    assert (reading.at, reading.path) == (("arguments", "expression"), ("input",))
    assert reading.wanted is not None
    assert reading.wanted["type"] == "string"
    assert list(one.faults(NOTHING_KNOWN)) == []


def test_what_all_arguments_together_read() -> None:
    (reading,) = step(Tool, tool="calculator", arguments="{{ steps.a }}").reads()
    assert reading == (("arguments",), ("steps", "a"), {"type": "object"}, False)


@pytest.mark.parametrize(
    ("arguments", "at", "words"),
    [
        ({}, ("arguments", "expression"), "required"),
        ({"expression": 3}, ("arguments", "expression"), "string"),
        ({"expression": "1", "base": 2}, ("arguments", "base"), "not known here"),
    ],
)
def test_constants_are_checked_when_it_is_saved(arguments: Any, at: tuple[str, ...], words: str) -> None:
    (fault,) = step(Tool, tool="calculator", arguments=arguments).faults(NOTHING_KNOWN)
    assert fault.at == at
    assert words in fault.reason


@pytest.mark.parametrize("arguments", [{"path": "{{ input }}"}, {"action": "{{ input }}", "path": "x"}])
def test_what_an_expression_gives_is_not_judged_before(arguments: Any) -> None:
    faults = list(step(Tool, tool="file_ops", arguments=arguments).faults(NOTHING_KNOWN))
    assert [fault.at for fault in faults] == ([("arguments", "action")] if "action" not in arguments else [])


@pytest.mark.parametrize(
    ("arguments", "given", "kind", "words"),
    [
        ({"expression": "{{ input }}"}, [1], "bad_arguments", "expression"),
        ("{{ input }}", {"expressions": "1"}, "bad_arguments", "expression"),
        ("{{ input }}", "1 + 1", "bad_arguments", "must be one object"),
        ({"expression": "{{ input }}"}, "1 / 0", "tool_failed", "divides by zero"),
        ({"expression": "{{ input }}"}, "import os", "tool_failed", "calculator failed"),
        ({"expression": "{{ input.a }}"}, {"b": 1}, "template", "input.a"),
    ],
)
async def test_a_call_that_fails(calls: StepCalls, arguments: Any, given: Any, kind: str, words: str) -> None:
    calls.document = {"input": given, "steps": {}}
    failure = await calls.failure(step(Tool, tool="calculator", arguments=arguments))
    assert failure.type == kind
    assert words in failure.message


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"tool": "teleport"}, "the kinds are: calculator"),
        ({"tool": {"kind": "file_ops", "max_bytes": -1}}, "max_bytes"),
        ({"arguments": "1 + 1"}, "must be an object"),
        ({"arguments": ["{{ input"]}, "arguments"),
        ({"given": {}}, "given"),
    ],
)
def test_a_definition_that_does_not_fit(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        build("steps", {"kind": "tool", "name": "one", "tool": "calculator", **fields}, Step)


def test_a_definition_survives_its_stored_form() -> None:
    one = step(Tool, tool={"kind": "file_ops", "max_bytes": 5}, arguments={"path": "{{ input }}"}, when={"a": "b"})
    assert one.to_spec()["arguments"] == {"path": "{{ input }}"}
    assert build("steps", one.to_spec(), Step) == one
