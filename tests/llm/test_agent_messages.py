"""Messages and values of the engine as JSON that can be stored."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from aloi.core.trajectory import message_text
from aloi.llm.agent_messages import answer, arguments, as_json, new_messages

TEXTS = st.text(st.characters())  # with lone surrogates
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


def test_only_what_came_after_the_last_turn_is_new() -> None:
    messages = [
        ModelRequest(parts=[SystemPromptPart("Be brief."), UserPromptPart("2 + 2?")]),
        ModelResponse(parts=[ToolCallPart("add", '{"a": 2}', tool_call_id="1")]),
        ModelRequest(parts=[ToolReturnPart("add", 4, tool_call_id="1")]),
    ]
    assert new_messages(messages[:1]) == [
        {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
        {"role": "user", "parts": [{"type": "text", "content": "2 + 2?"}]},
    ]
    assert new_messages(messages) == [
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "4"}]}
    ]


def test_an_answer_has_its_text_thoughts_and_calls() -> None:
    parts = [ThinkingPart("hm"), TextPart("Let me see."), ToolCallPart("add", '{"a": 2}', tool_call_id="1")]
    found = answer(ModelResponse(parts=parts, finish_reason="tool_call"))
    assert found == [
        {
            "role": "assistant",
            "parts": [
                {"type": "reasoning", "content": "hm"},
                {"type": "text", "content": "Let me see."},
                {"type": "tool_call", "id": "1", "name": "add", "arguments": {"a": 2}},
            ],
            "finish_reason": "tool_call",
        }
    ]
    assert message_text(found) == "Let me see."


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        (None, {}),
        ({"a": 1}, {"a": 1}),
        ('{"a":', '{"a":'),
        ("[1]", [1]),
        ("NaN", "NaN"),
    ],
)
def test_arguments_are_read_where_they_can_be(given_text: object, expected: object) -> None:
    assert arguments(given_text) == expected


@given(VALUES)
def test_any_value_can_be_stored_as_utf8_json(value: object) -> None:
    json.dumps(as_json(value), ensure_ascii=False, allow_nan=False).encode()


@given(TEXTS)
def test_well_formed_texts_stay_as_they_are(text: str) -> None:
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert as_json(text) == text


def test_half_a_pair_is_replaced_everywhere() -> None:
    assert as_json({"a\ud800": ["b\udc00", float("nan")]}) == {"a\ufffd": ["b\ufffd", None]}


def test_what_has_no_json_form_is_refused() -> None:
    with pytest.raises(ValueError, match="object"):
        as_json([object()])
