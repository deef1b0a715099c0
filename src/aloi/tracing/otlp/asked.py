"""The tool calls that a model asked for, and what it was answered: what it takes to know a call in full."""

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.trace import (
    INPUT_MESSAGES,
    OPERATION,
    OUTPUT_MESSAGES,
    TOOL_ARGUMENTS,
    TOOL_CALL_ID,
    TOOL_NAME,
    TOOL_RESULT,
    Span,
)
from aloi.tracing.otlp.frameworks import is_no_tool
from aloi.tracing.otlp.messages import RESPONSE, parts_of, read

# Ours: a call that no span tells, read from the messages of the turns around it.
FROM_MESSAGES = "aloi.trace.from_messages"


class Answers:
    """What tools answered, by the ids of the calls, with the turn that was told so first."""

    def __init__(self, turns: Iterable[Span]) -> None:
        self._found: dict[str, tuple[Span, JsonValue]] = {}
        for turn in turns:
            for part in parts_of(turn.attributes.get(INPUT_MESSAGES), RESPONSE):
                if part.get("id") is not None:
                    answer = part.get("response", part.get("result", part.get("content")))
                    self._found.setdefault(str(part["id"]), (turn, answer))

    def to(self, call: JsonObject) -> tuple[Span, JsonValue] | None:
        """The turn that was told what a call gave, and what that is; null where no turn was."""
        return None if call.get("id") is None else self._found.get(str(call["id"]))


class Asked:
    """The tool calls that turns of a model asked for, each to be carried out once."""

    def __init__(self, turns: Sequence[Span]) -> None:
        self._answers = Answers(turns)
        self._by_id: dict[str, JsonObject] = {}
        self._by_name: dict[str, deque[JsonObject]] = {}
        self._done: set[int] = set()
        self._places: dict[str, int] = {}
        for place, call in enumerate(_asked_by(turns)):
            self._places.setdefault(str(call.get("id")), place)
            self._by_id.setdefault(str(call.get("id")), call)
            self._by_name.setdefault(str(call.get("name")), deque()).append(call)

    def completed(self, span: Span) -> Span:
        """The span of a tool with the arguments of the call that it carries out, and what the model was answered."""
        given = span.attributes
        call = self._taken(given.get(TOOL_CALL_ID), given.get(TOOL_NAME))
        if call is None:
            return span
        found = dict(given)
        if not isinstance(read(given.get(TOOL_ARGUMENTS)), dict):
            found[TOOL_ARGUMENTS] = read(call.get("arguments"))
        if TOOL_RESULT not in given and span.error is None and (answer := self._answers.to(call)) is not None:
            found[TOOL_RESULT] = answer[1]
        return span if found == given else span.model_copy(update={"attributes": found})

    def place(self, span: Span) -> int:
        """The place of a span's call among those that were asked for; 0 where that is not known."""
        return self._places.get(str(span.attributes.get(TOOL_CALL_ID)), 0)

    def _taken(self, call_id: JsonValue, name: JsonValue) -> JsonObject | None:
        """The call of that id; where ids are not told, the first of that name."""
        by_id = self._by_id.get(str(call_id)) if call_id is not None else None
        if by_id is not None:
            self._done.add(id(by_id))
            return by_id
        waiting = self._by_name.get(str(name), deque())
        while waiting:
            call = waiting.popleft()
            told_apart = call_id is not None and call.get("id") is not None
            if id(call) not in self._done and not told_apart:
                return call
        return None


def _asked_by(turns: Iterable[Span]) -> Iterator[JsonObject]:
    for turn in turns:
        yield from calls_in(turn.attributes.get(OUTPUT_MESSAGES))


def untold(turns: Sequence[Span]) -> Iterator[Span]:
    """A span for each call that turns alone tell: one of them asked for it, and a later one was told what it gave.

    For traces without any span of a tool, as those of instrumentations that see requests to models only.
    """
    answers = Answers(turns)
    for turn in turns:
        for number, call in enumerate(calls_in(turn.attributes.get(OUTPUT_MESSAGES))):
            answer = answers.to(call)
            if answer is not None and answer[0] is not turn and not is_no_tool(call.get("name")):
                yield _span(call, answer[1], turn, answer[0], number)


def _span(call: JsonObject, answer: JsonValue, asked: Span, told: Span, number: int) -> Span:
    """The call's span: it may have begun when the model had asked, in the order of its asking."""
    name, start = str(call.get("name") or ""), asked.end_ns + number
    return Span(
        span_id=hashlib.sha256(f"{asked.span_id} {call.get('id')}".encode()).hexdigest()[:16],
        parent_id=asked.parent_id,
        name=f"execute_tool {name}",
        start_ns=start,
        end_ns=max(start, told.start_ns),
        attributes={
            **_of_the_trace(asked.attributes),
            OPERATION: "execute_tool",
            TOOL_NAME: name,
            TOOL_CALL_ID: call.get("id"),
            TOOL_ARGUMENTS: read(call.get("arguments")),
            TOOL_RESULT: answer,
            FROM_MESSAGES: True,
        },
    )


def _of_the_trace(attributes: Mapping[str, JsonValue]) -> JsonObject:
    return {name: attributes[name] for name in ("service.name", "aloi.target") if name in attributes}


def calls_in(messages: JsonValue) -> Iterator[JsonObject]:
    """The parts of messages that ask for calls of tools."""
    return parts_of(messages, "tool_call")
