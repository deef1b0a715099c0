"""What the server says: an `Answer` in the words of the protocol, or a `Wire`, bytes that need not keep to it."""

import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.model_server.chat import ChatRequestBody, Json

DONE = b"data: [DONE]\n\n"
NO_HEADERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model asks for; `arguments` is JSON text, which may be invalid on purpose."""

    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class Answer:
    """A well-formed answer. `finish_reason` is worked out when None; `usage=False` leaves the usage out."""

    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    finish_reason: str | None = None
    usage: bool = True

    @property
    def reason(self) -> str:
        """Why the answer ends: as stated, else `tool_calls` or `stop`."""
        return self.finish_reason or ("tool_calls" if self.tool_calls else "stop")

    @property
    def words(self) -> int:
        """The number of words of the answer and its arguments: this server's completion tokens."""
        texts = [self.content or "", self.refusal or "", *(call.arguments for call in self.tool_calls)]
        return sum(len(text.split()) for text in texts)


@dataclass(frozen=True, slots=True)
class Wire:
    """The exact response: parts are written one by one; `drop` then cuts the connection in the middle of the body."""

    parts: tuple[bytes, ...] = (b"",)
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=lambda: NO_HEADERS)
    drop: bool = False


Reply: TypeAlias = str | Answer | Wire
"""A text is short for an `Answer` with that content."""

ReplyHook: TypeAlias = Callable[[ChatRequestBody], Reply | Awaitable[Reply]]


def encode(request: ChatRequestBody, reply: Reply, identity: str) -> Wire:
    """Return the response for a reply: one JSON document, or server-sent events when the request asks for a stream."""
    if isinstance(reply, Wire):
        return reply
    answer = Answer(reply) if isinstance(reply, str) else reply
    head: Json = {"id": identity, "created": int(time.time()), "model": request.model}
    if request.stream:
        return events(request, head | {"object": "chat.completion.chunk"}, answer)
    document = head | {"object": "chat.completion", "choices": [_choice(answer, identity)]}
    if answer.usage:
        document["usage"] = _usage(request, answer)
    return Wire((json.dumps(document).encode(),))


def error(status: int, message: str, code: str | None = None, headers: Mapping[str, str] = NO_HEADERS) -> Wire:
    """Return an error as OpenAI writes it: `{"error": {"message", "type", "param", "code"}}`."""
    kind = "server_error" if status >= 500 else "invalid_request_error"
    body = {"error": {"message": message, "type": kind, "param": None, "code": code}}
    return Wire((json.dumps(body).encode(),), status=status, headers=headers)


def events(request: ChatRequestBody, head: Json, answer: Answer) -> Wire:
    """Return the answer as events: the role, the pieces, the reason for the end, usage when asked, `[DONE]`."""
    deltas = [{"role": "assistant"}, *_deltas(answer, head["id"])]
    chunks = [head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": answer.reason}]})
    if answer.usage and request.wants_stream_usage:
        chunks.append(head | {"choices": [], "usage": _usage(request, answer)})
    return Wire((*(event(chunk) for chunk in chunks), DONE), content_type="text/event-stream")


def event(chunk: Json) -> bytes:
    """Return one server-sent event."""
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


def _choice(answer: Answer, identity: str) -> Json:
    message: Json = {"role": "assistant", "content": answer.content}
    if answer.refusal is not None:
        message["refusal"] = answer.refusal
    if answer.tool_calls:
        message["tool_calls"] = _calls(answer, identity)
    return {"index": 0, "message": message, "finish_reason": answer.reason}


def _deltas(answer: Answer, identity: str) -> list[Json]:
    deltas: list[Json] = [{"content": piece} for piece in re.findall(r"\S+\s*|\s+", answer.content or "")]
    if answer.refusal is not None:
        deltas.append({"refusal": answer.refusal})
    for index, call in enumerate(_calls(answer, identity)):
        deltas.append({"tool_calls": [{"index": index, **call}]})
    return deltas


def _calls(answer: Answer, identity: str) -> list[Json]:
    return [
        {
            "id": f"call-{identity}-{index}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for index, call in enumerate(answer.tool_calls)
    ]


def _usage(request: ChatRequestBody, answer: Answer) -> Json:
    prompt, completion = request.words, answer.words
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
