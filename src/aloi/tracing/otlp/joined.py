"""A trace of ours, joined by the spans that a service sent of its part in it."""

from collections.abc import Iterable, Sequence

from aloi.core.spec import JsonObject
from aloi.core.trace import TRACE_AWAITED, TRACE_OWN, Span, Trace, sender
from aloi.tracing.otlp.spans import completed

# By how many nanoseconds the spans of the service were moved, on the span of the request that it was sent.
SHIFTED = "aloi.trace.shifted"


def joined(trace: Trace, came: Iterable[Span], most: int) -> Trace:
    """The trace with the spans that came, each once.

    Where the service's clock is off, so that its work would begin before it was asked for or after it answered, its
    spans are moved together: they keep their order and their lengths.

    Args:
        trace: one whose request was sent a `traceparent`; spans may have joined it before.
        came: in any order, at least one.
        most: how many spans are kept; what goes first is what is no work of an agent, and what is late.
    """
    sent = sender(trace)
    assert sent is not None
    own = sent.attributes.get(TRACE_OWN) or [span.span_id for span in trace.spans]
    own_ids = set(map(str, own if isinstance(own, list) else ()))
    ours = [span for span in trace.spans if span.span_id in own_ids]
    before = {span.span_id: span for span in trace.spans if span.span_id not in own_ids}
    new = {span.span_id: span for span in came if span.span_id not in own_ids and span.span_id not in before}
    theirs, shift = _placed(sent, before, new)
    theirs.sort(key=lambda span: (span.operation is None, span.parent_id != sent.span_id, span.start_ns))
    kept, rest = completed(theirs[:most]), theirs[most:]
    note: JsonObject = {TRACE_OWN: own} if shift is None else {TRACE_OWN: own, SHIFTED: shift}
    shows_tools = trace.shows_tools or any(span.operation for span in kept)
    return trace.model_copy(
        update={
            "spans": (*(_told(span, note) if span is sent else span for span in ours), *kept),
            "shows_tools": shows_tools and not any(span.operation for span in rest),
            "left_out": trace.left_out + len(rest),
        }
    )


def _placed(sent: Span, before: dict[str, Span], new: dict[str, Span]) -> tuple[list[Span], int | None]:
    """All spans of the service by our clock, and by how much they were moved; null while that is not known."""
    known = sent.attributes.get(SHIFTED)
    if isinstance(known, int):  # what came before was moved already
        return [*before.values(), *_moved(new.values(), known)], known
    every = [*before.values(), *new.values()]
    shift = _shift(sent, every)
    return _moved(every, shift or 0), shift


def awaited(trace: Trace, seconds: float) -> Trace:
    """The trace with a word on how long spans of the service were waited for."""
    sent = sender(trace)
    told = tuple(_told(span, {TRACE_AWAITED: seconds}) if span is sent else span for span in trace.spans)
    return trace.model_copy(update={"spans": told})


def is_whole(spans: Sequence[Span], sent: Span) -> bool:
    """Whether spans are all of a service's part: the one directly below the request came, and what lies above each."""
    known = {span.span_id for span in spans} | {sent.span_id}
    parents = {span.parent_id for span in spans}
    return sent.span_id in parents and all(parent is None or parent in known for parent in parents)


def _shift(sent: Span, theirs: Iterable[Span]) -> int | None:
    """By how many nanoseconds the service's clock is off; null while the span directly below the request is not there.

    Where that span is shorter than the request it is put in its middle, as the way there takes as long as the way back.
    """
    below = [span for span in theirs if span.parent_id == sent.span_id]
    if not below:
        return None
    root = min(below, key=lambda span: span.start_ns)
    if sent.start_ns <= root.start_ns <= sent.end_ns:
        return 0
    on_the_way = (sent.end_ns - sent.start_ns) - (root.end_ns - root.start_ns)
    return sent.start_ns + max(0, on_the_way) // 2 - root.start_ns


def _moved(spans: Iterable[Span], shift: int) -> list[Span]:
    if not shift:
        return list(spans)
    return [
        span.model_copy(update={"start_ns": span.start_ns + shift, "end_ns": span.end_ns + shift}) for span in spans
    ]


def _told(span: Span, added: JsonObject) -> Span:
    return span.model_copy(update={"attributes": {**span.attributes, **added}})
