"""Vercel's AI SDK, in the names of the conventions."""

import json
from typing import Any

import pytest

from aloi.core.trace import INPUT_MESSAGES, INPUT_TOKENS, OPERATION, OUTPUT_MESSAGES, TOOL_ARGUMENTS, TOOL_RESULT
from aloi.core.trajectory import message_text
from aloi.tracing.otlp.vercel import told


def test_an_agent_and_its_turn_tell_what_was_said_and_only_the_turn_what_it_used():
    outer = told({"ai.operationId": "ai.generateText", "ai.prompt": '{"prompt": "Hi?"}', "ai.response.text": "Yes.",
                  "ai.usage.promptTokens": 3})  # fmt: skip
    content = [{"role": "user", "content": [{"type": "text", "text": "Hi?"}]}]
    inner = told({"ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": json.dumps(content),
                  "ai.response.text": "Yes.", "ai.usage.inputTokens": 3})  # fmt: skip
    for found in (outer, inner):
        assert (message_text(found[INPUT_MESSAGES]), message_text(found[OUTPUT_MESSAGES])) == ("Hi?", "Yes.")
    assert (outer[OPERATION], INPUT_TOKENS in outer) == ("invoke_agent", False)
    assert (inner[OPERATION], inner[INPUT_TOKENS]) == ("chat", 3)


@pytest.mark.parametrize("name", ["args", "input"])
def test_calls_of_tools(name: str):
    call: Any = {"toolCallId": "1", "toolName": "search", name: '{"city": "Paris"}'}
    found: Any = told({"ai.operationId": "ai.streamText.doStream", "ai.response.toolCalls": json.dumps([call])})
    [part] = found[OUTPUT_MESSAGES][0]["parts"]
    assert part == {"type": "tool_call", "id": "1", "name": "search", "arguments": {"city": "Paris"}}
    span = told(
        {"ai.operationId": "ai.toolCall", "ai.toolCall.args": '{"city": "Paris"}', "ai.toolCall.result": '"ok"'}
    )
    assert (span[OPERATION], span[TOOL_ARGUMENTS], span[TOOL_RESULT]) == ("execute_tool", {"city": "Paris"}, "ok")


def test_what_others_tell_stays_as_it_is():
    assert told({"http.method": "GET"}) == {"http.method": "GET"}
    assert OPERATION not in told({"ai.operationId": "ai.embed"})
