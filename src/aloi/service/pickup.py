"""Taking up what nobody works on any more, runs and executions: their server was killed, or gave them back."""

import asyncio
import logging

from aloi.core.errors import Conflict, NotFound, StoreUnavailable, reason_of
from aloi.core.run import Run, RunStatus
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.durable import continuing
from aloi.service.process.lease import is_dead
from aloi.service.running.frozen import Frozen, load
from aloi.service.running.work import OPEN, finish, set_off, take
from aloi.service.runs import get
from aloi.store import runs

LOOK_SECONDS = 2.0
log = logging.getLogger("aloi.service")


async def look_after_runs(context: Context) -> None:
    """Take up runs of servers, and executions, now and every few seconds, until this is cancelled."""
    while True:
        try:
            await take_up(context)
            await take_up_executions(context)
        except StoreUnavailable as error:
            log.warning("runs cannot be looked after now: %s", error)
        except Exception:  # whatever it was, the next look may go well
            log.exception("runs could not be looked after")
        await asyncio.sleep(LOOK_SECONDS)


async def take_up(context: Context) -> None:
    """Go on with every run of a server that nobody works on, each in its own workspace.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    async with context.database.read() as rx:
        orphans = await runs.orphans(rx, now(), is_dead)
    for workspace_id, run_id in orphans:
        own = context.in_workspace(workspace_id)
        try:
            await _go_on(own, await get(own, run_id))
        except (Conflict, NotFound) as error:
            log.info("run %s is not taken up: %s", run_id, error)  # another process was faster, or it was deleted
        except StoreUnavailable:
            raise
        except Exception:  # it holds up no other
            log.exception("run %s could not be taken up", run_id)


async def take_up_executions(context: Context) -> None:
    """Go on with every execution that should be going on and that nobody works on, each in its own workspace.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    for found in await continuing.abandoned(context):
        try:
            await continuing.take_up(context.in_workspace(found.workspace_id), found)
        except (Conflict, NotFound) as error:
            log.info("execution %s is not taken up: %s", found.execution_id, error)
        except StoreUnavailable:
            raise
        except Exception:  # it holds up no other
            log.exception("execution %s could not be taken up", found.execution_id)


async def _go_on(context: Context, run: Run) -> None:
    """Take the run and work on it. One that cannot go on here ends as failed, with the reason: it would never end."""
    frozen: Frozen | None = None
    reason: str | None = None
    try:
        frozen = await load(context, run)
    except StoreUnavailable:
        raise
    except Exception as error:  # a target's own module may raise anything when it is imported
        reason = f"it was interrupted and cannot go on: {reason_of(error)}"
    async with context.database.transaction() as tx:
        run = await take(context, tx, run, OPEN)
    if frozen is not None:
        set_off(context, run, frozen)
    else:
        await finish(context, run, OPEN, RunStatus.FAILED, reason)
