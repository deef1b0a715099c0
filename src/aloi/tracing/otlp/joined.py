"""A trace of ours, joined by the spans that services sent of their parts in it."""

from collections.abc import Container, Iterable, Sequence

from aloi.core.spec import JsonObject
from aloi.core.trace import TRACE_AWAITED, TRACE_OWN, Span, Trace, parts, promised, senders
from aloi.tracing.otlp.spans import completed

# By how many nanoseconds the spans of a service were moved, on the span of the request that it was sent.
SHIFTED = "aloi.trace.shifted"


def joined(trace: Trace, came: Iterable[Span], most: int) -> Trace:
    """The trace with the spans that came, each once.

    Where a service's clock is off, so that its work would begin before it was asked for or after it answered, its spans
    are moved together: they keep their order and their lengths. Each request has a service of its own.

    Args:
        trace: one with requests that were sent a `traceparent`; spans may have joined it before.
        came: in any order, at least one.
        most: how many spans are kept; what goes first is what is no work of an agent, and what is late.
    """
    sent = senders(trace)
    own = sent[0].attributes.get(TRACE_OWN) or [span.span_id for span in trace.spans]
    own_ids = set(map(str, own if isinstance(own, list) else ()))
    ours = [span for span in trace.spans if span.span_id in own_ids]
    before = {span.span_id: span for span in trace.spans if span.span_id not in own_ids}
    new = {span.span_id: span for span in came if span.span_id not in own_ids and span.span_id not in before}
    found = parts(sent, [*before.values(), *new.values()])
    notes: dict[str, JsonObject] = {sent[0].span_id: {TRACE_OWN: own}}
    theirs = found[None]  # whose clock they are by is not known
    for span in sent:
        placed, shift = _placed(span, found[span.span_id], new)
        theirs += placed
        if shift is not None:
            notes.setdefault(span.span_id, {})[SHIFTED] = shift
    asked = {span.span_id for span in sent}
    theirs.sort(key=lambda span: (span.operation is None, span.parent_id not in asked, span.start_ns))
    kept, rest = completed(theirs[:most]), theirs[most:]
    shows_tools = trace.shows_tools or _shows_work(sent, kept)
    return trace.model_copy(
        update={
            "spans": (*(_told(span, notes.get(span.span_id, {})) for span in ours), *kept),
            "shows_tools": shows_tools and not any(span.operation for span in rest),
            "left_out": trace.left_out + len(rest),
        }
    )


def _placed(sent: Span, theirs: Sequence[Span], new: Container[str]) -> tuple[Sequence[Span], int | None]:
    """The spans of a service by our clock, and by how much they were moved; null while that is not known.

    Args:
        new: the ids of those that came now.
    """
    known = sent.attributes.get(SHIFTED)
    if isinstance(known, int):  # what came before was moved already
        return [_moved(span, known) if span.span_id in new else span for span in theirs], known
    shift = _shift(sent, theirs)
    return [_moved(span, shift or 0) for span in theirs], shift


def _shows_work(sent: Sequence[Span], theirs: Sequence[Span]) -> bool:
    """Whether each service of which spans are wanted told of work of an agent."""
    found = parts(sent, theirs)
    return all(any(span.operation for span in found[asked.span_id]) for asked in promised(sent) or sent)


def awaited(trace: Trace, seconds: float) -> Trace:
    """The trace with a word on how long spans of services were waited for; what it shows is then up to those."""
    sent = senders(trace)
    wanted = {span.span_id for span in promised(sent) or sent}
    told = tuple(_told(span, {TRACE_AWAITED: seconds}) if span.span_id in wanted else span for span in trace.spans)
    return trace.model_copy(update={"spans": told, "shows_tools": trace.shows_tools and not promised(sent)})


def is_whole(spans: Sequence[Span], sent: Sequence[Span]) -> bool:
    """Whether spans are all of the services' parts: one directly below each request, and what lies above each span.

    Args:
        sent: the requests; where spans of some are wanted, the others may have none.
    """
    known = {span.span_id for span in (*spans, *sent)}
    parents = {span.parent_id for span in spans}
    begun = all(span.span_id in parents for span in promised(sent) or sent)
    return begun and all(parent is None or parent in known for parent in parents)


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


def _moved(span: Span, shift: int) -> Span:
    if not shift:
        return span
    return span.model_copy(update={"start_ns": span.start_ns + shift, "end_ns": span.end_ns + shift})


def _told(span: Span, added: JsonObject) -> Span:
    return span if not added else span.model_copy(update={"attributes": {**span.attributes, **added}})
