"""A span as an exporter sent it."""

from typing import NamedTuple

from pydantic import JsonValue

from aloi.core.spec import JsonObject

MOST_ATTRIBUTES = 1000  # of one span; what is beyond is left out
MOST_CHARACTERS = 256 * 1024  # of one attribute's text; what is beyond is cut
MOST_DEPTH = 20  # of a value in values
MOST_EVENTS = 1000  # of one span, that tell messages
# How the names of events begin that tell messages of a conversation.
TELLING = "gen_ai."


class Event(NamedTuple):
    """What a span tells beside its attributes, in the order of its happening."""

    name: str
    attributes: JsonObject


class RawSpan(NamedTuple):
    """Ids are lower-case hex; times nanoseconds since 1970-01-01 UTC. `error`: null unless its status is an error.

    `resource`: the attributes of what sent it, shared by many spans. `scope`: the instrumentation's name. `events`:
    only those that tell messages.
    """

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start_ns: int
    end_ns: int
    attributes: JsonObject
    error: str | None
    resource: JsonObject
    scope: str
    events: tuple[Event, ...] = ()


class BadPayload(ValueError):
    """Bytes that are not OTLP."""


class Read(NamedTuple):
    """What a request held: its spans, and how many were not usable (`rejected`) with the reason of the first."""

    spans: list[RawSpan]
    rejected: int = 0
    reason: str = ""


def checked_ids(trace_id: str, span_id: str, parent_id: str) -> str | None:
    """Why ids cannot be used; null when they can."""
    if not (len(trace_id) == 32 and _is_hex(trace_id) and int(trace_id, 16)):
        return f"a trace id has 32 hex digits, not all zero, and {trace_id[:40]!r} has not"
    if not (len(span_id) == 16 and _is_hex(span_id) and int(span_id, 16)):
        return f"a span id has 16 hex digits, not all zero, and {span_id[:40]!r} has not"
    if parent_id and not (len(parent_id) == 16 and _is_hex(parent_id)):
        return f"a parent's id has 16 hex digits, and {parent_id[:40]!r} has not"
    return None


def _is_hex(text: str) -> bool:
    return all(digit in "0123456789abcdef" for digit in text)


def parent_or_none(parent_id: str) -> str | None:
    """The parent's id; null for none, which some write as zeros."""
    return parent_id if parent_id.strip("0") else None


def bounded(value: JsonValue) -> JsonValue:
    """A value of an attribute, with a text that is too long cut."""
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return f"{value[:MOST_CHARACTERS]}… [cut: {len(value) - MOST_CHARACTERS:,} characters more]"
    return value
