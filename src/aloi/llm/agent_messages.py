"""The agent engine's messages in the shape of OpenTelemetry's GenAI conventions."""

import json
from collections.abc import Iterable, Sequence
from typing import cast

from pydantic import JsonValue
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    RetryFeedbackPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_core import from_json, to_json, to_jsonable_python

from aloi.core.json_values import storable
from aloi.core.spec import JsonObject


def new_messages(messages: Sequence[ModelMessage]) -> JsonValue:
    """What the model was told since its last turn; the turns before stand in the spans before."""
    new: list[JsonValue] = []
    for message in reversed(messages):
        if not isinstance(message, ModelRequest):
            break
        new[:0] = _told(message.parts)
    return as_json(new)


def answer(response: ModelResponse) -> JsonValue:
    """The model's turn: one message with its text, its thoughts and its tool calls."""
    parts: list[JsonValue] = [part for part in map(_said, response.parts) if part is not None]
    return as_json([{"role": "assistant", "parts": parts, "finish_reason": response.finish_reason}])


def arguments(given: object) -> JsonValue:
    """A tool call's arguments, text or an object, as JSON; text that is no JSON stays text."""
    if not isinstance(given, str):
        return as_json(given or {})
    try:
        return from_json(given or "{}", allow_inf_nan=False)
    except ValueError:
        return storable(given)


def as_json(value: object) -> JsonValue:
    """Any value as JSON that can be sent and stored: NaN becomes null, half a surrogate pair U+FFFD.

    Raises:
        ValueError: it holds something that has no JSON form.
    """
    try:
        return from_json(to_json(value, inf_nan_mode="null"))
    except ValueError:  # a lone surrogate, or no JSON at all: the next line says so in the second case
        escaped = json.dumps(value, default=to_jsonable_python)
    return storable(cast(JsonValue, json.loads(escaped, parse_constant=lambda _: None)))


def _told(parts: Iterable[ModelRequestPart]) -> Iterable[JsonValue]:
    for part in parts:
        match part:
            case SystemPromptPart(content=text):
                yield _message("system", _text(text))
            case UserPromptPart(content=str(text)):
                yield _message("user", _text(text))
            case ToolReturnPart(tool_call_id=call_id):
                response = part.model_response_str(wrap_if_error=False)
                yield _message("tool", {"type": "tool_call_response", "id": call_id, "response": response})
            case RetryFeedbackPart():
                yield _message("user", _text(part.model_response()))
            case _:
                continue


def _said(part: ModelResponsePart) -> JsonObject | None:
    match part:
        case TextPart(content=text):
            return _text(text)
        case ThinkingPart(content=text):
            return {"type": "reasoning", "content": text}
        case ToolCallPart(tool_name=name, args=given, tool_call_id=call_id):
            return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments(given)}
        case _:
            return None


def _text(text: str) -> JsonObject:
    return {"type": "text", "content": text}


def _message(role: str, part: JsonObject) -> JsonObject:
    return {"role": role, "parts": [part]}
