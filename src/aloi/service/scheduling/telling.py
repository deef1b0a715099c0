"""Telling of scheduled runs that are finished, in whatever process they ended: each once, and none is lost."""

import asyncio
import logging
from datetime import datetime

from aloi.core.comparison import Comparison, compare
from aloi.core.errors import NotFound, StoreUnavailable
from aloi.core.notice import News, Notice, news_of
from aloi.core.run import Run, RunStatus
from aloi.service.context import Context
from aloi.service.scheduling import notices
from aloi.store import firings, result_pages, runs
from aloi.store.firings import Untold

AT_ONCE = 100
log = logging.getLogger("aloi.service")


async def tell_of_runs(context: Context, at: datetime) -> list[Notice]:
    """Tell of every scheduled run that is finished and of which nobody was told; what this process told.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    async with context.database.read() as rx:
        found = await firings.untold(rx, AT_ONCE)
    return [notice for untold in found for notice in await _tell_alone(context, untold, at)]


async def _tell_alone(context: Context, untold: Untold, at: datetime) -> list[Notice]:
    """As `_tell`; a run of which nothing can be told is named in the log, and holds up no other."""
    try:
        return await _tell(context, untold, at)
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("of the scheduled run %s nothing could be told", untold.run_id)
        return []


async def _tell(context: Context, untold: Untold, at: datetime) -> list[Notice]:
    context = context.in_workspace(untold.workspace_id)
    try:
        news = await _news(context, untold)
    except NotFound:  # the run was deleted just now
        return []
    schedule = untold.schedule_id, untold.schedule_name
    async with context.database.transaction() as tx:
        if not await firings.set_told(tx, untold.firing_id):
            return []
        return [await notices.tell(tx, schedule, untold.run_id, one, at) for one in news]


async def _news(context: Context, untold: Untold) -> list[News]:
    """What to tell of the run, against the schedule's last completed one before it."""
    async with context.database.read() as rx:
        run = await runs.get(rx, untold.run_id)
        ref = await firings.completed_before(rx, untold.firing_id, untold.schedule_id)
        before = None if ref is None else await runs.get(rx, ref)
    if before is None or run.status is not RunStatus.COMPLETED:
        return news_of(run, None, None)
    return news_of(run, before.summary, await _compared(context, before, run))


async def _compared(context: Context, before: Run, run: Run) -> Comparison:
    async with context.database.read() as rx:
        rows_a = [row async for row in result_pages.rows(rx, before.id)]
        rows_b = [row async for row in result_pages.rows(rx, run.id)]
    # In a thread: tens of thousands of rows take a while, and other work of this process must go on.
    return await asyncio.to_thread(compare, before.id, run.id, rows_a, rows_b)
