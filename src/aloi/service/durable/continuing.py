"""Durable executions in the background: they go on whoever asked for it, and however often a server is restarted."""

import asyncio
import logging

from aloi.core.case import Case
from aloi.core.errors import AloiError, Conflict, StoreUnavailable, reason_of
from aloi.core.execution import Execution
from aloi.core.json_values import storable
from aloi.core.outcome import Failure
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.durable.parking import begin, carry_on
from aloi.service.durable.stretch import Ended
from aloi.service.invocation import Follower, Invocation, invocation_of
from aloi.service.online.sampling import let_execution_wait
from aloi.service.process.lease import LEASE, is_dead
from aloi.store import executions, targets, unfinished
from aloi.store.unfinished import Leased

log = logging.getLogger("aloi.service")


def set_off(invocation: Invocation, follow: Follower | None = None, *, new: bool = False) -> asyncio.Task[None]:
    """Work on an execution in the background.

    Nothing may be awaited between the end of the transaction that took its lease and this.

    Args:
        follow: is shown each span when it ends.
        new: it is not stored yet.
    """
    context = invocation.context
    task = asyncio.create_task(_work(invocation, follow, new), name=f"execution {invocation.id}")
    context.work[invocation.id] = task
    task.add_done_callback(lambda done: _forget(context, invocation.id, done))
    return task


async def _work(invocation: Invocation, follow: Follower | None, new: bool) -> None:
    if new:
        await begin(invocation)
    try:
        await carry_on(invocation, follow)
    except Ended as ended:
        log.info("%s", ended)  # who ended it knows


def _forget(context: Context, execution_id: str, done: asyncio.Task[None]) -> None:
    """Let go of work that ended; where it broke that is told by a server's log, or to who waits for it."""
    del context.work[execution_id]
    fault = None if done.cancelled() else done.exception()
    if fault is not None and context.served:
        unexpected = None if isinstance(fault, AloiError) else fault
        log.error("execution %s broke: %s", execution_id, fault, exc_info=unexpected)


async def resumable(context: Context, execution: Execution) -> Invocation:
    """A stored execution as it may go on here.

    Raises:
        InvalidInput, NotPermitted, Conflict: its version cannot be used any more, or not here.
    """
    async with context.database.read() as rx:
        version = await targets.version(rx, execution.target_id, execution.version)
    begun, case = (execution.id, execution.created_at), Case(input=execution.input)
    return invocation_of(context, version, case, execution.source, begun)


async def abandoned(context: Context) -> list[Leased]:
    """The executions, of all workspaces, that should be going on and that nobody works on.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    async with context.database.read() as rx:
        return [found for found in await unfinished.running(rx) if _is_free(context, found)]


def _is_free(context: Context, found: Leased) -> bool:
    """Whether its lease may be taken. A holder that lives on this host is only late to renew it, and works on."""
    if found.holder is None:
        return True
    own = found.holder == context.owner
    dead = None if own and found.execution_id not in context.work else is_dead(found.holder)
    return (found.until is None or found.until <= now()) if dead is None else dead


async def take_up(context: Context, found: Leased) -> None:
    """Go on with an execution that nobody works on; one that cannot go on here fails, with the reason.

    Args:
        context: of its workspace.

    Raises:
        StoreUnavailable: the database cannot be used.
        NotFound, Conflict: it was deleted, or another process was faster.
    """
    async with context.database.read() as rx:
        execution = await executions.get(rx, found.execution_id)
    invocation: Invocation | None = None
    reason = ""
    try:
        invocation = await resumable(context, execution)
    except StoreUnavailable:
        raise
    except Exception as error:  # a target's own module may raise anything when it is imported
        reason = storable(f"it was interrupted and cannot go on: {reason_of(error)}")
    async with context.database.transaction() as tx:
        if not await unfinished.take_over(tx, found, context.owner, now() + LEASE):
            raise Conflict(f"execution {found.execution_id} is worked on by another process")
        if invocation is None:
            failure = Failure(stage="invoke", type="interrupted", message=reason)
            outcome = execution.outcome.model_copy(update={"failure": failure})
            await unfinished.end(tx, execution.id, outcome)
            await let_execution_wait(tx, execution, outcome)
    if invocation is not None:
        set_off(invocation)
