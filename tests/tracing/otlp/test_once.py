"""Turns and calls that several instrumentations tell count once."""

from typing import Any

import pytest

from aloi.core.trace import INPUT_TOKENS, OPERATION, TOOL_CALL_ID, TOOL_NAME, TOOL_RESULT, Span
from aloi.tracing.otlp.once import once, works_above


def span(number: int, parent: int | None = None, operation: str | None = None, **attributes: Any) -> Span:
    """A span that began at its number; `__` in names stands for a dot."""
    told = {name.replace("__", "."): value for name, value in attributes.items()}
    return Span(
        span_id=str(number),
        parent_id=None if parent is None else str(parent),
        name="work",
        start_ns=number,
        end_ns=number + 1,
        attributes=told if operation is None else {OPERATION: operation, **told},
    )


def tool(number: int, parent: int | None, name: str = "search", **more: Any) -> Span:
    return span(number, parent, "execute_tool", **{TOOL_NAME: name, **more})


def works(spans: list[Span]) -> list[str]:
    return [one.span_id for one in once(spans) if one.operation is not None]


def test_of_turns_within_turns_the_innermost_counts_whatever_lies_between():
    chats = [span(1, None, "chat", **{INPUT_TOKENS: 5}), span(2, 1), span(3, 2, "chat"), span(4, 3, "chat")]
    assert works(chats) == ["4"]
    assert once(chats)[-1].attributes[INPUT_TOKENS] == 5


def test_a_turn_around_two_others_is_none_and_tells_neither_what_it_used():
    found = once([span(1, None, "chat", **{INPUT_TOKENS: 5}), span(2, 1, "chat"), span(3, 1, "chat")])
    assert [one.operation for one in found] == [None, "chat", "chat"]
    assert all(INPUT_TOKENS not in one.attributes for one in found[1:])


@pytest.mark.parametrize("between", ["execute_tool", "invoke_agent"])
def test_a_turn_of_other_work_within_a_turn_is_its_own(between: str):
    assert works([span(1, None, "chat"), span(2, 1, between), span(3, 2, "chat")]) == ["1", "2", "3"]


def test_of_calls_of_one_tool_the_outermost_counts_with_what_the_inner_one_tells():
    found = once([tool(1, None), span(2, 1), tool(3, 2, **{TOOL_RESULT: "found"})])
    assert [one.operation for one in found] == ["execute_tool", None, None]
    assert found[0].attributes[TOOL_RESULT] == "found"


@pytest.mark.parametrize(
    ("inner", "left"),
    [
        (tool(2, 1, "files_search", mcp__method__name="tools/call"), ["1"]),
        (tool(2, 1, "other", **{TOOL_CALL_ID: "7"}), ["1"]),
        (tool(2, 1, "other"), ["1", "2"]),
    ],
)
def test_calls_of_other_names(inner: Span, left: list[str]):
    assert works([tool(1, None, **{TOOL_CALL_ID: "7"}), inner]) == left


def test_a_tool_that_asks_a_model_which_calls_it_again_is_called_twice():
    assert works([tool(1, None), span(2, 1, "chat"), tool(3, 2)]) == ["1", "2", "3"]


def test_where_spans_lie_in_a_circle_the_search_ends():
    found = works_above([span(1, 2), span(2, 1), span(3, 2, "chat")])
    assert set(found) == {"1", "2", "3"}
    assert len(once([span(1, 2, "chat"), span(2, 1, "chat")])) == 2
