"""OTLP/JSON: the JSON mapping of the protocol, with ids in hex (OTLP 1.x, "JSON Protobuf Encoding")."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

from pydantic import JsonValue
from pydantic_core import from_json

from aloi.core.json_values import storable, strict_json
from aloi.core.spec import JsonObject
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

ERROR_CODES = (2, "2", "STATUS_CODE_ERROR")
MAX_TIME = 2**63


def read(body: bytes) -> Read:
    """The spans of an `ExportTraceServiceRequest` in JSON.

    Raises:
        BadPayload: it is not JSON, or not such a request.
    """
    document = _document(body)
    if not isinstance(document, dict) or not isinstance(_object(document).get("resourceSpans", []), list):
        raise BadPayload('the body is not an OTLP trace request: it has no list "resourceSpans"')
    spans: list[RawSpan] = []
    rejected, reason = 0, ""
    for resource, scope, given in _each(cast(dict[str, Any], document)):
        found = _span(given, resource, scope)
        if isinstance(found, RawSpan):
            spans.append(found)
        else:
            rejected, reason = rejected + 1, reason or found
    return Read(spans, rejected, reason)


def answer(rejected: int, reason: str) -> JsonObject:
    """An `ExportTraceServiceResponse` that says how many spans were not taken, and why."""
    if not rejected:
        return {}
    return {"partialSuccess": {"rejectedSpans": str(rejected), "errorMessage": reason}}


def _document(body: bytes) -> Any:
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError:
        pass  # the fast reader takes no lone surrogates, which some languages write
    try:
        return strict_json(body.decode())
    except (ValueError, RecursionError) as error:
        raise BadPayload(f"the body is not JSON: {error}") from error


def _each(document: dict[str, Any]) -> Iterator[tuple[JsonObject, str, Any]]:
    for group in _objects(document.get("resourceSpans")):
        shared = _attributes(_object(group.get("resource")).get("attributes"))
        for scoped in _objects(group.get("scopeSpans") or group.get("instrumentationLibrarySpans")):
            name = str(_object(scoped.get("scope")).get("name", ""))
            for span in _list(scoped.get("spans")):
                yield shared, name, span


def _object(given: Any) -> dict[str, Any]:
    return cast(dict[str, Any], given) if isinstance(given, dict) else {}


def _list(given: Any) -> list[Any]:
    return cast(list[Any], given) if isinstance(given, list) else []


def _objects(given: Any) -> Iterable[dict[str, Any]]:
    return (_object(item) for item in _list(given) if isinstance(item, dict))


def _span(given: Any, resource: JsonObject, scope: str) -> RawSpan | str:
    """The span, or why it cannot be used."""
    if not isinstance(given, dict):
        return "a span is not an object"
    span = cast(dict[str, Any], given)
    trace_id, span_id = str(span.get("traceId", "")).lower(), str(span.get("spanId", "")).lower()
    parent_id = str(span.get("parentSpanId") or "").lower()
    if fault := checked_ids(trace_id, span_id, parent_id):
        return fault
    try:
        start, end = _time(span.get("startTimeUnixNano", 0)), _time(span.get("endTimeUnixNano", 0))
    except (TypeError, ValueError):
        return f"the times of span {span_id} are not numbers of nanoseconds"
    return RawSpan(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_or_none(parent_id),
        name=storable(str(span.get("name", ""))[:1000]),
        start_ns=start,
        end_ns=max(start, end),
        attributes=_attributes(span.get("attributes")),
        error=_error(span),
        resource=resource,
        scope=scope,
        events=_telling(span.get("events")),
    )


def _time(given: Any) -> int:
    if isinstance(given, bool):
        raise TypeError(given)
    nanoseconds = int(given)
    if not 0 <= nanoseconds < MAX_TIME:
        raise ValueError(given)
    return nanoseconds


def _error(span: dict[str, Any]) -> str | None:
    status = _object(span.get("status"))
    code, message = status.get("code"), status.get("message")
    if not isinstance(code, (int, str)) or code not in ERROR_CODES:
        return None
    return storable(str(message)) if message else _exception(span) or "error"


def _telling(given: Any) -> tuple[Event, ...]:
    """The events that tell messages."""
    if not given:
        return ()
    named = ((str(event.get("name")), event) for event in _objects(given))
    telling = [(name, event) for name, event in named if name.startswith(TELLING)]
    return tuple(Event(name, _attributes(event.get("attributes"))) for name, event in telling[:MOST_EVENTS])


def _exception(span: dict[str, Any]) -> str | None:
    """What the span's exception event says."""
    for event in _objects(span.get("events")):
        if event.get("name") == "exception":
            said = _attributes(event.get("attributes"))
            return str(said.get("exception.message") or said.get("exception.type") or "") or None
    return None


def _attributes(given: Any) -> JsonObject:
    found: JsonObject = {}
    for pair in _objects(given):
        key = pair.get("key")
        if isinstance(key, str) and len(found) < MOST_ATTRIBUTES:
            found[storable(key)] = bounded(storable(_value(pair.get("value"))))
    return found


def _value(given: Any, depth: int = 0) -> JsonValue:
    """An `AnyValue`."""
    if not isinstance(given, dict) or depth > MOST_DEPTH:
        return None
    kind, inner = next(iter(cast(dict[str, Any], given).items()), ("", None))
    match kind:
        case "intValue":
            return _number(inner)
        case "doubleValue":
            return inner if isinstance(inner, (int, float)) and not isinstance(inner, bool) else str(inner)
        case "arrayValue":
            return [_value(item, depth + 1) for item in _list(_object(inner).get("values"))]
        case "kvlistValue":
            pairs = _objects(_object(inner).get("values"))
            return {str(pair.get("key")): _value(pair.get("value"), depth + 1) for pair in pairs}
        case "stringValue" | "boolValue" | "bytesValue":
            return inner if isinstance(inner, (str, bool)) else str(inner)
        case _:
            return None


def _number(given: Any) -> JsonValue:
    try:
        return int(given)
    except (TypeError, ValueError):
        return str(given)
