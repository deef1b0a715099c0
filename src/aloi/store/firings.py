"""Firings of schedules: what came of each."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from aloi.core.run import RunStatus
from aloi.core.schedule import Firing, FiringStatus
from aloi.store.codec import pack_id, pack_time, replaced, unpack_id, unpack_time
from aloi.store.connection import Connection, marks

COLUMNS = "f.id, f.schedule_id, f.due_at, f.fired_at, f.status, f.run_id, f.reason"
OF = " FROM firings f JOIN schedules s ON s.id = f.schedule_id WHERE s.workspace_id = ? AND f.schedule_id = ?"
INSERT = """
INSERT INTO firings (id, schedule_id, due_at, fired_at, status, run_id, reason, told) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
FINISHED = tuple(status.value for status in RunStatus if status.finished)
# Of the last that started a run: it would not have, while one before went on.
LATEST = """
SELECT r.status FROM firings f JOIN runs r ON r.id = f.run_id
WHERE f.schedule_id = ? ORDER BY f.due_at DESC LIMIT 1"""
UNTOLD = f"""
SELECT s.workspace_id, s.id, s.name, f.id, f.run_id
FROM firings f JOIN schedules s ON s.id = f.schedule_id JOIN runs r ON r.id = f.run_id
WHERE f.told = 0 AND r.status IN ({marks(len(FINISHED))}) ORDER BY f.due_at, f.id LIMIT ?"""  # noqa: S608
BEFORE = """
SELECT r.id FROM firings f JOIN runs r ON r.id = f.run_id
WHERE f.schedule_id = ? AND r.status = 'completed' AND f.due_at < (SELECT due_at FROM firings WHERE id = ?)
ORDER BY f.due_at DESC LIMIT 1"""


class Untold(NamedTuple):
    """A firing whose run is finished and of which nobody was told yet."""

    workspace_id: str
    schedule_id: str
    schedule_name: str
    firing_id: str
    run_id: str


async def insert(tx: Connection, firing: Firing) -> None:
    """Store a firing. Of one that started a run people are told when that is finished; of another one now, or never.
    Its reason may quote anything.

    Raises:
        Conflict: the schedule has fired for that time.
    """
    await tx.execute(
        INSERT,
        (
            pack_id(firing.id),
            pack_id(firing.schedule_id),
            pack_time(firing.due_at),
            pack_time(firing.fired_at),
            firing.status.value,
            None if firing.run_id is None else pack_id(firing.run_id),
            None if firing.reason is None else replaced(firing.reason),
            int(firing.run_id is None),
        ),
    )


async def page(rx: Connection, schedule_id: str, offset: int, limit: int) -> list[Firing]:
    """One page of a schedule's firings, newest first."""
    order = " ORDER BY f.due_at DESC LIMIT ? OFFSET ?"
    params = (rx.workspace, pack_id(schedule_id), limit, offset)
    return [firing_of(row) for row in await rx.fetch(f"SELECT {COLUMNS}{OF}{order}", params)]


async def count(rx: Connection, schedule_id: str) -> int:
    """How often a schedule has fired."""
    row = await rx.fetch_one("SELECT count(*)" + OF, (rx.workspace, pack_id(schedule_id)))
    return row[0] if row else 0


async def is_going_on(rx: Connection, schedule_id: str) -> bool:
    """Whether the last run that the schedule started is not finished."""
    row = await rx.fetch_one(LATEST, (pack_id(schedule_id),))
    return row is not None and row[0] not in FINISHED


async def untold(rx: Connection, limit: int) -> list[Untold]:
    """Firings of all workspaces whose runs are finished and of which nobody was told yet, in their order."""
    rows = await rx.fetch(UNTOLD, (*FINISHED, limit))
    return [
        Untold(unpack_id(workspace), unpack_id(schedule), name, unpack_id(firing), unpack_id(run))
        for workspace, schedule, name, firing, run in rows
    ]


async def completed_before(rx: Connection, firing_id: str, schedule_id: str) -> str | None:
    """The id of the schedule's last completed run before that of a firing; null where there is none."""
    row = await rx.fetch_one(BEFORE, (pack_id(schedule_id), pack_id(firing_id)))
    return None if row is None else unpack_id(row[0])


async def set_told(tx: Connection, firing_id: str) -> bool:
    """Note that people were told of a firing; false when they had been."""
    return await tx.execute("UPDATE firings SET told = 1 WHERE id = ? AND told = 0", (pack_id(firing_id),)) > 0


def firing_of(row: Sequence[Any]) -> Firing:
    """The firing of a row of `COLUMNS`."""
    packed, schedule_id, due_at, fired_at, status, run_id, reason = row
    return Firing(
        id=unpack_id(packed),
        schedule_id=unpack_id(schedule_id),
        due_at=unpack_time(due_at),
        fired_at=unpack_time(fired_at),
        status=FiringStatus(status),
        run_id=None if run_id is None else unpack_id(run_id),
        reason=reason,
    )
