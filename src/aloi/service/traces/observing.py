"""Making executions of traces that came to rest. Any number of servers do so side by side, each trace once."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby

from aloi.core.errors import StoreUnavailable
from aloi.core.online_rule import Finished
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.online.sampling import let_wait
from aloi.service.traces import own_traces
from aloi.service.traces.merging import Merged, Prices, merged
from aloi.service.traces.observed_targets import versions_of
from aloi.service.traces.own_traces import Found
from aloi.store import expected, ingestion, observed, traces, usage
from aloi.store.connection import Connection
from aloi.store.observed import ObservedRow
from aloi.store.traces import Claimed
from aloi.store.usage import Source, UsedRow

LOOK_SECONDS = 0.5
# Between two batches, so that requests are answered meanwhile.
BUSY_SECONDS = 0.005
AT_ONCE, SIZE_AT_ONCE = 20, 2_000_000
# Longer than the largest trace takes; a claim that outlives its process is taken over then.
CLAIM = timedelta(seconds=60)
MOST_TRIES = 5
TRY_AGAIN = timedelta(seconds=30)
log = logging.getLogger("aloi.service")


async def look_after_traces(context: Context) -> None:
    """Make executions of traces that came to rest, now and all the time, until this is cancelled."""
    while True:
        pause = LOOK_SECONDS
        try:
            pause = BUSY_SECONDS if await finish_due(context) else LOOK_SECONDS
        except StoreUnavailable as error:
            log.warning("traces cannot be looked after now: %s", error)
        except Exception:  # whatever it was, the next look may go well
            log.exception("traces could not be looked after")
        await asyncio.sleep(pause)


async def finish_due(context: Context) -> int:
    """Make executions of some traces of all workspaces that are due; how many were claimed, 0 when none is due.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    at, claim_id = now(), new_id()
    async with context.database.read() as rx:
        if not await traces.is_any_due(rx, at):
            return 0
    async with context.database.transaction() as tx:
        claimed = await traces.claim(tx, claim_id, at, at + CLAIM, AT_ONCE, SIZE_AT_ONCE)
    claimed.sort(key=lambda trace: trace.workspace_id)
    for workspace_id, group in groupby(claimed, key=lambda trace: trace.workspace_id):
        await _finish(context.in_workspace(workspace_id, "traces"), claim_id, list(group))
    return len(claimed)


async def _finish(context: Context, claim_id: str, claimed: Sequence[Claimed]) -> None:
    """Finish the claimed traces of a workspace together; when that fails, one by one, so that none holds up others."""
    try:
        await _finish_together(context, claim_id, claimed)
    except StoreUnavailable:
        raise
    except Exception as error:
        if len(claimed) == 1:
            await _put_off(context, claim_id, claimed[0], error)
            return
        for trace in claimed:
            await _finish(context, claim_id, [trace])


async def _finish_together(context: Context, claim_id: str, claimed: Sequence[Claimed]) -> None:
    ids = [trace.trace_id for trace in claimed]
    async with context.database.read() as rx:
        waiting, known = await traces.received(rx, ids), await observed.known(rx, ids)
        until = await expected.until(rx, ids)
    every = [
        Found(trace, waiting[trace.trace_id], known.get(trace.trace_id), until.get(trace.trace_id)) for trace in claimed
    ]
    await own_traces.give(context, claim_id, [one for one in every if one.is_ours])
    found = [one for one in every if not one.is_ours]
    made = await asyncio.to_thread(_made, found, context.models.prices.cost)
    async with context.database.transaction() as tx:
        mine = await traces.still_claimed(tx, claim_id)
        ours = [(one, execution) for one, execution in zip(found, made, strict=True) if one.claimed.trace_id in mine]
        await _keep(context, tx, [execution for _, execution in ours if execution is not None])
        dropped = [one for one, execution in ours if execution is None]
        left_out = sum(execution.newly_left_out for _, execution in ours if execution is not None)
        await ingestion.add(tx, now().date(), left_out=left_out, dropped_traces=len(dropped))
        spans = {id(one): 0 if execution is None else execution.spans for one, execution in ours}
        await traces.settle(tx, [(one.claimed, one.rows, spans[id(one)]) for one, _ in ours], now())


def _made(found: Sequence[Found], prices: Prices) -> list[Merged | None]:
    """The executions; null for a trace of no interest."""
    return [
        merged(one.claimed, [row.body for row in one.rows], one.known, prices) if one.is_wanted else None
        for one in found
    ]


async def _keep(context: Context, tx: Connection, made: Sequence[Merged]) -> None:
    """Store the executions, and what they used."""
    versions = await versions_of(context, tx, {execution.target for execution in made})
    rows: list[ObservedRow] = []
    used: list[tuple[Source, UsedRow]] = []
    for execution in made:
        execution_id = execution.known_id or new_id()
        version = versions[execution.target]
        place = execution_id, execution.trace_id, execution.created_at
        rows.append(ObservedRow(*place, execution.input, execution.outcome, version))
        day = execution.created_at.date()
        source = Source(execution_id, version.target_id)
        used += [(source, UsedRow(day, "target", model, spent)) for model, spent in execution.used.items()]
    await observed.put(tx, rows)
    await usage.put_many(tx, used)
    await let_wait(tx, [_finished(row) for row in rows])


def _finished(row: ObservedRow) -> Finished:
    """The execution as rules look at it: late spans may still change it."""
    return Finished(row.execution_id, *row.version, row.created_at, row.input, row.outcome, may_change=True)


async def _put_off(context: Context, claim_id: str, trace: Claimed, error: Exception) -> None:
    """Try a trace again later that no execution can be made of; after some times it is dropped, and counted."""
    at: datetime = now()
    async with context.database.transaction() as tx:
        if trace.tries + 1 < MOST_TRIES:
            log.warning("trace %s cannot become an execution now: %s", trace.trace_id, error)
            await traces.put_off(tx, claim_id, trace.trace_id, at + TRY_AGAIN)
            return
        log.error("trace %s is dropped, no execution can be made of it", trace.trace_id, exc_info=error)
        rows = (await traces.received(tx, [trace.trace_id]))[trace.trace_id]
        if await traces.still_claimed(tx, claim_id) & {trace.trace_id}:
            await traces.settle(tx, [(trace, rows, 0)], at)
            await ingestion.add(tx, at.date(), dropped_traces=1)
