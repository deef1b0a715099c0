"""Schedules: what fires when."""

from datetime import datetime
from typing import NamedTuple

from pydantic import TypeAdapter
from pydantic_core import from_json

from aloi.core.errors import Conflict, NotFound
from aloi.core.schedule import Recurrence, Schedule, Timing
from aloi.recurrence import words
from aloi.store import firings
from aloi.store.codec import (
    id_or_none,
    json_of,
    pack_id,
    pack_time,
    pack_time_or_none,
    unpack_id,
    unpack_time,
    unpack_time_or_none,
)
from aloi.store.connection import Connection, Param, Params, Row, held
from aloi.store.matching import any_contains, pattern
from aloi.store.narrowing import whole

SCHEDULES = f"""
SELECT s.id, s.name, s.target_id, t.name, s.dataset_id, d.name, s.start_at, s.end_at, s.zone, s.recurrence, s.paused,
  s.next_at, s.created_by, s.created_at, s.updated_at, {firings.COLUMNS}
FROM schedules s JOIN targets t ON t.id = s.target_id JOIN datasets d ON d.id = s.dataset_id
LEFT JOIN firings f ON f.schedule_id = s.id
  AND f.due_at = (SELECT max(l.due_at) FROM firings l WHERE l.schedule_id = s.id)
WHERE s.workspace_id = ?"""  # noqa: S608
COUNT = "SELECT count(*) FROM schedules s JOIN targets t ON t.id = s.target_id WHERE s.workspace_id = ?"
INSERT = """
INSERT INTO schedules (name, target_id, dataset_id, start_at, end_at, zone, recurrence, paused, next_at, created_by,
  created_at, updated_at, id, workspace_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
UPDATE = """
UPDATE schedules SET name = ?, target_id = ?, dataset_id = ?, start_at = ?, end_at = ?, zone = ?, recurrence = ?,
  paused = ?, next_at = ?, created_by = ?, created_at = ?, updated_at = ?
WHERE id = ? AND workspace_id = ?"""
# Of all workspaces: who looks for them works for each.
DUE = "SELECT workspace_id, id FROM schedules WHERE next_at <= ? ORDER BY next_at, id"
ADVANCE = "UPDATE schedules SET next_at = ? WHERE id = ? AND workspace_id = ? AND next_at = ?"
RECURRENCE: TypeAdapter[Recurrence] = TypeAdapter(Recurrence)


class ScheduleFilter(NamedTuple):
    """Which schedules are wanted: of that target, of that name, with a text in the name or the target's name."""

    target_id: str | None = None
    name: str | None = None
    text: str = ""


async def create(tx: Connection, schedule: Schedule) -> None:
    """Store a new schedule.

    Raises:
        Conflict: its name is taken.
    """
    await _name_is_free(tx, schedule)
    await tx.execute(INSERT, _params(tx, schedule))


async def update(tx: Connection, schedule: Schedule) -> None:
    """Replace what is stored of a schedule that is held.

    Raises:
        NotFound: it is not there.
        Conflict: its new name is taken.
    """
    await _name_is_free(tx, schedule)
    if not await tx.execute(UPDATE, _params(tx, schedule)):
        raise _absent(schedule.name)


async def delete(tx: Connection, schedule_id: str) -> None:
    """Delete a schedule with its firings. The runs that it started stay, and what was told of them.

    Raises:
        NotFound: it is not there.
    """
    params = (pack_id(schedule_id), tx.workspace)
    if not await tx.execute("DELETE FROM schedules WHERE id = ? AND workspace_id = ?", params):
        raise _absent(schedule_id)


async def get(rx: Connection, ref: str) -> Schedule:
    """A schedule by its id or its name.

    Raises:
        NotFound: there is no such schedule.
    """
    packed = id_or_none(ref)
    row = packed and await rx.fetch_one(SCHEDULES + " AND s.id = ?", (rx.workspace, packed))
    row = row or await rx.fetch_one(SCHEDULES + " AND s.name = ?", (rx.workspace, ref))
    if not row:
        raise _absent(ref)
    return _schedule(row)


async def hold(tx: Connection, ref: str) -> Schedule:
    """As `get`; until this transaction ends no other changes it, nor lets it fire."""
    found = await get(tx, ref)
    await held(tx, "SELECT 1 FROM schedules WHERE id = ?", (pack_id(found.id),))
    return await get(tx, found.id)  # as it is now that nobody else changes it


async def page(rx: Connection, wanted: ScheduleFilter, offset: int, limit: int) -> list[Schedule]:
    """One page of the schedules that a filter lets through, newest first."""
    where, params = _filter(wanted)
    order = " ORDER BY s.created_at DESC, s.id DESC LIMIT ? OFFSET ?"
    return list(map(_schedule, await rx.fetch(SCHEDULES + where + order, (rx.workspace, *params, limit, offset))))


async def count(rx: Connection, wanted: ScheduleFilter) -> int:
    """How many schedules a filter lets through."""
    where, params = _filter(wanted)
    row = await rx.fetch_one(COUNT + where, (rx.workspace, *params))
    return row[0] if row else 0


def _filter(wanted: ScheduleFilter) -> tuple[str, list[Param]]:
    where = ""
    params: list[Param] = []
    if wanted.target_id is not None:
        where += " AND s.target_id = ?"
        params.append(pack_id(wanted.target_id))
    if wanted.name is not None:
        where += " AND s.name = ?"
        params.append(wanted.name)
    if wanted.text:
        where += " AND " + any_contains("s.name", "t.name")
        params += [pattern(wanted.text)] * 2
    return where, params


async def due(rx: Connection, now: datetime) -> list[tuple[str, str]]:
    """The schedules of all workspaces that should fire now, the longest due first.

    Returns:
        The id of the workspace and that of the schedule, for each.
    """
    rows = await rx.fetch(DUE, (pack_time(now),))
    return [(unpack_id(workspace), unpack_id(schedule)) for workspace, schedule in rows]


async def advance(tx: Connection, schedule: Schedule, next_at: datetime | None) -> bool:
    """Let a schedule fire next at another time, if it still is to fire at the one that it was read with.

    Whoever does this records the firing in the same transaction: so there is one, whoever else tries.

    Returns:
        Whether it still was.
    """
    was = pack_time_or_none(schedule.next_at)
    params = (pack_time_or_none(next_at), pack_id(schedule.id), tx.workspace, was)
    return await tx.execute(ADVANCE, params) > 0


async def _name_is_free(tx: Connection, schedule: Schedule) -> None:
    taken = "SELECT 1 FROM schedules WHERE workspace_id = ? AND name = ? AND id <> ?"
    if await whole(tx).fetch_one(taken, (tx.workspace, schedule.name, pack_id(schedule.id))):
        raise Conflict(f"there is a schedule {schedule.name!r} already; give this one another name")


def _absent(ref: str) -> NotFound:
    return NotFound(f"there is no schedule {ref!r:.100}; `aloi schedules list` shows those there are")


def _params(tx: Connection, schedule: Schedule) -> Params:
    return (
        schedule.name,
        pack_id(schedule.target_id),
        pack_id(schedule.dataset_id),
        pack_time(schedule.start),
        pack_time_or_none(schedule.end),
        schedule.zone,
        json_of(schedule.recurrence, f"the schedule {schedule.name!r}"),
        int(schedule.paused),
        pack_time_or_none(schedule.next_at),
        schedule.created_by,
        pack_time(schedule.created_at),
        pack_time(schedule.updated_at),
        pack_id(schedule.id),
        tx.workspace,
    )


def _schedule(row: Row) -> Schedule:
    packed, name, target_id, target_name, dataset_id, dataset_name, start, end, zone, recurrence, paused = row[:11]
    next_at, created_by, created_at, updated_at, *last = row[11:]
    timing = Timing(
        start=unpack_time(start),
        end=unpack_time_or_none(end),
        zone=zone,
        recurrence=RECURRENCE.validate_python(from_json(recurrence)),
    )
    return Schedule(
        **dict(timing),
        id=unpack_id(packed),
        name=name,
        target_id=unpack_id(target_id),
        target_name=target_name,
        dataset_id=unpack_id(dataset_id),
        dataset_name=dataset_name,
        paused=bool(paused),
        words=words(timing),
        next_at=unpack_time_or_none(next_at),
        last=None if last[0] is None else firings.firing_of(last),
        created_by=created_by,
        created_at=unpack_time(created_at),
        updated_at=unpack_time(updated_at),
    )
