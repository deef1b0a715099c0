"""Evidence of what a target did, in the shape and the names of OpenTelemetry's GenAI conventions."""

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import JsonValue

from aloi.core.spec import JsonObject, Value
from aloi.core.usage import Usage

# Attribute names of the OpenTelemetry GenAI semantic conventions.
OPERATION = "gen_ai.operation.name"
REQUEST_MODEL = "gen_ai.request.model"
INSTRUCTIONS = "gen_ai.system_instructions"
INPUT_MESSAGES = "gen_ai.input.messages"
OUTPUT_MESSAGES = "gen_ai.output.messages"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
TOOL_NAME = "gen_ai.tool.name"
TOOL_CALL_ID = "gen_ai.tool.call.id"
TOOL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_RESULT = "gen_ai.tool.call.result"
# Ours: where a call's answer came from, what of a fixed one does not fit the component's output schema, and what a
# model turn cost in US dollars.
PROVENANCE = "aloi.provenance"
MISFIT = "aloi.simulation.misfit"
COST = "aloi.cost"
# Ours too: of a workflow's step its path, kind, input and output; how often it was tried, when more than once; and
# whether it was left out, or ended with a question to a person.
WORKFLOW_STEP = "workflow_step"
STEP_NAME = "aloi.step.name"
STEP_KIND = "aloi.step.kind"
STEP_INPUT = "aloi.step.input"
STEP_OUTPUT = "aloi.step.output"
STEP_TRIES = "aloi.step.tries"
STEP_SKIPPED = "aloi.step.skipped"
STEP_WAITING = "aloi.step.waiting"
# And of a request that was sent a `traceparent`: that it was; for how many seconds its definition wants spans of the
# service waited for, beside what the target itself says; how many they were; and, on the first such request of a trace
# since some joined it, the ids of the spans that are no service's.
TRACE_SENT = "aloi.trace.sent"
TRACE_WAIT = "aloi.trace.wait"
TRACE_AWAITED = "aloi.trace.awaited"
TRACE_OWN = "aloi.trace.own"

Provenance = Literal["real", "static", "generated"]


class Span(Value):
    """One timed piece of work. Times are nanoseconds since 1970-01-01 UTC; `error` is null unless it failed."""

    span_id: str
    parent_id: str | None = None
    name: str
    start_ns: int
    end_ns: int
    attributes: JsonObject = {}
    error: str | None = None

    @property
    def operation(self) -> JsonValue:
        """`invoke_agent`, `chat`, `execute_tool`, ... or null."""
        return self.attributes.get(OPERATION)


class Trace(Value):
    """The spans of one execution.

    `shows_tools` says whether the target's tool calls would be seen here: where it is false, the absence of a call
    proves nothing, and evaluators of tool calls are errors. `left_out`: how many more spans were received than are
    kept.
    """

    trace_id: str
    spans: tuple[Span, ...] = ()
    shows_tools: bool = True
    left_out: int = 0


def senders(trace: Trace) -> tuple[Span, ...]:
    """The spans of the requests that were sent a `traceparent`, below which spans of others may stand."""
    return tuple(span for span in trace.spans if span.attributes.get(TRACE_SENT))


def promised(sent: Iterable[Span]) -> tuple[Span, ...]:
    """Those of such requests of which spans are wanted, by their own definition, and that were answered."""
    return tuple(span for span in sent if span.attributes.get(TRACE_WAIT) and span.error is None)


def parts(sent: Sequence[Span], theirs: Iterable[Span]) -> dict[str | None, list[Span]]:
    """Spans of services, in their order, by the id of the request that they stand below.

    Where there is one request, all are its service's. Else those of which it is not known, as a span above them did not
    come, stand under null.
    """
    found: dict[str | None, list[Span]] = {None: [], **{span.span_id: [] for span in sent}}
    every = list(theirs)
    if len(sent) == 1:
        found[sent[0].span_id] = every
        return found
    above: dict[str | None, str | None] = {span.span_id: span.parent_id for span in every}
    known: dict[str | None, str | None] = {None: None, **{span.span_id: span.span_id for span in sent}}
    for span in every:
        way: list[str | None] = []
        at: str | None = span.span_id
        while at not in known:
            way.append(at)
            known[at] = None  # so that a circle ends
            at = above.get(at)
        known.update(dict.fromkeys(way, known[at]))
        found[known[span.span_id]].append(span)
    return found


class ToolCall(Value):
    """One call of a tool: `args` as given (an object, or text that is not one), `output` as returned."""

    tool: str
    args: JsonValue = {}
    output: JsonValue = None
    error: str | None = None
    provenance: Provenance = "real"


def trace_of_calls(trace_id: str, calls: tuple[ToolCall, ...], start_ns: int = 0) -> Trace:
    """A trace that holds just these calls, in order: how calls that were reported, not observed, become evidence."""
    return Trace(trace_id=trace_id, spans=tuple(call_span(call, index, start_ns) for index, call in enumerate(calls)))


def call_span(call: ToolCall, index: int, start_ns: int) -> Span:
    """The `execute_tool` span of a reported call, `index` nanoseconds behind `start_ns` so that the order holds."""
    start = start_ns + index
    return Span(
        span_id=f"{index + 1:016x}",
        name=f"execute_tool {call.tool}",
        start_ns=start,
        end_ns=start,
        attributes=reported_attributes(call),
        error=call.error,
    )


def reported_attributes(call: ToolCall) -> JsonObject:
    """The attributes of the `execute_tool` span of a reported call."""
    return {
        OPERATION: "execute_tool",
        TOOL_NAME: call.tool,
        TOOL_ARGUMENTS: call.args,
        TOOL_RESULT: call.output,
        PROVENANCE: call.provenance,
    }


def file_part(name: str, media_type: str) -> JsonObject:
    """The part of a recorded message that says which file was in it; its content stands in no trace."""
    return {"type": "file", "name": name, "mime_type": media_type}


def usage_attributes(usage: Usage) -> JsonObject:
    """The attributes of a `chat` span that say what it used; what is not known is left out."""
    known = {INPUT_TOKENS: usage.input_tokens, OUTPUT_TOKENS: usage.output_tokens, COST: usage.cost}
    return {name: value for name, value in known.items() if value is not None}
