"""What a bad model does, chosen by the name of the model: `NAME` or `NAME:ARGUMENT`.

Errors that carry a status may end in `:retry-after=SECONDS`.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from tests.model_server.behaviours import Behaviour, Call, echo, judge_pass
from tests.model_server.chat import Json
from tests.model_server.reply import DONE, Answer, Reply, Wire, encode, error, event

CUT_JSON = b'{"id": "chatcmpl-1", "choices": ['


def status(call: Call) -> Reply:
    """`status:CODE`: always answers with that HTTP status and an OpenAI error."""
    code, headers = _with_retry_after(call.argument)
    return error(int(code), f"Scripted status {code}.", headers=headers)


def flaky(call: Call) -> Reply:
    """`flaky:CODExN`: answers each prompt N times with that status, then echoes."""
    argument, headers = _with_retry_after(call.argument)
    code, _, times = argument.partition("x")
    if call.arrival.of_prompt <= int(times):
        return error(int(code), f"Scripted status {code}, time {call.arrival.of_prompt}.", headers=headers)
    return echo(call)


def limit(call: Call) -> Reply:
    """`limit:N`: echoes, but answers 429 (retry after 1 s) while N requests of this model are being answered."""
    most, headers = _with_retry_after(call.argument)
    if call.arrival.in_flight > int(most):
        return error(429, f"At most {most} requests at once.", "rate_limit_exceeded", headers or {"Retry-After": "1"})
    return echo(call)


async def hang(_: Call) -> Reply:
    """`hang`: never answers. Ends when the client leaves or the server stops."""
    await asyncio.get_running_loop().create_future()
    raise AssertionError("a hanging call was woken")


async def slow(call: Call) -> Reply:
    """`slow:SECONDS`: echoes after a while."""
    await asyncio.sleep(float(call.argument))
    return echo(call)


def empty_choices(call: Call) -> Reply:
    """`empty-choices`: a well-formed completion without a single choice."""
    document: Json = {"id": "chatcmpl-1", "created": 0, "model": call.request.model, "choices": []}
    usage = {"prompt_tokens": call.request.words, "completion_tokens": 0, "total_tokens": call.request.words}
    if call.request.stream:
        chunk = event(document | {"object": "chat.completion.chunk", "usage": usage})
        return Wire((chunk, DONE), content_type="text/event-stream")
    return Wire((event(document | {"object": "chat.completion", "usage": usage})[len(b"data: ") :],))


def null_content(_: Call) -> Reply:
    """`null-content`: the content is null and there is no tool call."""
    return Answer(None)


def malformed(call: Call) -> Reply:
    """`malformed`: the body, or the first event, is JSON cut short."""
    if call.request.stream:
        return Wire((b"data: " + CUT_JSON + b"\n\n",), content_type="text/event-stream")
    return Wire((CUT_JSON,))


def not_utf8(call: Call) -> Reply:
    """`not-utf8`: the content holds bytes that are no UTF-8."""
    wire = encode(call.request, Answer("@@"), "chatcmpl-1")
    return replace(wire, parts=tuple(part.replace(b"@@", b"\xff\xfe") for part in wire.parts))


def close(call: Call) -> Reply:
    """`close`: drops the connection in the middle of the body."""
    wire = encode(call.request, Answer("Half an answer"), "chatcmpl-1")
    body = b"".join(wire.parts)
    return replace(wire, parts=(body[: len(body) // 2],), drop=True)


def huge(call: Call) -> Reply:
    """`huge:N`: a content of N characters."""
    return Answer("x" * int(call.argument))


def surrogate(_: Call) -> Reply:
    r"""`surrogate`: the content holds the JSON escape `\ud800`, half a pair."""
    return Answer("Half a pair: \ud800.")


def nul(_: Call) -> Reply:
    """`nul`: the content holds a NUL character."""
    return Answer("Before\0after.")


def refusal(_: Call) -> Reply:
    """`refusal`: the model refuses; the content is null."""
    return Answer(refusal="I cannot help with that.")


def no_structured(call: Call) -> Reply:
    """`no-structured`: 400 whenever `response_format` is present; else as `judge-pass`."""
    if "response_format" in call.request:
        return error(400, "response_format is not supported by this model.", "unsupported_parameter")
    return judge_pass(call)


def _with_retry_after(argument: str) -> tuple[str, Mapping[str, str]]:
    argument, _, seconds = argument.partition(":retry-after=")
    return argument, {"Retry-After": seconds} if seconds else {}


MISBEHAVIOURS: Mapping[str, Behaviour] = {
    "status": status,
    "flaky": flaky,
    "limit": limit,
    "hang": hang,
    "slow": slow,
    "empty-choices": empty_choices,
    "null-content": null_content,
    "malformed": malformed,
    "not-utf8": not_utf8,
    "close": close,
    "huge": huge,
    "surrogate": surrogate,
    "nul": nul,
    "refusal": refusal,
    "no-structured": no_structured,
}
