"""Schedules: runs that start by themselves. What fires them is in `scheduler`.

`at` is the present time, null for the clock's.
"""

from collections.abc import Mapping
from datetime import datetime

from aloi import recurrence
from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.core.listing import Page
from aloi.core.misfit import Misplaced, pointer
from aloi.core.schedule import Firing, Preview, Schedule, ScheduleGiven, Timing
from aloi.service.changes import record_change
from aloi.service.checks import checked, refuse, refuse_stale
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import datasets, firings, targets
from aloi.store import schedules as stored
from aloi.store.connection import Connection
from aloi.store.schedules import ScheduleFilter


async def create(context: Context, fields: Mapping[str, object], at: datetime | None = None) -> Schedule:
    """A new schedule. What would have fired before now does not fire any more.

    Args:
        fields: those of `ScheduleGiven`; target and dataset by id or name.

    Raises:
        Misfit: a field does not fit, there is no such target or dataset, or it never fires.
        Conflict: the name is taken.
    """
    given = checked(ScheduleGiven, fields)
    at = at or now()
    _check(given, at)
    async with context.database.transaction() as tx:
        schedule = await _resolved(tx, new_id(), given, context.principal.name, at)
        schedule = schedule.model_copy(update={"next_at": _next(schedule, at)})
        await stored.create(tx, schedule)
        made = await stored.get(tx, schedule.id)
        await record_change(context, tx, "schedule.create", (made.id, made.name), None, made.edited())
    return made


async def get(context: Context, ref: str) -> Schedule:
    """A schedule by its id or its name.

    Raises:
        NotFound: there is none.
    """
    async with context.database.read() as rx:
        return await stored.get(rx, ref)


async def page(context: Context, wanted: ScheduleFilter, number: int, size: int) -> Page[Schedule]:
    """A page, counted from 1, of the schedules that a filter lets through, newest first; the target by id or name.

    Raises:
        NotFound: there is no such target.
    """
    async with context.database.read() as rx:
        if wanted.target_id is not None:
            wanted = wanted._replace(target_id=(await targets.get(rx, wanted.target_id)).id)
        items = await stored.page(rx, wanted, (number - 1) * size, size)
        total = await stored.count(rx, wanted)
    return Page(items=tuple(items), total=total, page=number, size=size)


async def firings_of(context: Context, ref: str, number: int, size: int) -> Page[Firing]:
    """A page, counted from 1, of a schedule's firings, newest first.

    Raises:
        NotFound: there is no such schedule.
    """
    async with context.database.read() as rx:
        schedule = await stored.get(rx, ref)
        items = await firings.page(rx, schedule.id, (number - 1) * size, size)
        total = await firings.count(rx, schedule.id)
    return Page(items=tuple(items), total=total, page=number, size=size)


async def update(
    context: Context,
    ref: str,
    changes: Mapping[str, object],
    if_match: str | None = None,
    at: datetime | None = None,
) -> Schedule:
    """Change a schedule; what is not given stays, null clears.

    A change of when it fires counts from now on: what was due and has not fired does not fire any more. Otherwise a
    schedule that is due fires as it now is.

    Raises:
        Misfit, Conflict: as `create`.
        NotFound: there is none.
        Stale: it was changed by somebody else.
    """
    at = at or now()
    async with context.database.transaction() as tx:
        present = await stored.hold(tx, ref)
        refuse_stale(present.edited(), if_match, f"the schedule {present.name!r}")
        given = checked(ScheduleGiven, {**present.model_dump(include=set(ScheduleGiven.model_fields)), **changes})
        changed = await _resolved(tx, present.id, given, present.created_by, present.created_at)
        if _timing(changed) != _timing(present):
            _check(given, at)
        moved = (_timing(changed), changed.paused) != (_timing(present), present.paused)
        upcoming = _next(changed, at, present.last) if moved else present.next_at
        await stored.update(tx, changed.model_copy(update={"next_at": upcoming, "updated_at": at}))
        after = await stored.get(tx, present.id)
        await record_change(context, tx, "schedule.update", (after.id, after.name), present.edited(), after.edited())
    return after


async def pause(context: Context, ref: str, at: datetime | None = None) -> Schedule:
    """Let a schedule not fire until it is resumed; one that is paused stays so.

    Raises:
        NotFound: there is none.
    """
    return await _set_paused(context, ref, True, at or now())


async def resume(context: Context, ref: str, at: datetime | None = None) -> Schedule:
    """Let a paused schedule fire again, from now on: what it missed does not fire any more.

    Raises:
        NotFound: there is none.
        Conflict: it is over.
    """
    return await _set_paused(context, ref, False, at or now())


async def _set_paused(context: Context, ref: str, paused: bool, at: datetime) -> Schedule:
    async with context.database.transaction() as tx:
        present = await stored.hold(tx, ref)
        if present.paused is paused:
            return present
        changed = present.model_copy(update={"paused": paused, "updated_at": at})
        upcoming = _next(changed, at, present.last)
        if upcoming is None and not paused:
            raise Conflict(f"the schedule {present.name!r} is over: it fires no more before its end; give a later end")
        await stored.update(tx, changed.model_copy(update={"next_at": upcoming}))
        after = await stored.get(tx, present.id)
        action = "schedule.pause" if paused else "schedule.resume"
        await record_change(context, tx, action, (after.id, after.name), present.edited(), after.edited())
    return after


async def delete(context: Context, ref: str, if_match: str | None = None) -> None:
    """Delete a schedule with the record of its firings. Its runs stay, and go on, and so does what was told of them.

    Raises:
        NotFound: there is none.
        Stale: it was changed by somebody else.
    """
    async with context.database.transaction() as tx:
        present = await stored.hold(tx, ref)
        refuse_stale(present.edited(), if_match, f"the schedule {present.name!r}")
        await stored.delete(tx, present.id)
        await record_change(context, tx, "schedule.delete", (present.id, present.name), present.edited(), None)


async def preview(context: Context, timing: Timing) -> Preview:
    """What a recurrence means, in words and in its next five firings.

    Raises:
        Misfit: there is no such time zone, the cron expression is none, or it never fires.
    """
    at = now()
    _check(timing, at)
    return recurrence.preview(timing, at)


def _timing(schedule: Schedule) -> Timing:
    return Timing(**{name: getattr(schedule, name) for name in Timing.model_fields})


def _check(timing: Timing, at: datetime) -> None:
    """See that it fires some time from now on; what does not fit is told with its place."""
    try:
        recurrence.zone(timing.zone)
    except InvalidInput as error:
        refuse([Misplaced(pointer(("zone",)), str(error))])
    try:
        recurrence.check(timing)
    except InvalidInput as error:
        refuse([Misplaced(pointer(("recurrence",)), str(error))])
    if recurrence.next_firing(timing, at) is None:
        refuse([Misplaced(pointer(("end",)), "it would never fire any more; give a later end, or none")])


def _next(schedule: Schedule, at: datetime, last: Firing | None = None) -> datetime | None:
    """When it fires next. It never fires twice for one time, whatever another process takes for the present."""
    if schedule.paused:
        return None
    return recurrence.next_firing(schedule, at if last is None else max(at, last.due_at))


async def _resolved(
    tx: Connection, schedule_id: str, given: ScheduleGiven, created_by: str, created_at: datetime
) -> Schedule:
    """The schedule that was written, with the ids of what it names.

    Raises:
        Misfit: it names something that is not there.
    """
    try:
        target = await targets.get(tx, given.target_id)
    except NotFound as absent:
        refuse([Misplaced(pointer(("target_id",)), str(absent))])
        raise
    try:
        dataset = await datasets.get(tx, given.dataset_id)
    except NotFound as absent:
        refuse([Misplaced(pointer(("dataset_id",)), str(absent))])
        raise
    fields = {**dict(given), "target_id": target.id, "target_name": target.name}
    fields |= {"dataset_id": dataset.id, "dataset_name": dataset.name, "words": "", "next_at": None, "last": None}
    times = {"created_at": created_at, "updated_at": created_at}
    return Schedule.model_validate({**fields, "id": schedule_id, "created_by": created_by, **times})
