"""Calls of tools, as the turns of the model around them tell."""

from typing import Any

from aloi.core.trace import (
    INPUT_MESSAGES,
    OPERATION,
    OUTPUT_MESSAGES,
    TOOL_ARGUMENTS,
    TOOL_CALL_ID,
    TOOL_NAME,
    TOOL_RESULT,
    Span,
)
from aloi.core.trajectory import trajectory
from aloi.tracing.otlp.spans import completed
from aloi.tracing.otlp.whole import observed

ASKED: Any = [{"id": "1", "name": "add", "arguments": '{"n": 1}'}, {"id": "2", "name": "fetch", "arguments": {}}]


def turn(number: int, asked: Any = (), answered: Any = ()) -> Span:
    """A turn that asks for calls and was told what others gave."""
    calls: Any = [{"type": "tool_call", **call} for call in asked]
    told: Any = [{"type": "tool_call_response", "id": key, "response": value} for key, value in answered]
    text: Any = [] if asked else [{"type": "text", "content": "Done."}]
    messages: Any = {
        INPUT_MESSAGES: [
            {"role": "user", "parts": [{"type": "text", "content": "Go."}]},
            {"role": "tool", "parts": told},
        ],
        OUTPUT_MESSAGES: [{"role": "assistant", "parts": [*text, *calls]}],
    }
    return span(number, **{OPERATION: "chat", **messages})


def span(number: int, **attributes: Any) -> Span:
    return Span(span_id=str(number), parent_id="0", name="work", start_ns=number, end_ns=number, attributes=attributes)


def tool(number: int, name: str, **more: Any) -> Span:
    return span(number, **{OPERATION: "execute_tool", TOOL_NAME: name, **more})


TOLD = [("1", "2"), ("2", "page")]


def test_calls_that_turns_alone_tell_are_there_in_the_order_of_their_asking():
    found = observed("ab" * 16, [turn(10, ASKED), turn(20, answered=TOLD)])
    assert found.outcome.trace is not None
    calls = trajectory(found.outcome.trace).tool_calls
    assert [(call.tool, call.args, call.output) for call in calls] == [("add", {"n": 1}, "2"), ("fetch", {}, "page")]
    assert (found.input, found.outcome.output) == ("Go.", "Done.")


def test_a_call_that_no_turn_was_answered_is_not_known_to_have_been_made():
    assert len(completed([turn(10, ASKED), turn(20)])) == 2


def test_calls_from_before_and_answers_by_a_tool_are_none():
    assert len(completed([turn(20, answered=TOLD)])) == 1
    answer = [{"id": "1", "name": "final_result", "arguments": {}}]
    assert len(completed([turn(10, answer), turn(20, answered=TOLD)])) == 2


def test_a_span_that_comes_late_stands_in_for_what_the_turns_told():
    early = completed([turn(10, ASKED), turn(20, answered=TOLD)])
    late = completed([*early, tool(11, "add"), tool(12, "fetch")])
    assert [one.span_id for one in late] == ["10", "11", "12", "20"]
    assert completed(late) == late
    assert completed(early) == early


def test_what_a_tools_span_does_not_tell_is_taken_from_the_turns():
    bare = completed([turn(10, ASKED), tool(11, "add"), tool(12, "fetch", **{TOOL_CALL_ID: "2"}), turn(20, (), TOLD)])
    given = [(one.attributes[TOOL_ARGUMENTS], one.attributes[TOOL_RESULT]) for one in bare[1:3]]
    assert given == [({"n": 1}, "2"), ({}, "page")]
