"""OTLP/protobuf, read attribute by attribute: a tenth of the time that a message's own JSON mapping takes."""

from collections.abc import Iterable
from typing import Any

from pydantic import JsonValue

from aloi.core.json_values import storable
from aloi.core.spec import JsonObject
from aloi.plugins import module
from aloi.tracing.otlp.raw import (
    MOST_ATTRIBUTES,
    MOST_DEPTH,
    MOST_EVENTS,
    TELLING,
    BadPayload,
    Event,
    RawSpan,
    Read,
    bounded,
    checked_ids,
    parent_or_none,
)

MESSAGES = "opentelemetry.proto.collector.trace.v1.trace_service_pb2"  # loaded when the first such request comes
ERROR_CODE = 2


def read(body: bytes) -> Read:
    """The spans of an `ExportTraceServiceRequest` in protobuf.

    Raises:
        BadPayload: it is not such a request.
    """
    request: Any = module(MESSAGES).ExportTraceServiceRequest()
    try:
        request.ParseFromString(body)
    except Exception as error:  # the library's own type of error, which differs between its engines
        raise BadPayload(f"the body is not an OTLP trace request in protobuf: {error}") from error
    spans: list[RawSpan] = []
    rejected, reason = 0, ""
    for group in request.resource_spans:
        resource = _attributes(group.resource.attributes)
        for scoped in group.scope_spans:
            for span in scoped.spans:
                found = _span(span, resource, scoped.scope.name)
                if isinstance(found, RawSpan):
                    spans.append(found)
                else:
                    rejected, reason = rejected + 1, reason or found
    return Read(spans, rejected, reason)


def answer(rejected: int, reason: str) -> bytes:
    """An `ExportTraceServiceResponse` that says how many spans were not taken, and why."""
    response: Any = module(MESSAGES).ExportTraceServiceResponse()
    if rejected:
        response.partial_success.rejected_spans = rejected
        response.partial_success.error_message = reason
    answered: bytes = response.SerializeToString()
    return answered


def status(code: int, message: str) -> bytes:
    """A `google.rpc.Status`, written by hand: its package is not ours to need for two fields."""
    text = message.encode("utf-8", "replace")
    return b"\x08" + _varint(code) + b"\x12" + _varint(len(text)) + text


def _varint(number: int) -> bytes:
    """A number as protobuf writes it: seven bits a byte, the low ones first."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def _span(span: Any, resource: JsonObject, scope: str) -> RawSpan | str:
    """The span, or why it cannot be used."""
    trace_id, span_id, parent_id = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
    if fault := checked_ids(trace_id, span_id, parent_id):
        return fault
    if max(span.start_time_unix_nano, span.end_time_unix_nano) >= 2**63:
        return f"the times of span {span_id} are beyond the year 2262"
    return RawSpan(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_or_none(parent_id),
        name=span.name[:1000],
        start_ns=span.start_time_unix_nano,
        end_ns=max(span.start_time_unix_nano, span.end_time_unix_nano),
        attributes=_attributes(span.attributes),
        error=_error(span),
        resource=resource,
        scope=scope,
        events=_telling(span.events),
    )


def _error(span: Any) -> str | None:
    if span.status.code != ERROR_CODE:
        return None
    return span.status.message or _exception(span) or "error"


def _telling(given: Any) -> tuple[Event, ...]:
    """The events that tell messages."""
    telling = [event for event in given if event.name.startswith(TELLING)] if given else []
    return tuple(Event(event.name, _attributes(event.attributes)) for event in telling[:MOST_EVENTS])


def _exception(span: Any) -> str | None:
    """What the span's exception event says."""
    for event in span.events:
        if event.name == "exception":
            said = _attributes(event.attributes)
            return str(said.get("exception.message") or said.get("exception.type") or "") or None
    return None


def _attributes(given: Iterable[Any]) -> JsonObject:
    found: JsonObject = {}
    for pair in given:
        if len(found) >= MOST_ATTRIBUTES:
            break
        found[pair.key] = bounded(_value(pair.value))
    return found


def _value(given: Any, depth: int = 0) -> JsonValue:
    """An `AnyValue`."""
    kind = given.WhichOneof("value")
    if kind is None or depth > MOST_DEPTH:
        return None
    inner: Any = getattr(given, kind)
    match kind:
        case "array_value":
            return [_value(item, depth + 1) for item in inner.values]
        case "kvlist_value":
            return {pair.key: _value(pair.value, depth + 1) for pair in inner.values}
        case "bytes_value":
            return inner.hex()
        case "double_value":
            return _finite(inner)
        case _:
            plain: JsonValue = storable(inner)
            return plain


def _finite(number: float) -> JsonValue:
    """JSON has no NaN and no infinity; they are told as texts."""
    return number if abs(number) < float("inf") else str(number)
