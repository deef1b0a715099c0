"""Spans of a service join the trace of the request that it was sent."""

import random

import pytest

from aloi.core.served import ServedCall, merged_calls, served_spans
from aloi.core.spec import JsonObject
from aloi.core.trace import OPERATION, TOOL_ARGUMENTS, TOOL_NAME, TRACE_AWAITED, TRACE_SENT, TRACE_WAIT, Span, Trace
from aloi.core.trajectory import trajectory
from aloi.tracing.otlp.joined import awaited, is_whole, joined

SENT = Span(span_id="f" * 16, name="POST host", start_ns=1000, end_ns=2000, attributes={TRACE_SENT: True})
OURS = Trace(trace_id="ab" * 16, spans=(SENT,), shows_tools=False)


def span(number: int, parent: int | str | None, start: int, end: int, **attributes: str) -> Span:
    above = f"{parent:016x}" if isinstance(parent, int) else parent
    told: JsonObject = {OPERATION if name == "operation" else name: value for name, value in attributes.items()}
    return Span(
        span_id=f"{number:016x}", parent_id=above, name=f"s{number}", start_ns=start, end_ns=end, attributes=told
    )


def tool(number: int, name: str, start: int) -> Span:
    told: JsonObject = {OPERATION: "execute_tool", TOOL_NAME: name, TOOL_ARGUMENTS: {"q": 1}}
    return Span(
        span_id=f"{number:016x}", parent_id=f"{1:016x}", name=name, start_ns=start, end_ns=start + 10, attributes=told
    )


def part(shift: int = 0) -> list[Span]:
    """What a service did, by a clock that is so far off."""
    root = span(1, SENT.span_id, 1200 + shift, 1800 + shift, operation="invoke_agent")
    return [root, tool(2, "search", 1300 + shift), tool(3, "book", 1400 + shift)]


def tools(trace: Trace) -> list[str]:
    return [call.tool for call in trajectory(trace).tool_calls]


def test_whatever_the_order_and_however_often():
    came = [*part(), *part()]
    random.Random(7).shuffle(came)
    whole = joined(OURS, came, 100)
    assert tools(whole) == ["search", "book"]
    assert [one.span_id for one in whole.spans] == [SENT.span_id, *(f"{n:016x}" for n in (1, 2, 3))]
    assert (whole.shows_tools, whole.left_out) == (True, 0)


@pytest.mark.parametrize("shift", [-5_000_000, 5_000_000])
def test_a_clock_that_is_off_is_set_right_for_all_that_comes_later_too(shift: int):
    first, *rest = part(shift)
    whole = joined(joined(OURS, [first, rest[0]], 100), rest, 100)
    assert [(one.start_ns, one.end_ns) for one in whole.spans[1:]] == [(1200, 1800), (1300, 1310), (1400, 1410)]


def test_where_the_root_comes_last_what_came_before_is_moved_with_it():
    first, *rest = part(5_000_000)
    before = joined(OURS, rest, 100)
    assert before.spans[1].start_ns == 5_001_300
    whole = joined(before, [first], 100)
    assert [one.start_ns for one in whole.spans[1:]] == [1200, 1300, 1400]


def test_a_service_that_goes_on_after_its_answer_is_left_where_it_is():
    root = span(1, SENT.span_id, 1200, 9000, operation="invoke_agent")
    assert joined(OURS, [root], 100).spans[1].end_ns == 9000


def test_of_too_many_the_work_of_an_agent_stays():
    noise = [span(100 + n, 1, 1300, 1301) for n in range(50)]
    whole = joined(OURS, [*noise, *part()], 10)
    assert (tools(whole), whole.left_out, whole.shows_tools, len(whole.spans)) == (["search", "book"], 43, True, 11)
    cut = joined(OURS, part(), 2)
    assert (cut.left_out, cut.shows_tools) == (1, False), "a call that is left out must not count as not made"


def test_spans_without_work_of_an_agent_show_no_tools():
    assert not joined(OURS, [span(1, SENT.span_id, 1200, 1800)], 100).shows_tools


def test_a_call_that_was_served_to_the_agent_counts_once():
    call = ServedCall(
        tool="search", arguments={"q": 1}, provenance="static", output="found", start_ns=1350, end_ns=1360
    )
    ours = OURS.model_copy(update={"spans": (SENT, *served_spans((call,), SENT.span_id))})
    whole = merged_calls(joined(ours, part(), 100))
    assert provenances(whole) == [("search", "static"), ("book", "real")]
    again = merged_calls(joined(whole, [tool(4, "pay", 1500), *part()], 100))
    assert provenances(again) == [("search", "static"), ("book", "real"), ("pay", "real")]


def provenances(trace: Trace) -> list[tuple[str, str]]:
    return [(call.tool, call.provenance) for call in trajectory(trace).tool_calls]


def test_when_a_part_is_whole():
    root, *rest = part()
    assert is_whole([root, *rest], [SENT])
    assert not is_whole(rest, [SENT]), "the root did not come"
    assert not is_whole([root, span(9, 8, 1, 2)], [SENT]), "what lies above one did not come"
    assert not is_whole([], [SENT])


OTHER = SENT.model_copy(update={"span_id": "e" * 16, "name": "POST other", "start_ns": 3000, "end_ns": 4000})
TWO = Trace(trace_id="ab" * 16, spans=(SENT, OTHER))
LATER = span(11, OTHER.span_id, 3200, 3800, operation="invoke_agent")


def wanted(sent: Span, seconds: float = 2.0) -> Span:
    return sent.model_copy(update={"attributes": {**sent.attributes, TRACE_WAIT: seconds}})


def times(trace: Trace) -> dict[str, tuple[int, int]]:
    return {one.name: (one.start_ns, one.end_ns) for one in trace.spans}


def test_each_service_is_set_right_by_its_own_clock_whenever_its_spans_come():
    late = span(12, 11, 3300 - 7_000_000, 3310 - 7_000_000)
    other = LATER.model_copy(update={"start_ns": 3200 - 7_000_000, "end_ns": 3800 - 7_000_000})
    once = joined(TWO, [other, late, *part(5_000_000)], 100)
    in_turn = joined(joined(joined(TWO, [other], 100), part(5_000_000), 100), [late], 100)
    for whole in (once, in_turn):
        assert times(whole) == times(TWO) | {
            "s1": (1200, 1800), "search": (1300, 1310), "book": (1400, 1410), "s11": (3200, 3800), "s12": (3300, 3310)
        }  # fmt: skip


def test_a_span_whose_request_is_not_known_is_left_where_it_is():
    whole = joined(TWO, [*part(5_000_000), span(20, 19, 5, 6)], 100)
    assert times(whole)["s20"] == (5, 6)


def test_a_trace_that_waits_for_a_service_shows_tools_only_by_its_spans():
    told = awaited(Trace(trace_id=TWO.trace_id, spans=(wanted(SENT), wanted(OTHER))), 2.0)
    assert [one.attributes.get(TRACE_AWAITED) for one in told.spans] == [2.0, 2.0]
    assert not told.shows_tools
    assert not joined(told, part(), 100).shows_tools, "the other service sent nothing"
    assert joined(joined(told, part(), 100), [LATER], 100).shows_tools
    assert joined(told, [LATER, *part()], 100).shows_tools


def test_a_service_of_which_nothing_is_wanted_is_not_waited_for():
    told = awaited(Trace(trace_id=TWO.trace_id, spans=(SENT, wanted(OTHER))), 2.0)
    assert [one.attributes.get(TRACE_AWAITED) for one in told.spans] == [None, 2.0]
    assert joined(told, [LATER], 100).shows_tools
    assert is_whole([LATER], [SENT, wanted(OTHER)])
    assert is_whole([LATER, *part()], [SENT, wanted(OTHER)])
    assert not is_whole(part(), [SENT, wanted(OTHER)])
