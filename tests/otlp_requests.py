"""OTLP requests as exporters send them: spans of an agent that asks a model, calls a tool, and answers."""

import json
import secrets
import time
from typing import Any

Json = dict[str, Any]


def new_trace() -> str:
    """A fresh trace id."""
    return secrets.token_hex(16)


def attributes(**given: Any) -> list[Json]:
    """Attributes in OTLP/JSON; `__` in a name stands for a dot."""
    return [{"key": name.replace("__", "."), "value": any_value(value)} for name, value in given.items()]


def any_value(value: Any) -> Json:
    """A value in OTLP/JSON; what is no text, number or truth value is told as its JSON text."""
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case _:
            return {"stringValue": json.dumps(value)}


def span(trace_id: str, number: int, parent: int | None = None, *, name: str = "work", **more: Any) -> Json:
    """A span that began `number` milliseconds ago less a second; its id is made of the number.

    `more` are fields of a span, and its attributes by names with `__` for a dot.
    """
    fields = {key: more.pop(key) for key in list(more) if key in ("status", "events", "startTimeUnixNano")}
    start = int(fields.pop("startTimeUnixNano", time.time_ns() - 1_000_000_000 + number * 1_000_000))
    own = {"traceId": trace_id, "spanId": f"{number + 1:016x}", "name": name, "attributes": attributes(**more)}
    placed = {} if parent is None else {"parentSpanId": f"{parent + 1:016x}"}
    return {**own, **placed, "startTimeUnixNano": str(start), "endTimeUnixNano": str(start + 500_000), **fields}


def messages(role: str, text: str) -> list[Json]:
    """A conversation of one message."""
    return [{"role": role, "parts": [{"type": "text", "content": text}]}]


def agent(trace_id: str, asked: str = "What time is it?", answer: str = "Noon.", **more: Any) -> Json:
    """The root: an agent that was asked, and answered."""
    return span(
        trace_id, 0, name="invoke_agent bot", gen_ai__operation__name="invoke_agent",
        gen_ai__input__messages=messages("user", asked), gen_ai__output__messages=messages("assistant", answer), **more
    )  # fmt: skip


def chat(trace_id: str, number: int, tokens: tuple[int, int] = (10, 2), **more: Any) -> Json:
    """A turn of the model."""
    said: Json = {"gen_ai__usage__input_tokens": tokens[0], "gen_ai__usage__output_tokens": tokens[1], **more}
    model: Json = {"gen_ai__provider__name": "openai", "gen_ai__request__model": "gpt-5-mini"}
    return span(trace_id, number, 0, name="chat", gen_ai__operation__name="chat", **{**model, **said})


def tool(trace_id: str, number: int, name: str, result: str = "ok", **arguments: Any) -> Json:
    """A call of a tool."""
    said: Json = {"gen_ai__tool__name": name, "gen_ai__tool__call__arguments": arguments}
    return span(
        trace_id, number, 0, name=f"execute_tool {name}", gen_ai__operation__name="execute_tool",
        gen_ai__tool__call__result=result, **said
    )  # fmt: skip


def execution(trace_id: str, *tools: str) -> list[Json]:
    """The spans of a whole execution that called these tools in order."""
    calls = [tool(trace_id, number, name, city="Paris") for number, name in enumerate(tools, 2)]
    return [agent(trace_id), chat(trace_id, 1), *calls]


def document(*spans: Json, service: str | None = "bot", **resource: Any) -> Json:
    """An `ExportTraceServiceRequest` of spans of one service."""
    named = {} if service is None else {"service__name": service}
    group = {
        "resource": {"attributes": attributes(**named, **resource)},
        "scopeSpans": [{"scope": {"name": "test"}, "spans": list(spans)}],
    }
    return {"resourceSpans": [group]}


def request(*spans: Json, service: str | None = "bot", **resource: Any) -> bytes:
    """The same as bytes."""
    return json.dumps(document(*spans, service=service, **resource)).encode()
