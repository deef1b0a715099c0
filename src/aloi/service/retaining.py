"""How long executions of production are kept; what is beyond is deleted in the background, a few at a time."""

import asyncio
import logging
from datetime import datetime, timedelta

from aloi.core.errors import StoreUnavailable
from aloi.core.ingestion import IngestionCounts, Retention
from aloi.core.spec import JsonObject
from aloi.service.changes import record_change
from aloi.service.checks import checked
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.traces.own_traces import KEPT
from aloi.store import expected, ingestion, retention

LOOK_SECONDS = 60.0
AT_ONCE = 200
PAUSE_SECONDS = 0.05  # between batches, so that others may write
MEGABYTE = 1_000_000
COUNTED = timedelta(days=29)
log = logging.getLogger("aloi.service")


async def get(context: Context) -> Retention:
    """The workspace's limits."""
    async with context.database.read() as rx:
        return await retention.get(rx)


async def update(context: Context, changes: JsonObject) -> Retention:
    """Change the limits: a null lifts one, one that is not named stays."""
    workspace = context.principal.workspace
    async with context.database.transaction() as tx:
        old = await retention.get(tx)
        new = checked(Retention, {**dict(old), **changes})
        await retention.put(tx, new)
        await record_change(context, tx, "workspace.retention", (workspace.id, workspace.name), old, new)
    return new


async def counts(context: Context) -> IngestionCounts:
    """What became of the spans of the last 30 days."""
    async with context.database.read() as rx:
        return await ingestion.since(rx, now().date() - COUNTED)


async def look_after_retention(context: Context) -> None:
    """Delete what is beyond its limits, now and every minute, until this is cancelled."""
    while True:
        try:
            await delete_expired(context)
            await forget_expected(context)
        except StoreUnavailable as error:
            log.warning("old executions cannot be deleted now: %s", error)
        except Exception:  # whatever it was, the next look may go well
            log.exception("old executions could not be deleted")
        await asyncio.sleep(LOOK_SECONDS)


async def delete_expired(context: Context) -> int:
    """Delete the executions of production, of all workspaces, that are beyond the limits; how many were.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    deleted = 0
    async with context.database.read() as rx:
        limited = await retention.limited(rx)
    for workspace_id, limits in limited:
        deleted += await _delete_beyond(context.in_workspace(workspace_id), limits)
    return deleted


async def forget_expected(context: Context) -> None:
    """Forget the traces of invocations that nothing became of; spans of them that wait are let go before.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    async with context.database.transaction() as tx:
        await expected.forget(tx, now() - 2 * KEPT)


async def _delete_beyond(context: Context, limits: Retention) -> int:
    """Delete what is beyond a workspace's limits, in batches. Servers that do so at once delete the same ones."""
    before = await _before(context, limits)
    deleted = 0
    while before is not None:
        async with context.database.read() as rx:
            found = await retention.expired(rx, before, AT_ONCE)
        if not found:
            break
        async with context.database.transaction() as tx:
            deleted += await retention.delete(tx, found)
        await asyncio.sleep(PAUSE_SECONDS)
    return deleted


async def _before(context: Context, limits: Retention) -> datetime | None:
    """Before when the executions began that go; null when none does."""
    by_age = None if limits.days is None else now() - timedelta(days=limits.days)
    if limits.megabytes is None:
        return by_age
    async with context.database.read() as rx:
        by_size = await retention.beyond(rx, limits.megabytes * MEGABYTE)
    return max((one for one in (by_age, by_size) if one is not None), default=None)
