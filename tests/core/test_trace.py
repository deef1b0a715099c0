"""Reported tool calls as a trace, and which spans are of which service."""

from aloi.core.trace import TRACE_SENT, TRACE_WAIT, Span, ToolCall, parts, promised, trace_of_calls
from aloi.core.trajectory import trajectory


def test_reported_calls_come_back_as_they_were_and_in_order() -> None:
    made = (
        ToolCall(tool="b", args={"x": 1}, output=[1, None]),
        ToolCall(tool="a", error="broke", provenance="static"),
        ToolCall(tool="b", args={}, output=""),
    )
    trace = trace_of_calls("t", made, start_ns=5)
    assert trajectory(trace).tool_calls == made
    assert [span.start_ns for span in trace.spans] == [5, 6, 7]
    assert len({span.span_id for span in trace.spans}) == 3


def test_no_calls_are_evidence_too() -> None:
    trace = trace_of_calls("t", ())
    assert trace.shows_tools
    assert trajectory(trace).tool_calls == ()


def span(span_id: str, parent_id: str | None = None, **more: object) -> Span:
    given = {"span_id": span_id, "parent_id": parent_id, "name": span_id, "start_ns": 0, "end_ns": 1, **more}
    return Span.model_validate(given)


def ids(found: dict[str | None, list[Span]]) -> dict[str | None, str]:
    return {request: " ".join(one.span_id for one in theirs) for request, theirs in found.items()}


def test_each_span_is_of_the_request_that_it_stands_below() -> None:
    sent = span("A"), span("B")
    theirs = [span("a2", "a1"), span("b1", "B"), span("a1", "A"), span("lost", "gone"), span("b2", "b1"), span("root")]
    circle = [span("x", "y"), span("y", "x"), span("z", "y")]
    found = {"A": "a2 a1", "B": "b1 b2", None: "lost root x y z"}
    assert ids(parts(sent, [*theirs, *circle])) == found


def test_of_one_request_all_are_its_part() -> None:
    assert ids(parts([span("A")], [span("a1", "A"), span("lost", "gone")])) == {"A": "a1 lost", None: ""}


def test_a_part_is_promised_where_the_definition_says_so_and_the_request_was_answered() -> None:
    told = {TRACE_SENT: True, TRACE_WAIT: 2.0}
    sent = (
        span("A", attributes={TRACE_SENT: True}),
        span("B", attributes=told),
        span("C", attributes=told, error="status 500"),
    )
    assert [one.span_id for one in promised(sent)] == ["B"]
