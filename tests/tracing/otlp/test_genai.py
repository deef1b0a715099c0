"""GenAI conventions of all ages, and their messages wherever they are told."""

import json
from typing import Any

import pytest

from aloi.core.trace import INPUT_MESSAGES, OPERATION, OUTPUT_MESSAGES, TOOL_ARGUMENTS, TOOL_NAME, TOOL_RESULT
from aloi.core.trajectory import message_text
from aloi.tracing.otlp.genai import told, told_failure
from aloi.tracing.otlp.raw import Event

CALL = {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"city": "Paris"}'}}
ASKED = {"type": "tool_call", "id": "1", "name": "search", "arguments": {"city": "Paris"}}


def events(*given: tuple[str, dict[str, Any]]) -> list[Event]:
    return [Event(f"gen_ai.{name}", attributes) for name, attributes in given]


def parts(messages: Any) -> Any:
    return messages[0]["parts"]


@pytest.mark.parametrize(
    "given",
    [
        events(("user.message", {"content": "Hi?"}), ("choice", {"message": json.dumps({"content": "Hello."})})),
        events(("user.message", {"content": "Hi?"}), ("choice", {"content": "Hello.", "index": 0})),
        events(
            ("user.message", {"content": json.dumps([{"text": "Hi?"}])}),
            ("choice", {"message": json.dumps([{"text": "Hello."}]), "finish_reason": "end_turn"}),
        ),
        events(
            ("user.message", {"gen_ai.event.content": json.dumps({"content": "Hi?"})}),
            ("choice", {"gen_ai.event.content": json.dumps({"message": {"content": "Hello."}, "index": 0})}),
        ),
        events(
            ("content.prompt", {"gen_ai.prompt": json.dumps([{"role": "user", "content": "Hi?"}])}),
            ("content.completion", {"gen_ai.completion": json.dumps([{"role": "assistant", "content": "Hello."}])}),
        ),
        events(
            (
                "client.inference.operation.details",
                {
                    INPUT_MESSAGES: json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Hi?"}]}]),
                    OUTPUT_MESSAGES: json.dumps([{"parts": [{"type": "text", "content": "Hello."}]}]),
                },
            )
        ),
    ],
)  # fmt: skip
def test_messages_that_are_told_as_events_of_a_span(given: list[Event]):
    found = told({OPERATION: "chat"}, "chat", given)
    assert (message_text(found[INPUT_MESSAGES]), message_text(found[OUTPUT_MESSAGES])) == ("Hi?", "Hello.")


@pytest.mark.parametrize(
    "choice",
    [
        {"message": json.dumps({"role": "assistant", "tool_calls": [CALL]})},
        {"tool_calls": json.dumps([CALL])},
        {"message": json.dumps([{"toolUse": {"toolUseId": "1", "name": "search", "input": {"city": "Paris"}}}])},
        {"message": json.dumps([{"type": "tool_use", "id": "1", "name": "search", "input": {"city": "Paris"}}])},
    ],
)
def test_calls_of_tools_that_are_told_as_events(choice: dict[str, Any]):
    assert parts(told({}, "chat", events(("choice", choice)))[OUTPUT_MESSAGES]) == [ASKED]


def test_a_tools_span_that_tells_by_events():
    given = events(("tool.message", {"content": '{"city": "Paris"}'}), ("choice", {"message": "sunny"}))
    found = told({OPERATION: "execute_tool", TOOL_NAME: "search"}, "execute_tool search", given)
    assert (found[TOOL_ARGUMENTS], found[TOOL_RESULT]) == ({"city": "Paris"}, "sunny")


def test_attributes_stand_before_events():
    own = [{"role": "user", "parts": [{"type": "text", "content": "from the attribute"}]}]
    found = told({INPUT_MESSAGES: json.dumps(own)}, "chat", events(("user.message", {"content": "from the event"})))
    assert found[INPUT_MESSAGES] == own


def test_messages_whose_every_field_is_an_attribute():
    found = told(
        {
            "gen_ai.prompt.0.role": "user",
            "gen_ai.prompt.0.content": "Hi?",
            "gen_ai.completion.0.role": "assistant",
            "gen_ai.completion.0.tool_calls.0.id": "1",
            "gen_ai.completion.0.tool_calls.0.name": "search",
            "gen_ai.completion.0.tool_calls.0.arguments": '{"city": "Paris"}',
        },
        "openai.chat",
    )
    assert message_text(found[INPUT_MESSAGES]) == "Hi?"
    assert parts(found[OUTPUT_MESSAGES]) == [ASKED]


@pytest.mark.parametrize("answer", ["42", "true", '["a", "b"]', '{"a": 1}', "[not json", "[]", "null"])
def test_an_answer_that_is_json_stays_the_text_that_it_is(answer: str):
    found = told({}, "chat", events(("choice", {"message": json.dumps({"content": answer})})))
    assert message_text(found[OUTPUT_MESSAGES]) == answer


@pytest.mark.parametrize(
    ("attributes", "name", "operation"),
    [
        ({OPERATION: "text_completion"}, "x", "chat"),
        ({OPERATION: "invoke_agent"}, "x", "invoke_agent"),
        ({"traceloop.span.kind": "tool"}, "search.tool", "execute_tool"),
        ({"llm.request.type": "chat"}, "openai.chat", "chat"),
        ({"llm.request.type": "embedding"}, "openai.embeddings", None),
        ({OPERATION: "chat.completions"}, "chat.completions m", "chat"),
        ({TOOL_NAME: "search"}, "running tool: search", "execute_tool"),
        ({TOOL_NAME: "search"}, "tools/call search", "execute_tool"),
        ({"tool.name": "search", "tool.arguments": "{}"}, "Agent.task", "execute_tool"),
        ({}, "execute_tool search", "execute_tool"),
        ({}, "execute_tool (merged)", None),
        ({"gen_ai.usage.prompt_tokens": 3, "gen_ai.request.model": "m"}, "completion", "chat"),
        ({"http.method": "GET"}, "GET /", None),
    ],
)
def test_what_a_span_does(attributes: dict[str, Any], name: str, operation: str | None):
    assert told(attributes, name).get(OPERATION) == operation


@pytest.mark.parametrize("odd", [3, None, [3], [None], {"role": 3}, "", "[", '[{"role": "user", "content": 3}]'])
def test_odd_messages_are_read_or_left_as_they_are(odd: Any):
    found = told({INPUT_MESSAGES: odd, OUTPUT_MESSAGES: odd}, "chat")
    json.dumps(found)
    message_text(found[INPUT_MESSAGES])


@pytest.mark.parametrize(
    ("attributes", "why"),
    [
        ({"tool.status": "error", TOOL_RESULT: "no such city"}, "no such city"),
        ({"gen_ai.tool.status": "error"}, "error"),
        ({"error.type": "tool_error"}, "tool_error"),
        ({"error.type": "tool_error", "error.message": "no such city"}, "no such city"),
        ({"tool.status": "success", TOOL_RESULT: "sunny"}, None),
        ({OPERATION: "chat", "error.type": "tool_error"}, None),
    ],
)
def test_why_a_tool_failed_whose_span_has_no_status(attributes: dict[str, Any], why: str | None):
    assert told_failure({OPERATION: "execute_tool", **attributes}) == why
