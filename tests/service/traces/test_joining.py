"""An outcome and the spans that the service sent of it."""

from aloi.core.outcome import Outcome
from aloi.core.trace import COST, TRACE_SENT, Span, Trace
from aloi.core.usage import Usage
from aloi.service.traces.joining import left_out, spans_in, with_spans
from aloi.service.traces.merging import SPANS
from aloi.tracing.otlp import json_wire
from aloi.tracing.otlp.spans import core_span
from tests.otlp_requests import request
from tests.remote_agent import spans_of

SENT = Span(span_id="cd" * 8, name="POST host", start_ns=0, end_ns=10**19, attributes={TRACE_SENT: True})
TRACE = Trace(trace_id="ab" * 16, spans=(SENT,), shows_tools=False)
ASKED = Outcome(output="Booked.", trace=TRACE)


def came() -> list[Span]:
    """What an agent sent, as it is read."""
    read = json_wire.read(request(*spans_of("ab" * 16, "cd" * 8)))
    return [core_span(raw) for raw in read.spans]


def price(provider: str, model: str, input_tokens: int | None, output_tokens: int | None) -> float | None:
    return 0.25 if (provider, model) == ("openai", "gpt-5-mini") else None


def test_what_the_turns_used_is_what_the_target_used_with_its_price():
    whole = with_spans(ASKED, came(), price)
    assert whole.usage == Usage(calls=1, input_tokens=100, output_tokens=20, cost=0.25)
    assert whole.trace is not None and len(whole.trace.spans) == 6
    assert [span.attributes.get(COST) for span in whole.trace.spans if span.operation == "chat"] == [0.25]


def test_what_the_reply_said_of_usage_stands():
    told = Usage(calls=3, input_tokens=7, output_tokens=8, cost=0.5)
    assert with_spans(ASKED.model_copy(update={"usage": told}), came(), price).usage == told


def test_in_parts_it_comes_to_the_same():
    first = with_spans(ASKED, came()[3:], price)
    assert first.usage == Usage()
    assert with_spans(first, came(), price).usage == with_spans(ASKED, came(), price).usage


def test_nothing_new_changes_nothing():
    whole = with_spans(ASKED, came(), price)
    assert with_spans(whole, came(), price) is whole
    assert with_spans(ASKED, [], price) is ASKED


def test_what_is_not_in_the_trace_was_left_out():
    assert left_out(ASKED, came()) == 5
    assert left_out(with_spans(ASKED, came(), price), came()) == 0


def test_a_span_that_came_twice_is_read_as_it_came_last():
    [first, *_] = came()
    again = first.model_copy(update={"name": "later"})
    bodies = [SPANS.dump_json([one]).decode() for one in (first, again)]
    assert spans_in(bodies) == [again]


def test_where_some_were_too_many_the_absence_of_a_call_proves_nothing():
    whole = with_spans(ASKED, came(), price, refused=7)
    assert whole.trace is not None
    assert (whole.trace.left_out, whole.trace.shows_tools) == (7, False)
