"""What fires schedules, in every server process: exactly one of them fires each time that a schedule is due."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from aloi.core.errors import InvalidInput, NotFound, StoreUnavailable, reason_of
from aloi.core.notice import News, NoticeKind
from aloi.core.run import Run, RunRequest, RunStatus, TargetVersion
from aloi.core.schedule import Firing, FiringStatus, Schedule
from aloi.core.target import Target
from aloi.recurrence import next_firing
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.running.freezing import Filled, insert_run
from aloi.service.running.frozen import Frozen, live_target
from aloi.service.running.run_audit import record_run
from aloi.service.running.work import set_off, take
from aloi.service.scheduling import notices
from aloi.service.scheduling.telling import tell_of_runs
from aloi.service.scheduling.webhooks import deliver
from aloi.store import cases, datasets, firings, schedules, targets
from aloi.store.connection import Connection

LOOK_SECONDS = 1.0
BEFORE_GOES_ON = "the run before it was still going on"
Look = Callable[[Context, datetime], Awaitable[object]]
log = logging.getLogger("aloi.service")


async def look_after_schedules(context: Context) -> None:
    """Fire what is due, tell of runs that are finished, and send what was told, every second until it is cancelled.

    Each by itself: a slow receiver, or a comparison of large runs, holds no firing up.
    """
    await asyncio.gather(*(_again_and_again(context, look) for look in (fire_due, tell_of_runs, deliver)))


async def _again_and_again(context: Context, look: Look) -> None:
    while True:
        try:
            await look(context, now())
        except StoreUnavailable as error:
            log.warning("schedules cannot be looked after now: %s", error)
        except Exception:  # whatever it was, the next look may go well
            log.exception("schedules could not be looked after")
        await asyncio.sleep(LOOK_SECONDS)


async def fire_due(context: Context, at: datetime) -> list[Firing]:
    """Fire every schedule that is due at a moment, of all workspaces; the firings that this process did.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    async with context.database.read() as rx:
        due = await schedules.due(rx, at)
    found = [await _fire_alone(context.in_workspace(workspace), schedule_id, at) for workspace, schedule_id in due]
    return [firing for firing in found if firing is not None]


async def _fire_alone(context: Context, schedule_id: str, at: datetime) -> Firing | None:
    """As `_fire`; a schedule for which even that fails is told in the log, and holds up no other."""
    try:
        return await _fire(context, schedule_id, at)
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("the schedule %s could not be fired", schedule_id)
        return None


async def _fire(context: Context, schedule_id: str, at: datetime) -> Firing | None:
    """Fire a schedule; null when somebody else did, or it was changed meanwhile: then the next look fires it."""
    try:
        async with context.database.read() as rx:
            schedule = await schedules.get(rx, schedule_id)
    except NotFound:
        return None
    context = context.in_workspace(context.principal.workspace.id, f"schedule {schedule.name}")
    try:
        return await _start(context, schedule, at)
    except StoreUnavailable:
        raise
    except Exception as error:  # a target's own module may raise anything when it is imported
        return await _fail(context, schedule, at, reason_of(error))


async def _start(context: Context, schedule: Schedule, at: datetime) -> Firing | None:
    """Start the schedule's run, or record that the one before goes on, in the one transaction that moves `next_at` on.

    Raises:
        AloiError: the run cannot be started; nothing was stored.
    """
    async with context.database.read() as rx:
        version = await targets.version(rx, schedule.target_id)
    target = live_target(context, version)
    async with context.database.transaction() as tx:
        if not await _claim(tx, schedule, at, next_firing(schedule, _later(schedule, at))):
            return None
        if await firings.is_going_on(tx, schedule.id):
            return await _record(tx, schedule, at, FiringStatus.SKIPPED, reason=BEFORE_GOES_ON)
        run, frozen = await _run(context, tx, schedule, version, target)
        firing = await _record(tx, schedule, at, FiringStatus.STARTED, run_id=run.id)
    set_off(context, run, frozen)
    return firing


async def _run(
    context: Context, tx: Connection, schedule: Schedule, version: TargetVersion, target: Target
) -> tuple[Run, Frozen]:
    """The schedule's run over the dataset as it is now, taken by this process."""
    dataset = await datasets.hold_by_id(tx, schedule.dataset_id)
    request = RunRequest(target_version_id=version.id, dataset=dataset.id)
    filled = Filled(dataset, cases.pages(tx, dataset.id))
    pending, revision = await insert_run(context, tx, request, filled, version, target, schedule_id=schedule.id)
    await record_run(context, tx, "start", pending)
    return await take(context, tx, pending, {RunStatus.PENDING}), Frozen(version, target, revision)


async def _fail(context: Context, schedule: Schedule, at: datetime, reason: str) -> Firing | None:
    """Record that the run could not be started, and tell people; null when somebody else has fired meanwhile."""
    try:
        upcoming = next_firing(schedule, _later(schedule, at))
    except InvalidInput:  # its time zone is not known here any more: that is then the reason
        upcoming = None
    async with context.database.transaction() as tx:
        if not await _claim(tx, schedule, at, upcoming):
            return None
        if await firings.is_going_on(tx, schedule.id):
            return await _record(tx, schedule, at, FiringStatus.SKIPPED, reason=BEFORE_GOES_ON)
        news = News(NoticeKind.FAILED, f"The run could not be started: {reason}")
        await notices.tell(tx, (schedule.id, schedule.name), None, news, at)
        return await _record(tx, schedule, at, FiringStatus.FAILED, reason=reason)


async def _claim(tx: Connection, seen: Schedule, at: datetime, upcoming: datetime | None) -> bool:
    """Take this firing of a schedule; false when it is not due any more, or was changed since it was seen."""
    try:
        held = await schedules.hold(tx, seen.id)
    except NotFound:
        return False
    due = held.next_at is not None and held.next_at <= at
    return due and held.edited() == seen.edited() and await schedules.advance(tx, seen, upcoming)


async def _record(
    tx: Connection,
    schedule: Schedule,
    at: datetime,
    status: FiringStatus,
    run_id: str | None = None,
    reason: str | None = None,
) -> Firing:
    firing = Firing(
        id=new_id(),
        schedule_id=schedule.id,
        due_at=schedule.next_at or at,
        fired_at=at,
        status=status,
        run_id=run_id,
        reason=reason,
    )
    await firings.insert(tx, firing)
    return firing


def _later(schedule: Schedule, at: datetime) -> datetime:
    """From when on it fires next: behind what it fires for now, and all that was missed with it."""
    return max(at, schedule.next_at or at)
