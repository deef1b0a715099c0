"""Messages in the words of providers and frameworks."""

from typing import Any

import pytest

from aloi.tracing.otlp.messages import messages, plain, spoken

CALL: Any = {"type": "tool_call", "id": "1", "name": "search", "arguments": {"city": "Paris"}}
ANSWER: Any = {"type": "tool_call_response", "id": "1", "response": "sunny"}
GIVEN = {"city": "Paris"}


def text(content: str) -> dict[str, str]:
    return {"type": "text", "content": content}


def blocks(role: str, *content: Any) -> dict[str, Any]:
    return {"role": role, "content": list(content)}


BEDROCK = {"toolResult": {"toolUseId": "1", "content": [{"text": "sunny"}]}}
ANTHROPIC = {"type": "tool_result", "tool_use_id": "1", "content": "sunny"}
GEMINI = {"function_call": {"id": "1", "name": "search", "args": GIVEN}}
VERCEL = {"type": "tool-call", "toolCallId": "1", "toolName": "search", "input": GIVEN}
ANSWERED = {"type": "tool-result", "toolCallId": "1", "output": {"type": "text", "value": "sunny"}}
RESPONSES = {"type": "function_call", "call_id": "1", "name": "search", "arguments": '{"city": "Paris"}'}
LANGCHAIN = {"content": "", "tool_calls": [{"id": "1", "name": "search", "args": GIVEN}]}


@pytest.mark.parametrize(
    ("given", "role", "parts"),
    [
        ({"role": "user", "parts": [text("Hi?")]}, "user", [text("Hi?")]),
        ({"role": "model", "parts": [{"text": "Yes."}]}, "assistant", [text("Yes.")]),
        ({"role": "model", "parts": [GEMINI]}, "assistant", [CALL]),
        ({"role": "user", "parts": [{"functionResponse": {"id": "1", "response": "sunny"}}]}, "user", [ANSWER]),
        (blocks("user", BEDROCK), "user", [ANSWER]),
        (blocks("user", ANTHROPIC), "user", [ANSWER]),
        (blocks("tool", ANSWERED), "tool", [ANSWER]),
        (blocks("assistant", VERCEL), "assistant", [CALL]),
        (blocks("assistant", {"type": "thinking", "text": "Hm."}, {"text": "Yes."}), "assistant", [text("Yes.")]),
        ({"role": "tool", "content": "sunny", "tool_call_id": "1"}, "tool", [ANSWER]),
        (RESPONSES, "assistant", [CALL]),
        ({"type": "function_call_output", "call_id": "1", "output": "sunny"}, "tool", [ANSWER]),
        ({"lc": 1, "id": ["schema", "AIMessage"], "kwargs": LANGCHAIN}, "assistant", [CALL]),
        ({"lc": 1, "id": ["schema", "HumanMessage"], "kwargs": {"content": "Hi?"}}, "user", [text("Hi?")]),
        ({"type": "ai", "data": LANGCHAIN}, "assistant", [CALL]),
        ({"type": "human", "content": "Hi?"}, "user", [text("Hi?")]),
    ],
)
def test_a_message(given: Any, role: str, parts: Any):
    assert messages([given]) == [{"role": role, "parts": parts}]


@pytest.mark.parametrize("given", ["Hi?", ["Hi?"], [{"city": "Paris"}], [{"parts": "Hi?"}], 3, None])
def test_what_is_no_conversation_is_a_text(given: Any):
    found: Any = messages(given)
    assert found == [{"role": None, "parts": [text(given)]}]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "image"}], [{"type": "image"}]),
        ([], []),
        ("a", "a"),
        (None, None),
    ],
)
def test_what_a_tool_gave(content: Any, told: Any):
    assert plain(content) == told


def test_what_is_spoken():
    assert spoken([{"role": "tool", "parts": [ANSWER]}]) == "sunny"
    both: Any = [{"role": "user", "parts": [ANSWER, text("Hi?")]}]
    assert spoken(both) == "Hi?"
    assert spoken(None) is None
