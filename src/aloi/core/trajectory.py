"""What a target did, step by step, read from its trace."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, cast

from pydantic import JsonValue

from aloi.core.spec import Value
from aloi.core.trace import (
    COST,
    INPUT_TOKENS,
    OPERATION,
    OUTPUT_MESSAGES,
    OUTPUT_TOKENS,
    PROVENANCE,
    STEP_INPUT,
    STEP_NAME,
    STEP_OUTPUT,
    STEP_SKIPPED,
    STEP_WAITING,
    TOOL_ARGUMENTS,
    TOOL_NAME,
    TOOL_RESULT,
    WORKFLOW_STEP,
    Provenance,
    Span,
    ToolCall,
    Trace,
)
from aloi.core.usage import Usage, add_known, known_tokens

AGENT = "invoke_agent"


class Step(Value):
    """One step of the path: a model turn with its text, a tool call, or a step of a workflow.

    `call`: the tool's call; of a workflow's step what it was given and what it gave, under its name.
    """

    type: Literal["model", "tool", "step"]
    text: str | None = None
    call: ToolCall | None = None


class Trajectory(Value):
    """The path: steps by start time, the calls among them, tokens of the model turns, the deepest error.

    A workflow's path are its steps, those that were skipped left out; in the place of a step that an agent does, or
    that has steps inside, stand the turns and calls of the agent, or those steps.
    """

    steps: tuple[Step, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None
    error: str | None = None


def trajectory(trace: Trace) -> Trajectory:
    """Read the path from a trace. Tokens are summed over `chat` spans alone: their parents repeat them."""
    spans = sorted(trace.spans, key=lambda span: span.start_ns)
    hidden = _hidden(spans)
    steps = tuple(step for span in spans if span.span_id not in hidden and (step := _step(span)) is not None)
    chats = [span for span in spans if span.attributes.get(OPERATION) == "chat"]
    return Trajectory(
        steps=steps,
        tool_calls=tuple(step.call for step in steps if step.call is not None),
        input_tokens=_tokens(chats, INPUT_TOKENS),
        output_tokens=_tokens(chats, OUTPUT_TOKENS),
        error=deepest_error(spans),
    )


def deepest_error(spans: Iterable[Span]) -> str | None:
    """The error of the failed span that lies deepest: the cause, which the spans above it only repeat."""
    by_id = {span.span_id: span for span in spans}
    failed = [span for span in by_id.values() if span.error is not None]
    return max(failed, key=depths(by_id)).error if failed else None


def depths(by_id: Mapping[str, Span]) -> Callable[[Span], int]:
    """Tells how deep a span of a trace lies, the root at 1. Each is looked at once, however deep they are nested."""
    known: dict[str, int] = {}

    def depth(span: Span) -> int:
        first, chain = span.span_id, dict[str, Span]()
        while span.span_id not in known and span.span_id not in chain:
            chain[span.span_id] = span
            above = by_id.get(span.parent_id or "")
            if above is None:
                break
            span = above
        deep = known.get(span.span_id, 0)
        for span_id in reversed(chain):
            deep += 1
            known[span_id] = deep
        return known[first]

    return depth


def _hidden(spans: Sequence[Span]) -> set[str]:
    """The spans that a workflow shows by others: calls within a step by the step, steps around others by those."""
    if not any(span.operation == WORKFLOW_STEP for span in spans):
        return set()
    by_id = {span.span_id: span for span in spans}
    hidden: set[str] = set()
    for span in spans:
        owner = _owner(span, by_id)
        if owner is None or owner.operation == AGENT:
            continue
        shown_apart = span.operation in (WORKFLOW_STEP, AGENT)
        hidden.add(owner.span_id if shown_apart else span.span_id)
    return hidden


def _owner(span: Span, by_id: dict[str, Span]) -> Span | None:
    """The nearest span above that is a workflow's step or an agent."""
    seen = {span.span_id}
    while (above := by_id.get(span.parent_id or "")) is not None and above.span_id not in seen:
        if above.operation in (WORKFLOW_STEP, AGENT):
            return above
        seen.add(above.span_id)
        span = above
    return None


def _step(span: Span) -> Step | None:
    if span.operation == "execute_tool":
        return Step(type="tool", call=_call(span))
    if span.operation == "chat":
        return Step(type="model", text=message_text(span.attributes.get(OUTPUT_MESSAGES)))
    if span.operation == WORKFLOW_STEP and not span.attributes.get(STEP_SKIPPED):
        return None if span.attributes.get(STEP_WAITING) else Step(type="step", call=_done(span))
    return None


def _done(span: Span) -> ToolCall:
    """What a workflow's step did, as a call by its name; inside of maps by the name that it has there."""
    given = span.attributes
    path = str(given.get(STEP_NAME) or span.name.removeprefix("step "))
    return ToolCall(
        tool=path.rpartition(".")[2],
        args=given.get(STEP_INPUT),
        output=given.get(STEP_OUTPUT),
        error=span.error,
        provenance=_provenance(span),
    )


def _call(span: Span) -> ToolCall:
    given = span.attributes
    return ToolCall(
        tool=str(given.get(TOOL_NAME) or span.name.removeprefix("execute_tool ")),
        args=parsed(given.get(TOOL_ARGUMENTS, {})),
        output=given.get(TOOL_RESULT),
        error=span.error,
        provenance=_provenance(span),
    )


def _provenance(span: Span) -> Provenance:
    said = span.attributes.get(PROVENANCE)
    return cast(Provenance, said) if said in ("static", "generated") else "real"


def parsed(value: JsonValue) -> JsonValue:
    """A text that is JSON as its value; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def message_text(messages: JsonValue) -> str | None:
    """The text parts of GenAI messages, joined; null when there is none (a turn of tool calls only)."""
    found = parsed(messages)
    texts = [text for message in (found if isinstance(found, list) else []) for text in _texts(message)]
    return "\n".join(texts) or None


def _texts(message: JsonValue) -> list[str]:
    parts = message.get("parts") if isinstance(message, dict) else None
    return [
        str(part["content"])
        for part in (parts if isinstance(parts, list) else [])
        if isinstance(part, dict) and part.get("type") == "text" and part.get("content")
    ]


def _tokens(spans: Iterable[Span], attribute: str) -> int | None:
    total: int | None = None
    for span in spans:
        total = add_known(total, known_tokens(span.attributes.get(attribute)))
    return total


def usage_of(trace: Trace) -> Usage:
    """What the model turns in a trace used: how the cost of an execution that failed half-way is known."""
    chats = [span for span in trace.spans if span.operation == "chat"]
    costs = [cost for span in chats if isinstance(cost := span.attributes.get(COST), (int, float))]
    return Usage(
        calls=len(chats),
        input_tokens=_tokens(chats, INPUT_TOKENS),
        output_tokens=_tokens(chats, OUTPUT_TOKENS),
        cost=sum(costs) if costs else None,
        unpriced=len(chats) - len(costs),
    )
