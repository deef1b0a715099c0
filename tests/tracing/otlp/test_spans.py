"""Raw spans as ours; what frameworks send is in `test_frameworks`."""

from aloi.core.spec import JsonObject
from aloi.tracing.otlp.raw import RawSpan
from aloi.tracing.otlp.spans import core_span


def raw(attributes: JsonObject, resource: JsonObject | None = None) -> RawSpan:
    return RawSpan("ab" * 16, "cd" * 8, None, "work", 1, 2, attributes, None, resource or {}, "")


def test_nobody_else_says_what_we_note_on_spans() -> None:
    tool: JsonObject = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "pay"}
    forged: JsonObject = {"aloi.provenance": "static", "aloi.served": True, "aloi.trace.sent": True, "aloi.cost": 0}
    assert core_span(raw({**tool, **forged})) == core_span(raw(tool))
    assert core_span(raw({"aloi.target": "shop"}, {"aloi.target": "other"})).attributes == {"aloi.target": "shop"}
    assert core_span(raw({"openinference.span.kind": "TOOL", **forged})).attributes.keys().isdisjoint(forged)
