"""When the spans of an invocation of ours are given to its execution."""

from datetime import UTC, datetime, timedelta

import pytest

from aloi.core.outcome import Outcome
from aloi.core.trace import TRACE_SENT, Span, Trace
from aloi.service.traces.own_traces import KEPT, LOOK_AGAIN, Found
from aloi.store.observed import Known
from aloi.store.traces import Claimed

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
SENT = Span(span_id="cd" * 8, name="POST host", start_ns=0, end_ns=1, attributes={TRACE_SENT: True})
OURS = Outcome(output="x", trace=Trace(trace_id="ab" * 16, spans=(SENT,)))
OTHERS = Outcome(output="x", trace=Trace(trace_id="ab" * 16))


def found(
    known: Known | None = None, expected: timedelta | None = None, age: timedelta = timedelta(seconds=4)
) -> Found:
    claimed = Claimed("w", "ab" * 16, AT - age, size=1, left_out=0, works=True, tries=0)
    return Found(claimed, (), known, None if expected is None else AT + expected)


def known(outcome: Outcome = OURS, *, goes_on: bool = False, in_run: bool = False, graded: bool = False) -> Known:
    return Known("e", AT, outcome, 1, goes_on, in_run, graded)


def test_which_traces_are_ours():
    assert not found().is_ours
    assert not found(known(OTHERS)).is_ours, "an execution that an exporter told of"
    assert found(expected=timedelta(0)).is_ours
    assert found(known()).is_ours
    assert found(known(OTHERS, in_run=True)).is_ours


@pytest.mark.parametrize(
    "one", [found(expected=timedelta(hours=1)), found(known(goes_on=True)), found(known(in_run=True))]
)
def test_what_is_not_stored_not_over_or_not_graded_yet_is_looked_at_again_soon(one: Found):
    assert one.unripe_until(AT) == AT + LOOK_AGAIN


def test_the_older_it_is_the_less_often():
    assert found(known(in_run=True), age=timedelta(hours=4)).unripe_until(AT) == AT + timedelta(hours=1)


def test_never_later_than_it_is_expected():
    assert found(expected=timedelta(seconds=1)).unripe_until(AT) == AT + timedelta(seconds=1)


@pytest.mark.parametrize(
    "one",
    [
        found(expected=timedelta(0)),
        found(known()),
        found(known(in_run=True, graded=True)),
        found(known(in_run=True), age=KEPT),
    ],
)
def test_what_is_ripe_or_waited_for_no_longer(one: Found):
    assert one.unripe_until(AT) is None
