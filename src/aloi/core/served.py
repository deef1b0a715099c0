"""Simulated tools that are served to an agent that runs elsewhere, and the calls that it made of them.

The agent may report the same calls by spans of its own. `merged_calls` makes one of both.
"""

from collections.abc import Callable, Iterable, Sequence

from pydantic import JsonValue

from aloi.core.chat import ModelSpec
from aloi.core.identity import content_hash
from aloi.core.json_values import json_equal, storable
from aloi.core.simulation import Simulation
from aloi.core.spec import JsonObject, Value
from aloi.core.trace import (
    MISFIT,
    PROVENANCE,
    TOOL_ARGUMENTS,
    TOOL_NAME,
    TOOL_RESULT,
    Provenance,
    Span,
    ToolCall,
    Trace,
    reported_attributes,
)
from aloi.core.trajectory import parsed
from aloi.core.usage import NO_USAGE, Usage

# Ours: the call came by the server of simulated tools, so the agent itself may tell of it too.
SERVED = "aloi.served"
TOOL = "execute_tool"
# Between the name of a server and that of its tool, where an agent joins them: `weather_forecast`, `mcp__x__forecast`.
JOINTS = ("_", ".", "-", "/", ":")
UNANSWERED = "it was still going on when the execution ended"


class ServedTool(Value):
    """A tool that is served: what an agent sees of it, and what answers in its place."""

    name: str
    description: str = ""
    input_schema: JsonObject
    output_schema: JsonObject | None = None
    simulation: Simulation


class ServedSession(Value):
    """What is served to one invocation.

    `scope`: who shares generated answers (a run's id). `writer`: the model that writes them; null where there are none.
    `workspace_id`: whose run it is, which pays for them.
    """

    scope: str
    workspace_id: str
    tools: tuple[ServedTool, ...]
    writer: ModelSpec | None = None

    def tool(self, name: str) -> ServedTool | None:
        """The tool of a name, or null."""
        return next((tool for tool in self.tools if tool.name == name), None)


class ServedCall(Value):
    """One call of a served tool. Times are nanoseconds since 1970-01-01 UTC; `end_ns` is null while it goes on.

    `misfit`: what of a fixed answer does not fit the tool's output schema. `broken`: the simulation had no answer,
    which is no fault of the agent's: the trial is an error. `usage`: what a model used to write the answer.
    """

    tool: str
    arguments: JsonValue
    provenance: Provenance
    output: JsonValue = None
    error: str | None = None
    misfit: str | None = None
    broken: bool = False
    usage: Usage = NO_USAGE
    start_ns: int
    end_ns: int | None = None


def served_spans(calls: Sequence[ServedCall], parent_id: str | None) -> tuple[Span, ...]:
    """The `execute_tool` spans of calls, in their order.

    The clocks of several servers may differ, so a call starts at least a nanosecond after the one before it.
    """
    spans: list[Span] = []
    start = 0
    for index, call in enumerate(calls):
        start = max(call.start_ns, start + 1)
        spans.append(_span(call, index, start, parent_id))
    return tuple(spans)


def _span(call: ServedCall, index: int, start: int, parent_id: str | None) -> Span:
    told = ToolCall(tool=call.tool, args=call.arguments, output=call.output, provenance=call.provenance)
    misfit: JsonObject = {} if call.misfit is None else {MISFIT: call.misfit}
    return Span(
        span_id=content_hash([SERVED, index, call.tool, call.start_ns])[:16],
        parent_id=parent_id,
        name=f"{TOOL} {call.tool}",
        start_ns=start,
        end_ns=max(start, call.end_ns or start),
        attributes=storable({**reported_attributes(told), SERVED: True, **misfit}),
        error=call.error if call.end_ns is not None else UNANSWERED,
    )


def merged_calls(trace: Trace) -> Trace:
    """The trace in which no served call stands twice.

    Where the agent has a span of its own for a call that was served to it, that one stays: it knows the call's place
    among the agent's steps. It gets our name of the tool, the provenance and what was answered; the other span goes.

    The agent's spans are looked through in the order of their starts. A span is that of a served call when it has the
    same tool and arguments; else the same tool, when the agent does not report arguments (most do not, unless they are
    told to). The tool is also the same when the agent puts its server's name before it.
    """
    served = [span for span in _by_start(trace.spans) if span.attributes.get(SERVED)]
    if not served:
        return trace
    own = [span for span in _by_start(trace.spans) if _is_own(span)]
    pairs = _pairs(own, served)
    gone = {span.span_id for span in pairs.values()}
    kept = (span for span in trace.spans if span.span_id not in gone)
    spans = tuple(_told_by(span, pairs[span.span_id]) if span.span_id in pairs else span for span in kept)
    return trace.model_copy(update={"spans": spans})


def _is_own(span: Span) -> bool:
    """Whether a span is the agent's own of a call, and was not found to be of a served one before."""
    return span.operation == TOOL and span.attributes.get(PROVENANCE, "real") == "real"


def _by_start(spans: Iterable[Span]) -> list[Span]:
    return sorted(spans, key=lambda span: span.start_ns)


def _pairs(own: Sequence[Span], served: Sequence[Span]) -> dict[str, Span]:
    """The served span of each of the agent's own spans that has one, by the own span's id."""
    pairs: dict[str, Span] = {}
    left = list(served)
    for alike in (_same_call, _same_but_for_the_server, _same_tool):
        for span in own:
            if span.span_id not in pairs and (found := _first(left, span, alike)) is not None:
                pairs[span.span_id] = found
                left.remove(found)
    return pairs


def _first(served: Iterable[Span], own: Span, alike: Callable[[Span, Span], bool]) -> Span | None:
    return next((span for span in served if alike(own, span)), None)


def _same_call(own: Span, served: Span) -> bool:
    return _name(own) == _name(served) and _same_arguments(own, served)


def _same_but_for_the_server(own: Span, served: Span) -> bool:
    return _ends_with(_name(own), _name(served)) and _same_arguments(own, served)


def _same_tool(own: Span, served: Span) -> bool:
    return TOOL_ARGUMENTS not in own.attributes and _ends_with(_name(own), _name(served))


def _same_arguments(own: Span, served: Span) -> bool:
    return TOOL_ARGUMENTS in own.attributes and json_equal(_arguments(own), _arguments(served))


def _arguments(span: Span) -> JsonValue:
    return parsed(span.attributes.get(TOOL_ARGUMENTS)) or {}


def _name(span: Span) -> str:
    return str(span.attributes.get(TOOL_NAME) or span.name.removeprefix(f"{TOOL} "))


def _ends_with(name: str, tool: str) -> bool:
    return name == tool or any(name.endswith(joint + tool) for joint in JOINTS)


def _told_by(own: Span, served: Span) -> Span:
    kept = (TOOL_NAME, TOOL_ARGUMENTS, TOOL_RESULT, PROVENANCE, MISFIT)
    known = {name: served.attributes[name] for name in kept if name in served.attributes}
    return own.model_copy(update={"attributes": {**own.attributes, **known}, "error": own.error or served.error})
