"""Why a trace is no evidence of what a target did, in words for people."""

from aloi.core.trace import TRACE_AWAITED, TRACE_OWN, Span, Trace, parts, senders

NO_TRACE = (
    "no trace of the target's tool calls arrived, so they cannot be graded; "
    "use a target that gives a trace, or return the tool calls with the output"
)
NOT_AWAITED = (
    "no spans of the service were waited for, as its span_wait is 0, so its tool calls cannot be graded; "
    "set span_wait to the seconds that its exporter takes"
)
NONE_ARRIVED = (
    "no spans of the service arrived within {seconds:g} s of its answer, so its tool calls cannot be graded; does it "
    "go on with the trace of the traceparent header, and export to /v1/traces of a server on this database with an API "
    "key of this workspace? If it exports later, raise span_wait"
)
NO_WORK = (
    "spans of the service arrived, but none tells of work of an agent, a model or a tool, so its tool calls cannot be "
    "graded; let it be traced by GenAI or OpenInference conventions"
)


def no_evidence(trace: Trace | None) -> str:
    """Why tool calls cannot be graded by a trace that does not show them, and what can be done about it."""
    sent = () if trace is None else senders(trace)
    awaited = [span for span in sent if isinstance(span.attributes.get(TRACE_AWAITED), (int, float))]
    if trace is None or not sent or not awaited:
        return NO_TRACE
    found = parts(sent, _theirs(trace, sent[0]))
    without = (span for span in awaited if not any(one.operation for one in found[span.span_id]))
    lacking = next(without, awaited[0])
    which = f"{lacking.name}: " if len(sent) > 1 else ""
    if found[lacking.span_id]:
        return which + NO_WORK
    seconds = lacking.attributes[TRACE_AWAITED]
    return which + (NONE_ARRIVED.format(seconds=seconds) if seconds else NOT_AWAITED)


def _theirs(trace: Trace, first: Span) -> list[Span]:
    """The spans that are the services'; `first` is the first request that was sent a `traceparent`."""
    own = first.attributes.get(TRACE_OWN)
    return [span for span in trace.spans if span.span_id not in own] if isinstance(own, list) else []
