"""Calls of served tools as spans, and made one with the agent's own spans of the same calls."""

from typing import Any

import pytest

from aloi.core.served import ServedCall, merged_calls, served_spans
from aloi.core.trace import OPERATION, PROVENANCE, TOOL_ARGUMENTS, TOOL_NAME, TOOL_RESULT, Span, Trace
from aloi.core.trajectory import trajectory

PARIS, ROME = {"city": "Paris"}, {"city": "Rome"}


def served(tool: str, arguments: Any, output: Any = "simulated", start: int = 10, **more: Any) -> ServedCall:
    return ServedCall(
        tool=tool, arguments=arguments, provenance="static", output=output, start_ns=start, end_ns=start + 5, **more
    )


def own(span_id: str, tool: str, start: int, **attributes: Any) -> Span:
    """A span of the agent's own."""
    given = {OPERATION: "execute_tool", TOOL_NAME: tool, **attributes}
    return Span(span_id=span_id, parent_id="agent", name=f"tool {tool}", start_ns=start, end_ns=start, attributes=given)


def merged(spans: list[Span], *calls: ServedCall) -> Trace:
    return merged_calls(Trace(trace_id="t", spans=(*spans, *served_spans(calls, "request"))))


def path(trace: Trace) -> list[tuple[str, Any, Any, str]]:
    return [(call.tool, call.args, call.output, call.provenance) for call in trajectory(trace).tool_calls]


def test_the_spans_of_calls_keep_their_order_whatever_the_clocks_say() -> None:
    spans = served_spans([served("a", {}, start=20), served("b", {}, start=20), served("c", {}, start=3)], "request")
    assert [(span.name, span.start_ns, span.end_ns) for span in spans] == [
        ("execute_tool a", 20, 25),
        ("execute_tool b", 21, 25),
        ("execute_tool c", 22, 22),
    ]
    assert {span.parent_id for span in spans} == {"request"}
    assert len({span.span_id for span in spans}) == 3


def test_a_call_that_goes_on_is_in_error() -> None:
    (span,) = served_spans([served("a", {}).model_copy(update={"end_ns": None})], None)
    assert span.error is not None and "still going on" in span.error


def test_a_trace_without_served_calls_is_left_alone() -> None:
    trace = Trace(trace_id="t", spans=(own("1", "weather", 1),))
    assert merged_calls(trace) is trace


def test_a_call_that_the_agent_reports_too_stands_once_in_the_agents_place() -> None:
    spans = [
        own("1", "lookup", 5, **{TOOL_ARGUMENTS: {}, TOOL_RESULT: "real"}),
        own("2", "weather", 30, **{TOOL_ARGUMENTS: '{"city": "Paris"}', TOOL_RESULT: '"as the agent saw it"'}),
    ]
    trace = merged(spans, served("weather", PARIS))
    assert [span.span_id for span in trace.spans] == ["1", "2"]
    assert path(trace) == [("lookup", {}, "real", "real"), ("weather", PARIS, "simulated", "static")]
    assert trace.spans[1].parent_id == "agent"


def test_calls_are_paired_by_their_arguments_and_then_in_order() -> None:
    spans = [own(str(n), "weather", n, **{TOOL_ARGUMENTS: city}) for n, city in enumerate([ROME, PARIS, PARIS])]
    calls = [served("weather", PARIS, 1, 10), served("weather", ROME, 2, 20), served("weather", PARIS, 3, 30)]
    assert path(merged(spans, *calls)) == [
        ("weather", ROME, 2, "static"),
        ("weather", PARIS, 1, "static"),
        ("weather", PARIS, 3, "static"),
    ]


def test_numbers_are_equal_by_value() -> None:
    trace = merged([own("1", "add", 1, **{TOOL_ARGUMENTS: {"n": 1}})], served("add", {"n": 1.0}))
    assert len(trace.spans) == 1


def test_an_agent_that_reports_no_arguments_gets_ours() -> None:
    trace = merged(
        [own("1", "weather", 1), own("2", "weather", 2)], served("weather", PARIS, 1), served("weather", ROME)
    )
    assert path(trace) == [("weather", PARIS, 1, "static"), ("weather", ROME, "simulated", "static")]


@pytest.mark.parametrize("name", ["x_weather", "mcp__x__weather", "x.weather", "x/weather"])
def test_the_agent_may_put_its_servers_name_before_the_tools(name: str) -> None:
    spans = [own("1", name, 1, **{TOOL_ARGUMENTS: PARIS})]
    assert path(merged(spans, served("weather", PARIS))) == [("weather", PARIS, "simulated", "static")]


@pytest.mark.parametrize("name", ["weathers", "myweather", "other"])
def test_another_tool_is_another_call(name: str) -> None:
    trace = merged([own("1", name, 1, **{TOOL_ARGUMENTS: PARIS, TOOL_RESULT: 1})], served("weather", PARIS))
    assert path(trace) == [(name, PARIS, 1, "real"), ("weather", PARIS, "simulated", "static")]


def test_other_arguments_are_another_call() -> None:
    trace = merged([own("1", "weather", 1, **{TOOL_ARGUMENTS: ROME})], served("weather", PARIS))
    assert len(trajectory(trace).tool_calls) == 2


def test_merging_again_with_later_spans_takes_none_of_those_that_were_paired() -> None:
    """Spans may come in parts: each served call is still one call."""
    first = merged(
        [own("1", "weather", 1, **{TOOL_ARGUMENTS: PARIS})], served("weather", PARIS), served("weather", PARIS)
    )
    assert len(first.spans) == 2
    late = own("2", "weather", 2, **{TOOL_ARGUMENTS: PARIS})
    again = merged_calls(first.model_copy(update={"spans": (*first.spans, late)}))
    assert [span.span_id for span in again.spans] == ["1", "2"]
    assert [span.attributes[PROVENANCE] for span in again.spans] == ["static", "static"]
    assert merged_calls(again) is again


def test_what_the_agent_says_of_an_error_stands() -> None:
    failed = own("1", "weather", 1, **{TOOL_ARGUMENTS: PARIS}).model_copy(update={"error": "it gave up"})
    (span,) = merged([failed], served("weather", PARIS, None, error="no answer")).spans
    assert span.error == "it gave up"
    (span,) = merged([own("1", "weather", 1, **{TOOL_ARGUMENTS: PARIS})], served("weather", PARIS, error="none")).spans
    assert span.error == "none"
