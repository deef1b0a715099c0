"""Raw spans as ours, with attributes in the names of the GenAI conventions."""

from collections.abc import Sequence

from aloi.core.spec import JsonObject
from aloi.core.trace import Span
from aloi.tracing.otlp import genai, openinference
from aloi.tracing.otlp.asked import FROM_MESSAGES, Asked, untold
from aloi.tracing.otlp.genai import told_failure
from aloi.tracing.otlp.once import once
from aloi.tracing.otlp.raw import RawSpan

SCOPE = "otel.scope.name"
SERVICE = "service.name"
# What we note on spans ourselves, as that a call was simulated, nobody else can say.
OURS = "aloi."
TARGET = "aloi.target"


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
        "error": raw.error or told_failure(attributes),
    }


def completed(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans of a whole trace by their start, with the calls of tools as the model asked for them.

    Some exporters tell a tool's arguments as a bare text only, or not at all; the turns of the model around it have
    them. Where no span tells of a tool, the turns tell which were called.
    """
    told = [span for span in spans if FROM_MESSAGES not in span.attributes]
    ordered = sorted(once(told), key=_by_start)
    turns = [span for span in ordered if span.operation == "chat"]
    if not any(span.operation == "execute_tool" for span in ordered):
        return tuple(sorted([*ordered, *untold(turns)], key=_by_start))
    asked = Asked(turns)
    found = [asked.completed(span) if span.operation == "execute_tool" else span for span in ordered]
    # By some clocks calls begin at one time: then in the order in which the model asked for them.
    return tuple(sorted(found, key=lambda span: (span.start_ns, asked.place(span))))


def _by_start(span: Span) -> tuple[int, int, str]:
    """What surrounds others that begin at the same time goes before them."""
    return span.start_ns, -span.end_ns, span.span_id


def is_root(span: Span, known: set[str]) -> bool:
    """Whether a span has no parent among those that are known."""
    return span.parent_id is None or span.parent_id not in known
