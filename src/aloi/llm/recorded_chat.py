"""Asking a model, and writing down what was said and used."""

from collections.abc import Iterable

from pydantic import JsonValue

from aloi.core.chat import ChatMessage, ChatModel, ChatReply, ChatRequest
from aloi.core.errors import StageFailure
from aloi.core.json_values import storable
from aloi.core.spec import JsonObject
from aloi.core.target import OpenSpan, Recorder
from aloi.core.trace import (
    INPUT_MESSAGES,
    INSTRUCTIONS,
    OPERATION,
    OUTPUT_MESSAGES,
    REQUEST_MODEL,
    file_part,
    usage_attributes,
)


async def ask(model: ChatModel, name: str, request: ChatRequest, recorder: Recorder) -> ChatReply:
    """Ask once; one `chat` span: the instructions, what is new since the last turn, the reply, what it used.

    Args:
        name: of the model, without its provider.

    Raises:
        StageFailure: as `ChatModel.complete`.
    """
    attributes: JsonObject = {OPERATION: "chat", REQUEST_MODEL: name, INPUT_MESSAGES: _new(request.messages)}
    told = [message.content for message in request.messages if message.role == "system"]
    if told:
        attributes[INSTRUCTIONS] = [_text(text) for text in told]
    with recorder.span(f"chat {name}", attributes) as span:
        reply = await model.complete(request)
        _record(span, reply)
    return reply


def no_answer(who: str, reply: ChatReply) -> StageFailure:
    """Why a reply without a text is none."""
    return StageFailure("invoke", "no_answer", f"{who} gave no answer: {_why(reply)}")


def _new(messages: Iterable[ChatMessage]) -> JsonValue:
    """What the user said since the model's last turn, in the shape of the GenAI conventions."""
    new: list[JsonValue] = []
    for message in messages:
        if message.role == "assistant":
            new.clear()
        elif message.role == "user":
            files = [file_part(file.name, file.media_type) for file in message.files]
            new.append({"role": "user", "parts": [_text(message.content), *files]})
    return new


def _message(role: str, text: str) -> JsonObject:
    return {"role": role, "parts": [_text(text)]}


def _text(text: str) -> JsonObject:
    return {"type": "text", "content": storable(text)}


def _record(span: OpenSpan, reply: ChatReply) -> None:
    attributes = usage_attributes(reply.usage)
    said = reply.text if reply.text is not None else reply.refusal
    if said is not None:
        attributes[OUTPUT_MESSAGES] = [_message("assistant", said)]
    span.set(attributes)


def _why(reply: ChatReply) -> str:
    if reply.refusal is not None:
        return f"it refused ({reply.refusal})"
    if reply.finish_reason == "length":
        return "it reached its limit of tokens first; raise max_tokens in the settings"
    if reply.finish_reason is None:
        return "the reply holds no choice"
    return f"the reply has no content (it ended with {reply.finish_reason})"
