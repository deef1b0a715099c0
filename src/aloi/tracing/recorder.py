"""Writes down the spans of one execution while it happens: the `Recorder` of core.

Spans nest by where they are opened: the open span travels in a context variable, which tasks and threads started by
asyncio copy, so concurrent work nests under what started it. A span costs a few microseconds.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Self

from aloi.core.errors import AloiError
from aloi.core.spec import JsonObject
from aloi.core.trace import Span, Trace

UNFINISHED = "it was still going on when the execution ended"


class Recording:
    """Collects the spans of one execution, with a trace id of its own, or that of a trace that it goes on with.

    It may be read at any time, also while spans are open.
    """

    def __init__(self, trace_id: str | None = None) -> None:
        # Not by `random`: a target that seeds it would make the same ids again.
        self.trace_id = secrets.token_hex(16) if trace_id is None else trace_id
        self._spans: list[RecordedSpan] = []
        self._follower: Callable[[Span], None] | None = None
        # Wall time is read once, and the rest by the clock that never goes back: the order of starts is the true one.
        self._offset = time.time_ns() - time.perf_counter_ns()

    def span(self, name: str, attributes: JsonObject | None = None) -> "RecordedSpan":
        """A span around a block; an exception that leaves the block is its error."""
        return RecordedSpan(self, name, dict(attributes) if attributes else {})

    def traceparent(self) -> str:
        """The W3C `traceparent` of the open span, or of the trace with an id that no span has when none is open."""
        outer = _open_span.get()
        parent = outer.span_id if outer is not None and outer.owner is self else secrets.token_hex(8)
        return f"00-{self.trace_id}-{parent}-01"

    def now(self) -> int:
        """The present time in nanoseconds since 1970-01-01 UTC."""
        return self._offset + time.perf_counter_ns()

    def started(self, span: "RecordedSpan") -> None:
        """Keep a span that has begun."""
        self._spans.append(span)

    def follow(self, follower: Callable[[Span], None]) -> None:
        """Have each span shown to a function when it ends, on the thread where it ends."""
        self._follower = follower

    def ended(self, span: "RecordedSpan") -> None:
        """Show a span that has ended to who follows."""
        if self._follower is not None:
            self._follower(span.frozen(self.now()))

    def spans(self) -> tuple[Span, ...]:
        """The spans so far, by start; one that is still open ends now, in error."""
        now = self.now()
        return tuple(span.frozen(now) for span in self._spans)

    def trace(self, shows_tools: bool = True) -> Trace:
        """The spans so far as a trace; `shows_tools` as the target's reply says."""
        return Trace(trace_id=self.trace_id, spans=self.spans(), shows_tools=shows_tools)


class RecordedSpan:
    """One span, used as a context manager: the block is the work."""

    __slots__ = ("_attributes", "_end", "_error", "_name", "_outer", "_parent", "_start", "owner", "span_id")

    def __init__(self, owner: Recording, name: str, attributes: JsonObject) -> None:
        self.owner = owner
        self._name = name
        self._attributes = attributes
        self.span_id = secrets.token_hex(8)
        self._parent: str | None = None
        self._outer: RecordedSpan | None = None
        self._start = 0
        self._end: int | None = None
        self._error: str | None = None

    def __enter__(self) -> Self:
        self._outer = outer = _open_span.get()
        # A span of another recording is no parent: its trace is not this one.
        self._parent = outer.span_id if outer is not None and outer.owner is self.owner else None
        self._start = self.owner.now()
        self.owner.started(self)
        _open_span.set(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end = self.owner.now()
        if error is not None and self._error is None:  # what was said on purpose stands
            self._error = error_text(error)
        # Set, not reset by token: an async generator may be closed in another context than it was opened in.
        _open_span.set(self._outer)
        self.owner.ended(self)

    def set(self, attributes: JsonObject) -> None:
        """Add attributes."""
        self._attributes.update(attributes)

    def fail(self, error: str) -> None:
        """Mark it as failed though no exception leaves its block."""
        self._error = error

    def frozen(self, now: int) -> Span:
        """The span as a value; `now` ends one that is still open."""
        return Span(
            span_id=self.span_id,
            parent_id=self._parent,
            name=self._name,
            start_ns=self._start,
            end_ns=now if self._end is None else self._end,
            attributes=self._attributes,
            error=self._error if self._end is not None else self._error or UNFINISHED,
        )


_open_span: ContextVar[RecordedSpan | None] = ContextVar("aloi_open_span", default=None)


def error_text(error: BaseException) -> str:
    """An exception in words: our own say it themselves, others are led by their type."""
    if isinstance(error, asyncio.CancelledError):
        return "it was cancelled"  # its own text tells of tasks and addresses
    text = str(error)
    if isinstance(error, AloiError) and text:
        return text
    name = type(error).__name__
    return f"{name}: {text}" if text else name
