"""Why a trace is no evidence of what a target did, in words for people."""

from aloi.core.trace import TRACE_AWAITED, TRACE_OWN, Trace, sender

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
    sent = None if trace is None else sender(trace)
    seconds = None if sent is None else sent.attributes.get(TRACE_AWAITED)
    if trace is None or sent is None or not isinstance(seconds, (int, float)):
        return NO_TRACE
    if TRACE_OWN in sent.attributes:
        return NO_WORK
    return NONE_ARRIVED.format(seconds=seconds) if seconds else NOT_AWAITED
