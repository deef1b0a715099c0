"""The agent engine's messages in the shape of OpenTelemetry's GenAI conventions."""

import json
from collections.abc import Iterable, Sequence
from typing import cast

from pydantic import JsonValue
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    RetryFeedbackPart,
    SystemPromptPart,
    TextContent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_core import from_json, to_json, to_jsonable_python

from aloi.core.attachment import AttachedFile
from aloi.core.json_values import storable
from aloi.core.spec import JsonObject
from aloi.core.trace import file_part


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


def prompt_of(text: str, files: Sequence[AttachedFile]) -> str | list[UserContent]:
    """What a user says, with files: each behind its name, texts as text."""
    if not files:
        return text
    parts: list[UserContent] = [text]
    for file in files:
        parts.append(TextContent(content=file.told, metadata=file_part(file.name, file.media_type)))
        if not file.is_text:
            parts.append(BinaryContent(data=file.data, media_type=file.media_type, identifier=file.name))
    return parts


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
            case UserPromptPart(content=contents):
                yield {"role": "user", "parts": [found for given in contents if (found := _given(given)) is not None]}
            case ToolReturnPart(tool_call_id=call_id):
                response = part.model_response_str(wrap_if_error=False)
                yield _message("tool", {"type": "tool_call_response", "id": call_id, "response": response})
            case RetryFeedbackPart():
                yield _message("user", _text(part.model_response()))
            case _:
                continue


def _given(content: UserContent) -> JsonObject | None:
    """A part of a prompt: a text, or which file was there; what is in files stands in no trace."""
    match content:
        case str(text):
            return _text(text)
        case TextContent(metadata=file):
            return cast(JsonObject, file)
        case _:
            return None


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
