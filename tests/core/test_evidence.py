"""Why a trace is no evidence: each reason has words of its own, and a mend."""

import pytest

from aloi.core.evidence import no_evidence
from aloi.core.trace import OPERATION, TRACE_AWAITED, TRACE_OWN, TRACE_SENT, Span, Trace


def trace(**attributes: object) -> Trace:
    named = {"sent": TRACE_SENT, "awaited": TRACE_AWAITED, "own": TRACE_OWN}
    told = {named[name]: value for name, value in attributes.items()}
    span = Span.model_validate({"span_id": "1", "name": "POST", "start_ns": 0, "end_ns": 1, "attributes": told})
    return Trace(trace_id="t", spans=(span,), shows_tools=False)


@pytest.mark.parametrize("given", [None, Trace(trace_id="t"), trace(), trace(sent=True)])
def test_a_target_that_gives_no_trace(given: Trace | None):
    assert "use a target that gives a trace" in no_evidence(given)


def test_nothing_came_in_time():
    assert "within 2.5 s" in no_evidence(trace(sent=True, awaited=2.5))


def test_nothing_was_waited_for():
    assert "span_wait is 0" in no_evidence(trace(sent=True, awaited=0))


def arrived(span_id: str, parent_id: str, **attributes: str) -> Span:
    return Span(span_id=span_id, parent_id=parent_id, name="s", start_ns=0, end_ns=1, attributes={**attributes})


def test_spans_that_tell_of_no_work():
    given = trace(sent=True, awaited=10, own=["1"])
    given = given.model_copy(update={"spans": (*given.spans, arrived("2", "1"))})
    assert "none tells of work of an agent" in no_evidence(given)


def test_of_several_requests_the_one_is_named_whose_service_sent_nothing():
    (first,) = trace(sent=True, awaited=10, own=["1", "3"]).spans
    (other,) = trace(sent=True, awaited=10).spans
    other = other.model_copy(update={"span_id": "3", "name": "POST other.example"})
    worked = arrived("2", "1", **{OPERATION: "invoke_agent"})
    reason = no_evidence(Trace(trace_id="t", spans=(first, other, worked), shows_tools=False))
    assert reason.startswith("POST other.example: no spans of the service arrived within 10 s")
