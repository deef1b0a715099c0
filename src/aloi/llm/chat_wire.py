"""The Chat Completions protocol as bytes: requests written, replies read. No I/O."""

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

from pydantic import JsonValue

from aloi.core.attachment import AttachedFile
from aloi.core.chat import ChatMessage, ChatRequest
from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.json_values import storable
from aloi.core.spec import JsonObject
from aloi.core.usage import known_tokens
from aloi.llm.secrets import masked

Mode = Literal["text", "native", "tool"]
"""How a reply is asked for: as text, by `response_format`, or as the arguments of a tool that must be called."""

OURS = ("messages", "model", "n", "response_format", "stream", "stream_options", "tool_choice", "tools")
NO_SECRETS: Mapping[str, str] = {}
REFUSING_STATUSES = frozenset({400, 404, 422})
# What endpoints say when they refuse structured output: OpenAI and most; vLLM; llama.cpp.
REFUSING_WORDS = ("response_format", "json_schema", "structured output", "guided", "grammar")


class Completion(NamedTuple):
    """The parts of a reply that matter. Null is what was not said."""

    text: str | None
    refusal: str | None
    model: str | None
    finish_reason: str | None
    input_tokens: int | None
    output_tokens: int | None


def check_settings(model: str, settings: JsonObject) -> None:
    """Raises InvalidInput when the settings of a model hold a field that is Aloi's to fill in."""
    taken = [name for name in OURS if name in settings]
    if taken:
        raise InvalidInput(f"the settings of {model} hold {', '.join(taken)}, which Aloi sets itself; leave it out")


def encoded(name: str, request: ChatRequest, settings: JsonObject, mode: Mode) -> bytes:
    r"""The body of a request.

    Args:
        settings: fields of the body, over those of the request; a null takes a field out.

    Lone surrogates go out as their JSON escapes (`\ud800`), so the text arrives as it is wherever it can.
    """
    fields = {**request.settings, **settings}
    body: JsonObject = {key: value for key, value in fields.items() if value is not None}
    body["model"] = name
    body["messages"] = [{"role": message.role, "content": _content(message)} for message in request.messages]
    if mode == "native":
        schema: JsonObject = {"name": request.output_name, "schema": request.output_schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif mode == "tool":
        chosen: JsonObject = {"name": request.output_name}
        described: JsonObject = {"description": "Give the reply.", "parameters": request.output_schema}
        body["tools"] = [{"type": "function", "function": chosen | described}]
        body["tool_choice"] = {"type": "function", "function": chosen}
    return json.dumps(body).encode()


def _content(message: ChatMessage) -> JsonValue:
    """A text alone; with files, a list of parts, each file behind its name."""
    if not message.files:
        return message.content
    parts = [_text_part(message.content)]
    for file in message.files:
        parts.append(_text_part(file.told))
        if not file.is_text:
            parts.append(_file_part(file))
    return list[JsonValue](parts)


def _text_part(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _file_part(file: AttachedFile) -> JsonObject:
    if file.is_image:
        return {"type": "image_url", "image_url": {"url": file.data_url}}
    return {"type": "file", "file": {"filename": file.name, "file_data": file.data_url}}


def refuses_format(status: int, body: bytes) -> bool:
    """Whether an answer says that the endpoint has no structured output, or not with this schema."""
    if status not in REFUSING_STATUSES:
        return False
    text = body.decode(errors="replace").lower()
    return any(word in text for word in REFUSING_WORDS)


def error_text(body: bytes, most: int = 300, secrets: Mapping[str, str] = NO_SECRETS) -> str:
    """The words of an error answer, `{"error": {"message": ...}}` or anything else, on one line, cut when long.

    Args:
        secrets: what is masked (before the cut, which might leave a part of one).
    """
    try:
        document: Any = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    error: Any = _field(document, "error") or document
    message: Any = _field(error, "message") or _field(error, "detail") or error
    text = message if isinstance(message, str) else body.decode(errors="replace")
    words = " ".join(masked(text, secrets)[: 10 * most].split())
    return storable(words if len(words) <= most else f"{words[:most]}…")


def decoded(body: bytes, mode: Mode, who: str, secrets: Mapping[str, str] = NO_SECRETS) -> Completion:
    """What a 200 answer says. No choice and no content are a null text; usage that is absent or no number is null.

    Args:
        who: names the model in messages.
        secrets: what is masked in the text, the refusal and messages.

    Raises:
        StageFailure: it is not a chat completion (type `bad_reply`).
    """
    document = _document(body, who, secrets)
    choices = document.get("choices")
    if not isinstance(choices, list):
        error = f": {error_text(body, secrets=secrets)}" if "error" in document else ""
        raise _bad(who, f"a JSON object without choices{error}")
    choice = _object(choices[0], who, "choice") if choices else {}
    message = _object(choice.get("message"), who, "message") if choices else {}
    usage = document.get("usage")
    usage = cast(dict[str, JsonValue], usage) if isinstance(usage, dict) else {}
    text = _tool_text(message, who) if mode == "tool" and message.get("tool_calls") else _text(message, who)
    refusal = _word(message.get("refusal"))
    return Completion(
        text=None if text is None else masked(text, secrets),
        refusal=None if refusal is None else masked(refusal, secrets),
        model=_word(document.get("model")),
        finish_reason=_word(choice.get("finish_reason")),
        input_tokens=known_tokens(usage.get("prompt_tokens")),
        output_tokens=known_tokens(usage.get("completion_tokens")),
    )


def _field(value: Any, name: str) -> Any:
    return cast(dict[str, Any], value).get(name) if isinstance(value, dict) else None


def _document(body: bytes, who: str, secrets: Mapping[str, str]) -> dict[str, JsonValue]:
    try:
        return _object(json.loads(body.decode()), who, "body")
    except UnicodeDecodeError as error:
        raise _bad(who, f"bytes that are not UTF-8 (at byte {error.start})") from error
    except (ValueError, RecursionError) as error:
        raise _bad(who, f"what is not JSON: {error_text(body, 100, secrets)!r}") from error


def _object(value: Any, who: str, part: str) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise _bad(who, f"JSON whose {part} is not an object")
    return cast(dict[str, JsonValue], value)


def _text(message: dict[str, JsonValue], who: str) -> str | None:
    """The content: a text, or the text parts of a list."""
    content = message.get("content")
    if content is None or isinstance(content, str):
        return storable(content)
    if not isinstance(content, list):
        raise _bad(who, "a message whose content is neither text nor a list of parts")
    texts = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
    return storable("".join(cast(list[str], texts)))


def _tool_text(message: dict[str, JsonValue], who: str) -> str:
    """The arguments of the first call: the JSON that was asked for."""
    calls = message.get("tool_calls")
    call = _object(calls[0] if isinstance(calls, list) else None, who, "tool call")
    arguments = _object(call.get("function"), who, "function").get("arguments")
    return storable(arguments if isinstance(arguments, str) else json.dumps(arguments))


def _word(value: JsonValue) -> str | None:
    return storable(value) or None if isinstance(value, str) else None


def _bad(who: str, what: str) -> StageFailure:
    return StageFailure("invoke", "bad_reply", f"{who} answered with {what}")
