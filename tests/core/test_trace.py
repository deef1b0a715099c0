"""Reported tool calls as a trace."""

from aloi.core.trace import ToolCall, trace_of_calls
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
