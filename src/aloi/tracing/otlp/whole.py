"""An execution, read from all spans of a trace: what went in, what came out, what it used, why it failed."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from aloi.core.outcome import Failure, Outcome
from aloi.core.spec import JsonObject
from aloi.core.trace import INPUT_MESSAGES, OUTPUT_MESSAGES, Span, Trace
from aloi.core.trajectory import AGENT, deepest_error, depths, message_text, parsed, usage_of
from aloi.tracing.otlp import frameworks
from aloi.tracing.otlp.asked import calls_in
from aloi.tracing.otlp.messages import read
from aloi.tracing.otlp.openinference import INPUT, KIND, OUTPUT
from aloi.tracing.otlp.spans import SERVICE, TARGET, completed, is_root

ALL_MESSAGES = ("pydantic_ai.all_messages", "all_messages")
RESULT = "final_result"
NO_ANSWER = (
    "the trace holds no answer; let its exporter send the content of messages, e.g. by "
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
)
TELLING = (INPUT, OUTPUT, *ALL_MESSAGES)
# What an agent does on the way; it is no execution of its own where there is more.
BESIDE = ("execute_tool", "embeddings", "retrieval", "create_agent")


class Observed(NamedTuple):
    """What a trace says of one execution. `start_ns`: when it began, by the exporter's clock."""

    input: str | JsonObject
    outcome: Outcome
    start_ns: int


def observed(trace_id: str, spans: Sequence[Span]) -> Observed:
    """The execution of a trace; `spans` are all that came of it, in any order, at least one."""
    ordered = completed(spans)
    root, (first, last) = _root(ordered), _ends(ordered)
    chats = [span for span in ordered if span.operation == "chat"]
    trace = Trace(trace_id=trace_id, spans=ordered)
    turns = _own(chats, ordered)
    output = None if last.error is not None else _output(last, turns)
    return Observed(
        input=_input(first, turns),
        outcome=Outcome(
            output=output,
            failure=_failure(ordered) if output is None else None,
            usage=usage_of(trace),
            latency=max(0, root.end_ns - root.start_ns) / 1e9,
            trace=trace,
        ),
        start_ns=root.start_ns,
    )


def _root(spans: Sequence[Span]) -> Span:
    """The span around all others; where it did not come, the first of those without a parent."""
    known = {span.span_id for span in spans}
    roots = [span for span in spans if is_root(span, known)] or spans[:1]
    return next((span for span in roots if span.parent_id is None), roots[0])


def _ends(spans: Sequence[Span]) -> tuple[Span, Span]:
    """The spans that tell what went in and what came out: the root, unless it only surrounds an agent's work.

    Then they are the first and the last of those highest below it, agents before all else.
    """
    root = _root(spans)
    telling = [span for span in spans if _tells(span)]
    if _tells(root) or not telling:
        return root, root
    depth = depths({span.span_id: span for span in spans})
    main = [span for span in telling if span.operation not in BESIDE] or telling
    highest = min(map(depth, main))
    main = [span for span in main if depth(span) == highest]
    main = [span for span in main if span.operation == AGENT] or main
    return main[0], main[-1]


def _tells(span: Span) -> bool:
    """Whether a span is work of an agent, or says what went in or came out."""
    return span.operation is not None or not span.attributes.keys().isdisjoint(TELLING)


def target_name(spans: Sequence[Span]) -> str:
    """Whose execution a trace is: what a span says as `aloi.target`, else the service of the root; "" for nobody's.

    Args:
        spans: of the whole trace, by their start.
    """
    root = _root(spans)
    roots_first = [root, *spans]
    for name in (TARGET, SERVICE):
        said = next((value for span in roots_first if (value := span.attributes.get(name))), None)
        if said is not None:
            return str(said)
    return ""


def _failure(spans: Iterable[Span]) -> Failure:
    """Why there is no answer: the error that lies deepest, which the spans above it only repeat."""
    error = deepest_error(spans)
    if error is not None:
        return Failure(stage="invoke", type="exception", message=error)
    return Failure(stage="invoke", type="no_answer", message=NO_ANSWER)


def _own(turns: Sequence[Span], spans: Sequence[Span]) -> Sequence[Span]:
    """The turns of the agent itself, without those of what works within a tool or guards it; all where none is."""
    by_id = {span.span_id: span for span in spans}
    aside: dict[str, bool] = {}
    for span in sorted(spans, key=depths(by_id)):
        above = by_id.get(span.parent_id or "")
        aside[span.span_id] = above is not None and (aside.get(above.span_id, False) or _is_aside(above))
    return [turn for turn in turns if not aside[turn.span_id]] or turns


def _is_aside(span: Span) -> bool:
    return span.operation == "execute_tool" or span.attributes.get(KIND) == "GUARDRAIL"


def _input(root: Span, chats: Sequence[Span]) -> str | JsonObject:
    said = root.attributes
    first = last_of(chats[0].attributes.get(INPUT_MESSAGES), "user") if chats else None
    asked = last_of(said.get(INPUT_MESSAGES), "user")
    state = frameworks.bare(read(said.get(INPUT)))
    if root.operation != "chat":  # of a state some tell the first message only
        asked = last_of(frameworks.conversation(state), "user") or asked
    if asked is None and (among := _all_messages(root, "user")) is not None:
        asked = first or among  # among all messages the last of a user may be what the framework says in his name
    if asked is not None:
        return asked
    wrapped = frameworks.given(said)
    given = state if wrapped is None else wrapped
    if isinstance(given, str) or (isinstance(given, dict) and (first is None or not frameworks.is_conversation(given))):
        return given
    if first is not None:
        return first
    return "" if given is None else str(said.get(INPUT))


def _output(root: Span, chats: Sequence[Span]) -> JsonValue:
    said = root.attributes
    told = last_of(said.get(OUTPUT_MESSAGES), "assistant")
    if told is not None and not (root.operation == "chat" and any(calls_in(said.get(OUTPUT_MESSAGES)))):
        last = last_of(chats[-1].attributes.get(OUTPUT_MESSAGES), "assistant") if chats else None
        return last if last is not None and last == told.strip() else told  # Strands ends it with a line
    if RESULT in said:
        return _structured(said[RESULT])
    given = frameworks.bare(_structured(said.get(OUTPUT)))
    answered = frameworks.answer(given)
    if answered is not None:
        return answered
    last = chats[-1].attributes.get(OUTPUT_MESSAGES) if chats else None
    # A turn that asks for tools is no answer, whatever it says beside.
    text = None if any(calls_in(last)) else last_of(last, "assistant")
    return given if text is None else text


def _structured(value: JsonValue) -> JsonValue:
    """An object, a list or a text that is told as its JSON text, as itself; every other value as it is."""
    found = read(value)
    return found if isinstance(found, (dict, list, str)) else value


def _all_messages(root: Span, role: str) -> str | None:
    return next((text for name in ALL_MESSAGES if (text := last_of(root.attributes.get(name), role))), None)


def last_of(messages: JsonValue, role: str) -> str | None:
    """The text of the last message of a role that has any."""
    found = parsed(messages)
    for message in reversed(found if isinstance(found, list) else []):
        if isinstance(message, dict) and message.get("role") in (role, None) and (text := message_text([message])):
            return text
    return None
