"""An execution, read from all spans of a trace: what went in, what came out, what it used, why it failed."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from aloi.core.outcome import Failure, Outcome
from aloi.core.spec import JsonObject
from aloi.core.trace import INPUT_MESSAGES, OUTPUT_MESSAGES, Span, Trace
from aloi.core.trajectory import deepest_error, depths, message_text, parsed, usage_of
from aloi.tracing.otlp import frameworks
from aloi.tracing.otlp.openinference import INPUT, OUTPUT
from aloi.tracing.otlp.spans import SERVICE, TARGET, calls_in, completed, is_root

ALL_MESSAGES = ("pydantic_ai.all_messages", "all_messages")
RESULT = "final_result"
NO_ANSWER = (
    "the trace holds no answer; let its exporter send the content of messages, e.g. by "
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
)
TELLING = (INPUT, OUTPUT, *ALL_MESSAGES)


class Observed(NamedTuple):
    """What a trace says of one execution. `start_ns`: when it began, by the exporter's clock."""

    input: str | JsonObject
    outcome: Outcome
    start_ns: int


def observed(trace_id: str, spans: Sequence[Span]) -> Observed:
    """The execution of a trace; `spans` are all that came of it, in any order, at least one."""
    ordered = completed(spans)
    root, main = _root(ordered), _main(ordered)
    chats = [span for span in ordered if span.operation == "chat"]
    trace = Trace(trace_id=trace_id, spans=ordered)
    failed = main.error is not None
    output = None if failed else _output(main, chats)
    return Observed(
        input=_input(main, chats),
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


def _main(spans: Sequence[Span]) -> Span:
    """The span that tells what went in and what came out: the root, unless it only surrounds an agent's work."""
    root = _root(spans)
    if _tells(root):
        return root
    telling = [span for span in spans if _tells(span)]
    return min(telling, key=depths({span.span_id: span for span in spans}), default=root)


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


def _input(root: Span, chats: Sequence[Span]) -> str | JsonObject:
    said = root.attributes
    asked = last_of(said.get(INPUT_MESSAGES), "user") or _all_messages(root, "user")
    if asked is not None:
        return asked
    first = last_of(chats[0].attributes.get(INPUT_MESSAGES), "user") if chats else None
    wrapped = frameworks.given(said)
    given = parsed(said.get(INPUT)) if wrapped is None else wrapped
    if isinstance(given, str) or (isinstance(given, dict) and (first is None or not frameworks.is_conversation(given))):
        return given
    if first is not None:
        return first
    return "" if given is None else str(said.get(INPUT))


def _output(root: Span, chats: Sequence[Span]) -> JsonValue:
    said = root.attributes
    told = last_of(said.get(OUTPUT_MESSAGES), "assistant")
    if told is not None:
        return told
    if RESULT in said:
        return _structured(said[RESULT])
    given = _structured(said.get(OUTPUT))
    answered = frameworks.answer(given)
    if answered is not None:
        return answered
    last = chats[-1].attributes.get(OUTPUT_MESSAGES) if chats else None
    # A turn that asks for tools is no answer, whatever it says beside.
    text = None if any(calls_in(last)) else last_of(last, "assistant")
    return given if text is None else text


def _structured(value: JsonValue) -> JsonValue:
    """An object or a list that is told as its JSON text, as itself; every other value as it is."""
    found = parsed(value)
    return found if isinstance(found, (dict, list)) else value


def _all_messages(root: Span, role: str) -> str | None:
    return next((text for name in ALL_MESSAGES if (text := last_of(root.attributes.get(name), role))), None)


def last_of(messages: JsonValue, role: str) -> str | None:
    """The text of the last message of a role that has any."""
    found = parsed(messages)
    for message in reversed(found if isinstance(found, list) else []):
        if isinstance(message, dict) and message.get("role") in (role, None) and (text := message_text([message])):
            return text
    return None
