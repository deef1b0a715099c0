"""Spans of cases that come from elsewhere: expected before a target is invoked, waited for after its answer."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from aloi.core.outcome import Outcome
from aloi.core.trace import TRACE_AWAITED, TRACE_WAIT, Span, promised, senders
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.process.awaiting import Watch
from aloi.service.traces.joining import spans_in, with_spans
from aloi.store import expected, traces
from aloi.tracing.otlp.joined import awaited, is_whole

# An invocation may take so much longer until it is stored than it may take itself.
MARGIN = timedelta(seconds=60)
MOST_IDLE_SECONDS = 1.0


class Came(NamedTuple):
    """The spans of a trace that came, and how many more than may wait."""

    spans: list[Span]
    refused: int


class ReceivedSpans:
    """The `Evidence` of the runner: what exporters send to any server on this database.

    `secrets`: what the target is told of the environment, by the names of the variables; no span repeats it.
    """

    def __init__(self, context: Context, secrets: Mapping[str, str]) -> None:
        self._context = context
        self._secrets = secrets

    async def expect(self, trace_id: str, seconds: float) -> None:
        """See `Evidence.expect`."""
        async with self._context.database.transaction() as tx:
            await expected.expect(tx, trace_id, now() + timedelta(seconds=seconds) + MARGIN)

    async def completed(self, outcome: Outcome, seconds: float) -> Outcome:
        """See `Evidence.completed`. It ends early when the services' parts are whole and nothing more comes of them.

        A trace that shows tool calls without them waits only where one of its own requests says so.

        What came stays where it is until the result is stored, so that a run that is taken up again finds it.
        """
        trace = outcome.trace
        sent = () if trace is None else senders(trace)
        wanted = promised(sent)
        if trace is None or not sent or any(TRACE_AWAITED in span.attributes for span in sent):
            return outcome
        if trace.shows_tools and not wanted:
            return outcome
        seconds = min(seconds, max(map(_wait, wanted), default=seconds))
        came = await self._came(trace.trace_id, sent, seconds) if seconds else Came([], 0)
        told = outcome.model_copy(update={"trace": awaited(trace, seconds)})
        return await asyncio.to_thread(with_spans, told, came.spans, self._context.models.prices.cost, came.refused)

    async def _came(self, trace_id: str, sent: Sequence[Span], seconds: float) -> Came:
        """What came within so many seconds."""
        context, loop = self._context, asyncio.get_running_loop()
        until = loop.time() + seconds
        idle = min(MOST_IDLE_SECONDS, context.settings.trace_idle_seconds)
        trace = Watch(context.database, context.principal.workspace.id, trace_id, idle)
        with context.awaited.watching(trace) as watch:
            while await watch.came_to_rest(until - loop.time()):
                came = await self._read(trace_id)
                if is_whole(came.spans, sent):
                    return came
        return await self._read(trace_id)

    async def _read(self, trace_id: str) -> Came:
        async with self._context.database.read() as rx:
            rows = (await traces.received(rx, [trace_id]))[trace_id]
            counts = await traces.counts(rx, [trace_id])
        spans = await asyncio.to_thread(spans_in, [row.body for row in rows], self._secrets)
        return Came(spans, counts[trace_id].left_out if trace_id in counts else 0)


def _wait(span: Span) -> float:
    """For how many seconds a request wants spans of its service waited for."""
    wait = span.attributes.get(TRACE_WAIT)
    return wait if isinstance(wait, (int, float)) else 0.0
