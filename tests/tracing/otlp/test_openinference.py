"""OpenInference's attributes, in the names of the conventions; whole traces of it are among the goldens."""

import json
from typing import Any

import pytest

from aloi.core.trace import (
    INPUT_MESSAGES,
    INPUT_TOKENS,
    OPERATION,
    OUTPUT_MESSAGES,
    OUTPUT_TOKENS,
    TOOL_ARGUMENTS,
    TOOL_NAME,
)
from aloi.core.trajectory import message_text
from aloi.tracing.otlp.openinference import KIND, told

SAID = "llm.output_messages.0.message"


def test_a_message_that_is_told_both_ways_is_said_once():
    part = f"{SAID}.contents.0.message_content"
    found = told({KIND: "LLM", f"{part}.type": "text", f"{part}.text": "Yes.", f"{SAID}.content": "Yes."}, "response")
    assert message_text(found[OUTPUT_MESSAGES]) == "Yes."


def test_thoughts_are_not_said():
    parts: Any = {}
    for number, (kind, text) in enumerate([("reasoning", "Hm."), ("text", "Yes.")]):
        part = f"{SAID}.contents.{number}.message_content"
        parts |= {f"{part}.type": kind, f"{part}.text": text}
    assert message_text(told({KIND: "LLM", **parts}, "response")[OUTPUT_MESSAGES]) == "Yes."


def test_what_a_tool_answered_is_told_with_the_id_of_its_call():
    message = "llm.input_messages.0.message"
    given = {f"{message}.role": "tool", f"{message}.content": "sunny", f"{message}.tool_call_id": "7"}
    found: Any = told({KIND: "LLM", **given}, "response")
    assert found[INPUT_MESSAGES][0]["parts"] == [{"type": "tool_call_response", "id": "7", "response": "sunny"}]


def test_a_turn_that_was_streamed_is_read_from_its_response():
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]}
    call = {"type": "function_call", "call_id": "1", "name": "search", "arguments": "{}"}
    response = {"object": "response", "output": [message, call], "usage": {"input_tokens": 3, "output_tokens": 2}}
    found: Any = told({KIND: "LLM", "output.value": json.dumps([response])}, "generation")
    assert (found[OPERATION], found[INPUT_TOKENS], found[OUTPUT_TOKENS]) == ("chat", 3, 2)
    assert message_text(found[OUTPUT_MESSAGES]) == "Yes."
    assert found[OUTPUT_MESSAGES][1]["parts"][0]["name"] == "search"


@pytest.mark.parametrize("other", ["Yes.", json.dumps({"object": "list"}), "[]", "3"])
def test_another_output_is_no_response(other: str):
    assert OUTPUT_MESSAGES not in told({KIND: "LLM", "output.value": other}, "generation")


@pytest.mark.parametrize(
    ("parameters", "arguments"),
    [({"city": "Paris"}, {"city": "Paris"}), ({"type": "object", "properties": {"city": {}}}, None)],
)
def test_parameters_are_arguments_unless_they_are_a_schema(parameters: Any, arguments: Any):
    found = told({KIND: "TOOL", "tool.parameters": json.dumps(parameters)}, "search")
    assert (found[TOOL_NAME], found.get(TOOL_ARGUMENTS)) == ("search", arguments)


def test_to_hand_over_to_another_agent_is_no_call_of_a_tool():
    assert OPERATION not in told({KIND: "TOOL", "input.value": "front"}, "handoff to math_agent")
