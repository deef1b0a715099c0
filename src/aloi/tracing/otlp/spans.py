"""Raw spans as ours, with attributes in the names of the GenAI conventions."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.trace import (
    INPUT_MESSAGES,
    INPUT_TOKENS,
    OPERATION,
    OUTPUT_MESSAGES,
    OUTPUT_TOKENS,
    TOOL_ARGUMENTS,
    TOOL_CALL_ID,
    TOOL_NAME,
    Span,
)
from aloi.core.trajectory import parsed
from aloi.tracing.otlp import genai, openinference
from aloi.tracing.otlp.messages import read
from aloi.tracing.otlp.raw import RawSpan

SCOPE = "otel.scope.name"
SERVICE = "service.name"
# What we note on spans ourselves, as that a call was simulated, nobody else can say.
OURS = "aloi."
TARGET = "aloi.target"
OF_A_TURN = (INPUT_MESSAGES, OUTPUT_MESSAGES, INPUT_TOKENS, OUTPUT_TOKENS)


def core_span(raw: RawSpan) -> Span:
    """The span in our form."""
    return Span.model_validate(span_fields(raw))


def span_fields(raw: RawSpan) -> JsonObject:
    """The fields of the span in our form."""
    if openinference.speaks(raw.attributes):
        attributes = openinference.told(raw.attributes, raw.name)
    else:
        attributes = genai.told(raw.attributes, raw.name, raw.events)
    attributes = {name: value for name, value in attributes.items() if name == TARGET or not name.startswith(OURS)}
    if raw.scope:
        attributes[SCOPE] = raw.scope
    for name in (SERVICE, TARGET):
        if name in raw.resource:
            attributes.setdefault(name, raw.resource[name])
    return {
        "span_id": raw.span_id,
        "parent_id": raw.parent_id,
        "name": raw.name,
        "start_ns": raw.start_ns,
        "end_ns": raw.end_ns,
        "attributes": attributes,
        "error": raw.error,
    }


def completed(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans of a whole trace by their start, with the arguments of tool calls as the model gave them.

    Some exporters tell a tool's arguments as a bare text only; the model turn that asked for the call has them.
    """
    ordered = sorted(unwrapped(spans), key=lambda span: (span.start_ns, span.span_id))
    asked = _Asked(ordered)
    return tuple(asked.completed(span) if span.operation == "execute_tool" else span for span in ordered)


def unwrapped(spans: Sequence[Span]) -> list[Span]:
    """The spans, each turn of a model once: where two instrumentations tell one turn, the outer one is no turn.

    What the inner one does not tell of the conversation and the tokens is taken from the outer.
    """
    turns = {span.span_id: span for span in spans if span.operation == "chat"}
    inner: dict[str, list[Span]] = {}
    for span in turns.values():
        if span.parent_id in turns and span.parent_id != span.span_id:
            inner.setdefault(str(span.parent_id), []).append(span)
    changed = {span_id: _changed(turns[span_id], without=(OPERATION,)) for span_id in inner}
    for span_id, children in inner.items():
        told = turns[span_id].attributes
        if len(children) == 1 and children[0].span_id not in changed:
            added = {name: told[name] for name in OF_A_TURN if name in told}
            changed[children[0].span_id] = _changed(children[0], added)
    return [changed.get(span.span_id, span) for span in spans]


def _changed(span: Span, added: JsonObject | None = None, without: Sequence[str] = ()) -> Span:
    """The span with attributes that it lacks, and without some."""
    kept = {name: value for name, value in span.attributes.items() if name not in without}
    return span.model_copy(update={"attributes": {**(added or {}), **kept}})


class _Asked:
    """The tool calls that model turns asked for, each to be carried out once."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._by_id: dict[str, JsonObject] = {}
        self._by_name: dict[str, deque[JsonObject]] = {}
        self._done: set[int] = set()
        for call in asked_calls(spans):
            self._by_id.setdefault(str(call.get("id")), call)
            self._by_name.setdefault(str(call.get("name")), deque()).append(call)

    def completed(self, span: Span) -> Span:
        """The span of a tool with the arguments of the call that it carries out."""
        given = span.attributes
        call = self._taken(given.get(TOOL_CALL_ID), given.get(TOOL_NAME))
        if call is None or isinstance(read(given.get(TOOL_ARGUMENTS)), dict):
            return span
        return span.model_copy(update={"attributes": {**given, TOOL_ARGUMENTS: read(call.get("arguments"))}})

    def _taken(self, call_id: JsonValue, name: JsonValue) -> JsonObject | None:
        """The call of that id; where ids are not told, the first of that name."""
        by_id = self._by_id.get(str(call_id)) if call_id is not None else None
        if by_id is not None:
            self._done.add(id(by_id))
            return by_id
        waiting = self._by_name.get(str(name), deque())
        while waiting:
            call = waiting.popleft()
            told_apart = call_id is not None and call.get("id") is not None
            if id(call) not in self._done and not told_apart:
                return call
        return None


def asked_calls(spans: Iterable[Span]) -> Iterator[JsonObject]:
    """The tool calls that model turns asked for, in order."""
    for span in spans:
        if span.operation == "chat":
            yield from calls_in(span.attributes.get(OUTPUT_MESSAGES))


def calls_in(messages: JsonValue) -> Iterator[JsonObject]:
    """The parts of messages that ask for calls of tools."""
    found = parsed(messages)
    for message in found if isinstance(found, list) else []:
        parts = message.get("parts") if isinstance(message, dict) else None
        for part in parts if isinstance(parts, list) else []:
            if isinstance(part, dict) and part.get("type") == "tool_call":
                yield part


def is_root(span: Span, known: set[str]) -> bool:
    """Whether a span has no parent among those that are known."""
    return span.parent_id is None or span.parent_id not in known
