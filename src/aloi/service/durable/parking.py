"""Durable executions: targets that people are asked by are stored step by step, so that they can wait and go on.

An execution is worked on in stretches: from its start, or from where it stood, until it waits for people or is over.
Whoever works on it has its lease. Spans and usage of all stretches are kept together.
"""

import asyncio
from collections.abc import Coroutine
from datetime import datetime, timedelta
from typing import Any, TypeVar

from aloi.core.errors import StoreUnavailable
from aloi.core.execution import ExecutionStatus
from aloi.core.outcome import Outcome
from aloi.service.clock import now
from aloi.service.durable.stretch import Continued, Ended, Stretch
from aloi.service.invocation import Follower, Invocation
from aloi.service.process.lease import LEASE, RENEW_SECONDS
from aloi.store import human_steps, unfinished

T = TypeVar("T")
WATCH_SECONDS = 0.4


async def begin(invocation: Invocation) -> None:
    """Store an execution that begins; this process has its lease then.

    Raises:
        Conflict: its target was deleted meanwhile.
        StoreUnavailable: it could not be stored.
    """
    execution = invocation.execution(Outcome(), ExecutionStatus.RUNNING)
    context = invocation.context
    async with context.database.transaction() as tx:
        await unfinished.begin(tx, execution, invocation.version.id, context.owner, now() + LEASE)


async def carry_on(invocation: Invocation, follow: Follower | None = None) -> None:
    """Work on an execution whose lease this process has, until it is over or waits for people.

    When it is cancelled the lease is given back, with what was done until then.

    Raises:
        Ended: somebody else ended it, deleted it or took it over.
        StoreUnavailable: how far it is could not be stored.
    """
    goes_on = True
    while goes_on:
        stretch = await _next_stretch(invocation, follow)
        try:
            outcome = await _leased(invocation, stretch.run())
        except (asyncio.CancelledError, StoreUnavailable):
            await _unbroken(stretch.give_back())
            raise
        goes_on = await _unbroken(stretch.settle(outcome))


async def _next_stretch(invocation: Invocation, follow: Follower | None) -> Stretch:
    async with invocation.context.database.read() as rx:
        earlier, state = await unfinished.stand(rx, invocation.id)
        answers = await human_steps.answers(rx, invocation.id)
    target = Continued(target=invocation.target, state=state, answers=answers)
    return Stretch(invocation, target, earlier, follow)


async def _leased(invocation: Invocation, work: Coroutine[Any, Any, T]) -> T:
    """What the work gives. Meanwhile the lease is renewed; the work is stopped when it is lost.

    Raises:
        Ended: it was.
        StoreUnavailable: the database could not be used for as long as the lease lasts; shorter gaps are sat out.
    """
    task, renewed_at = asyncio.create_task(work), now()
    try:
        while not (await asyncio.wait([task], timeout=WATCH_SECONDS))[0]:
            try:
                renewed_at = await _renewed(invocation, renewed_at)
            except StoreUnavailable:
                if now() - renewed_at >= LEASE:
                    raise
        return task.result()
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _renewed(invocation: Invocation, before: datetime) -> datetime:
    """See that the lease is still this process's, and prolong it when it is time to; when that was last done."""
    context, moment = invocation.context, now()
    if moment - before < timedelta(seconds=RENEW_SECONDS):
        async with context.database.read() as rx:
            ours, moment = await unfinished.is_held_by(rx, invocation.id, context.owner), before
    else:
        async with context.database.transaction() as tx:
            ours = await unfinished.renew(tx, invocation.id, context.owner, moment + LEASE)
    if not ours:
        raise Ended(invocation.id)
    return moment


async def _unbroken(work: Coroutine[Any, Any, T]) -> T:
    """What the work gives; a cancel meanwhile is raised when it is done."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
