"""Spans of cases that come from elsewhere: expected before a target is invoked, waited for after its answer."""

import asyncio
from datetime import timedelta
from typing import NamedTuple

from aloi.core.outcome import Outcome
from aloi.core.trace import TRACE_AWAITED, Span, sender
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
    """The `Evidence` of the runner: what exporters send to any server on this database."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def expect(self, trace_id: str, seconds: float) -> None:
        """See `Evidence.expect`."""
        async with self._context.database.transaction() as tx:
            await expected.expect(tx, trace_id, now() + timedelta(seconds=seconds) + MARGIN)

    async def completed(self, outcome: Outcome, seconds: float) -> Outcome:
        """See `Evidence.completed`. It ends early when the service's part is whole and nothing more comes of it.

        What came stays where it is until the result is stored, so that a run that is taken up again finds it.
        """
        trace = outcome.trace
        sent = None if trace is None else sender(trace)
        if trace is None or sent is None or trace.shows_tools or TRACE_AWAITED in sent.attributes:
            return outcome
        came = await self._came(trace.trace_id, sent, seconds) if seconds else Came([], 0)
        told = outcome.model_copy(update={"trace": awaited(trace, seconds)})
        return await asyncio.to_thread(with_spans, told, came.spans, self._context.models.prices.cost, came.refused)

    async def _came(self, trace_id: str, sent: Span, seconds: float) -> Came:
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
        spans = await asyncio.to_thread(spans_in, [row.body for row in rows])
        return Came(spans, counts[trace_id].left_out if trace_id in counts else 0)
