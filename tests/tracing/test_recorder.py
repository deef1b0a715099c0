"""Spans nest by where they are opened, end in error when an exception leaves them, and survive tasks and threads."""

import asyncio
import random
import re

import pytest

from aloi.core.errors import StageFailure
from aloi.core.spec import JsonObject
from aloi.core.trace import Span
from aloi.tracing.recorder import UNFINISHED, Recording


def by_name(recorder: Recording) -> dict[str, Span]:
    return {span.name: span for span in recorder.spans()}


def test_ids_have_the_lengths_of_opentelemetry() -> None:
    recorder = Recording()
    with recorder.span("a"):
        pass
    trace = recorder.trace()
    assert re.fullmatch("[0-9a-f]{32}", trace.trace_id)
    assert re.fullmatch("[0-9a-f]{16}", trace.spans[0].span_id)
    assert Recording().trace_id != trace.trace_id


def test_spans_nest_and_siblings_do_not() -> None:
    recorder = Recording()
    with recorder.span("outer", {"a": 1}) as outer:
        with recorder.span("first"):
            pass
        with recorder.span("second"), recorder.span("inner"):
            pass
        outer.set({"b": [2]})
    with recorder.span("after"):
        pass
    spans = by_name(recorder)
    assert spans["outer"].parent_id is None
    assert spans["outer"].attributes == {"a": 1, "b": [2]}
    assert spans["first"].parent_id == spans["second"].parent_id == spans["outer"].span_id
    assert spans["inner"].parent_id == spans["second"].span_id
    assert spans["after"].parent_id is None


def test_times_are_in_the_order_of_the_starts() -> None:
    recorder = Recording()
    for name in "abcdef":
        with recorder.span(name):
            pass
    spans = recorder.spans()
    starts = [span.start_ns for span in spans]
    assert starts == sorted(starts)
    assert all(span.start_ns <= span.end_ns for span in spans)
    assert [span.name for span in spans] == list("abcdef")


def test_an_exception_that_leaves_is_the_error_of_every_span_it_leaves() -> None:
    recorder = Recording()
    with pytest.raises(ValueError, match="no number"), recorder.span("outer"), recorder.span("inner"):
        raise ValueError("no number")
    spans = by_name(recorder)
    assert spans["inner"].error == spans["outer"].error == "ValueError: no number"


def test_our_own_failures_say_it_themselves() -> None:
    recorder = Recording()
    with pytest.raises(StageFailure), recorder.span("a"):
        raise StageFailure("invoke", "no_answer", "there was no answer")
    assert by_name(recorder)["a"].error == "there was no answer"


def test_what_was_said_on_purpose_stands() -> None:
    recorder = Recording()
    with pytest.raises(KeyError), recorder.span("a") as span:
        span.fail("the key is missing")
        raise KeyError("x")
    assert by_name(recorder)["a"].error == "the key is missing"


async def test_concurrent_tasks_nest_under_what_started_them() -> None:
    recorder = Recording()
    both_open = asyncio.Barrier(2)

    async def branch(name: str) -> None:
        with recorder.span(name):
            await both_open.wait()
            with recorder.span(f"{name} child"):
                await both_open.wait()

    with recorder.span("root"):
        await asyncio.gather(branch("left"), branch("right"))
    spans = by_name(recorder)
    for name in ("left", "right"):
        assert spans[name].parent_id == spans["root"].span_id
        assert spans[f"{name} child"].parent_id == spans[name].span_id


async def test_a_thread_started_by_asyncio_nests_too() -> None:
    recorder = Recording()

    def work() -> None:
        with recorder.span("in thread"):
            pass

    with recorder.span("root"):
        await asyncio.to_thread(work)
    spans = by_name(recorder)
    assert spans["in thread"].parent_id == spans["root"].span_id


async def test_a_cancelled_span_ends_with_a_short_error() -> None:
    recorder = Recording()
    started = asyncio.Event()

    async def work() -> None:
        with recorder.span("a"):
            started.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await started.wait()
    task.cancel()
    await asyncio.wait([task])
    assert by_name(recorder)["a"].error == "it was cancelled"


def test_another_recording_has_no_part_in_the_nesting() -> None:
    one, other = Recording(), Recording()
    with one.span("one"), other.span("other"), one.span("inner"):
        pass
    assert by_name(other)["other"].parent_id is None
    assert by_name(one)["inner"].parent_id is None


def test_a_span_still_open_is_shown_in_error_and_ends_later() -> None:
    recorder = Recording()
    with recorder.span("a"):
        [open_now] = recorder.trace().spans
    assert open_now.error == UNFINISHED
    assert by_name(recorder)["a"].error is None


def test_the_attributes_given_are_copied() -> None:
    recorder = Recording()
    given: JsonObject = {"a": 1}
    with recorder.span("a", given) as span:
        span.set({"b": 2})
    assert given == {"a": 1}


def test_shows_tools_is_handed_on() -> None:
    assert Recording().trace().shows_tools
    assert not Recording().trace(shows_tools=False).shows_tools


def test_a_target_that_seeds_its_random_numbers_gets_new_ids_all_the_same() -> None:
    ids: list[tuple[str, str]] = []
    for _ in range(2):
        random.seed(7)
        recorder = Recording()
        with recorder.span("work"):
            pass
        ids.append((recorder.trace_id, recorder.spans()[0].span_id))
    assert ids[0][0] != ids[1][0]
    assert ids[0][1] != ids[1][1]


def test_others_are_told_the_trace_and_the_open_span():
    recorder, other = Recording(), Recording()
    outside = recorder.traceparent()
    with recorder.span("outer"), other.span("of another trace"):
        hidden = recorder.traceparent()
        with recorder.span("inner"):
            inside = recorder.traceparent()
    spans = {span.name: span.span_id for span in recorder.spans()}
    assert inside == f"00-{recorder.trace_id}-{spans['inner']}-01"
    for said in (outside, hidden):
        version, trace_id, parent, sampled = said.split("-")
        assert (version, trace_id, len(parent), sampled) == ("00", recorder.trace_id, 16, "01")
        assert parent not in spans.values()
