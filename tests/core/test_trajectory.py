"""The path of a target, read from its trace."""

from typing import Any

import pytest

from aloi.core.trace import COST, INPUT_TOKENS, OPERATION, OUTPUT_MESSAGES, OUTPUT_TOKENS, Span, Trace
from aloi.core.trajectory import deepest_error, message_text, parsed, trajectory, usage_of


def span(span_id: str, start: int, operation: str | None = None, **fields: Any) -> Span:
    attributes = {**fields.pop("attributes", {}), **({OPERATION: operation} if operation else {})}
    return Span(
        span_id=span_id, name=fields.pop("name", ""), start_ns=start, end_ns=start, attributes=attributes, **fields
    )


def said(text: str, role: str = "assistant") -> list[Any]:
    return [{"role": role, "parts": [{"type": "text", "content": text}]}]


TURN = {OUTPUT_MESSAGES: said("thinking"), INPUT_TOKENS: 10, OUTPUT_TOKENS: 5}


def test_steps_are_ordered_by_start_time_and_other_spans_left_out() -> None:
    trace = Trace(
        trace_id="t",
        spans=(
            span("3", 30, "chat", attributes={**TURN, OUTPUT_MESSAGES: said("done")}),
            span("0", 0, "invoke_agent", attributes={INPUT_TOKENS: 20, OUTPUT_TOKENS: 10}),
            span("2", 20, "execute_tool", name="execute_tool search", parent_id="0"),
            span("1", 10, "chat", attributes=TURN, parent_id="0"),
        ),
    )
    path = trajectory(trace)
    assert [(step.type, step.text) for step in path.steps] == [("model", "thinking"), ("tool", None), ("model", "done")]
    assert [call.tool for call in path.tool_calls] == ["search"]
    assert (path.input_tokens, path.output_tokens) == (20, 10)


def test_unknown_tokens_are_null_and_not_0() -> None:
    path = trajectory(Trace(trace_id="t", spans=(span("1", 0, "chat"),)))
    assert (path.input_tokens, path.output_tokens) == (None, None)
    assert path.steps[0].text is None


def test_arguments_that_arrived_as_text_are_parsed() -> None:
    attributes = {"gen_ai.tool.name": "f", "gen_ai.tool.call.arguments": '{"x": 1}', "gen_ai.tool.call.result": "1"}
    (call,) = trajectory(Trace(trace_id="t", spans=(span("1", 0, "execute_tool", attributes=attributes),))).tool_calls
    assert (call.tool, call.args, call.output, call.provenance) == ("f", {"x": 1}, "1", "real")


def test_the_deepest_error_is_the_cause() -> None:
    spans = [
        span("0", 0, error="agent failed"),
        span("1", 1, parent_id="0", error="tool failed"),
        span("2", 2, parent_id="1", error="connection refused"),
        span("3", 3, parent_id="0"),
    ]
    assert deepest_error(spans) == "connection refused"
    assert deepest_error(spans[3:]) is None


def test_parents_in_a_ring_do_not_hang() -> None:
    assert deepest_error([span("a", 0, parent_id="b", error="x"), span("b", 0, parent_id="a")]) == "x"


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        (said("a") + said("b"), "a\nb"),
        ('[{"parts": [{"type": "text", "content": "a"}]}]', "a"),
        ([{"parts": [{"type": "tool_call", "name": "f"}]}], None),
        ([{"parts": None}, 5], None),
        ("no JSON", None),
        (None, None),
    ],
)
def test_message_text(messages: Any, text: str | None) -> None:
    assert message_text(messages) == text


@pytest.mark.parametrize(("value", "read"), [('{"a": 1}', {"a": 1}), ("{", "{"), ("5", 5), (None, None), ([1], [1])])
def test_parsed(value: Any, read: Any) -> None:
    assert parsed(value) == read


def test_usage_counts_the_turns_without_a_price() -> None:
    priced = span("1", 0, "chat", attributes={**TURN, COST: 0.5})
    usage = usage_of(Trace(trace_id="t", spans=(priced, span("2", 1, "chat", attributes=TURN), span("3", 2))))
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (2, 20, 10)
    assert (usage.cost, usage.unpriced) == (0.5, 1)
    assert usage_of(Trace(trace_id="t")).cost is None
