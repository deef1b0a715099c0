"""Notices of schedules: who has read them, and how far they got on their way to the workspace's webhook."""

from datetime import datetime
from typing import NamedTuple

from aloi.core.errors import NotFound
from aloi.core.notice import Delivery, DeliveryStatus, Notice, NoticeKind
from aloi.store.codec import (
    id_or_none,
    pack_id,
    pack_time,
    pack_time_or_none,
    replaced,
    unpack_id,
    unpack_time,
    unpack_time_or_none,
)
from aloi.store.connection import Connection, Param, Params, Row

NOTICES = """
SELECT n.id, n.kind, n.text, n.at, n.schedule_id, n.schedule_name, n.run_id, n.delivery, n.attempts, n.next_try_at,
  n.refusal, n.delivered_at, EXISTS (SELECT 1 FROM notice_reads r WHERE r.notice_id = n.id AND r.reader = ?)
FROM notices n WHERE n.workspace_id = ?"""
COUNT = "SELECT count(*) FROM notices n WHERE n.workspace_id = ?"
UNREAD = " AND NOT EXISTS (SELECT 1 FROM notice_reads r WHERE r.notice_id = n.id AND r.reader = ?)"
INSERT = """
INSERT INTO notices (id, kind, text, at, schedule_id, schedule_name, run_id, delivery, attempts, next_try_at, refusal,
  delivered_at, workspace_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
READ = f"""
INSERT INTO notice_reads (notice_id, reader, read_at)
SELECT n.id, ?, ? FROM notices n WHERE n.workspace_id = ?{UNREAD}"""  # noqa: S608
# Of all workspaces; each gets a turn, however many wait in another one.
WAITING = "SELECT DISTINCT workspace_id FROM notices WHERE next_try_at <= ?"
CLAIM = """
UPDATE notices SET attempts = attempts + 1, next_try_at = ?
WHERE id = ? AND workspace_id = ? AND next_try_at = ? AND delivery = 'pending'"""
SETTLE = """
UPDATE notices SET delivery = ?, refusal = ?, delivered_at = ?, next_try_at = ?
WHERE id = ? AND workspace_id = ? AND delivery = 'pending' AND (attempts = ? OR ? = 'delivered')"""


class NoticeFilter(NamedTuple):
    """Which notices are wanted: of that schedule, those alone that the reader has not read."""

    schedule_id: str | None = None
    unread: bool = False


async def insert(tx: Connection, notice: Notice) -> None:
    """Store a new notice."""
    delivery = notice.delivery
    await tx.execute(
        INSERT,
        (
            pack_id(notice.id),
            notice.kind.value,
            replaced(notice.text),
            pack_time(notice.at),
            pack_id(notice.schedule_id),
            notice.schedule_name,
            None if notice.run_id is None else pack_id(notice.run_id),
            delivery.status.value,
            delivery.attempts,
            pack_time_or_none(delivery.next_at),
            delivery.reason,
            pack_time_or_none(delivery.delivered_at),
            tx.workspace,
        ),
    )


async def page(rx: Connection, reader: str, wanted: NoticeFilter, offset: int, limit: int) -> list[Notice]:
    """One page of the workspace's notices, newest first, as a reader sees them."""
    where, params = _filter(reader, wanted)
    order = " ORDER BY n.at DESC, n.id DESC LIMIT ? OFFSET ?"
    rows = await rx.fetch(NOTICES + where + order, (reader, rx.workspace, *params, limit, offset))
    return list(map(_notice, rows))


async def count(rx: Connection, reader: str, wanted: NoticeFilter) -> int:
    """How many notices there are."""
    where, params = _filter(reader, wanted)
    row = await rx.fetch_one(COUNT + where, (rx.workspace, *params))
    return row[0] if row else 0


def _filter(reader: str, wanted: NoticeFilter) -> tuple[str, list[Param]]:
    where = ""
    params: list[Param] = []
    if wanted.schedule_id is not None:
        where += " AND n.schedule_id = ?"
        params.append(pack_id(wanted.schedule_id))
    if wanted.unread:
        where += UNREAD
        params.append(reader)
    return where, params


async def get(rx: Connection, reader: str, notice_id: str) -> Notice:
    """A notice as a reader sees it.

    Raises:
        NotFound: there is none of that id.
    """
    packed = id_or_none(notice_id)
    row = packed and await rx.fetch_one(NOTICES + " AND n.id = ?", (reader, rx.workspace, packed))
    if not row:
        raise NotFound(f"there is no notice {notice_id!r:.100}")
    return _notice(row)


async def mark_read(tx: Connection, reader: str, at: datetime, notice_id: str | None = None) -> None:
    """Note that somebody has read one notice, or all that there are. What they had read stays so."""
    params: Params = (reader, pack_time(at), tx.workspace, reader)
    if notice_id is None:
        await tx.execute(READ, params)
    else:
        await tx.execute(READ + " AND n.id = ?", (*params, pack_id(notice_id)))


async def waiting(rx: Connection, now: datetime) -> list[str]:
    """The ids of the workspaces that have notices to send now."""
    return [unpack_id(packed) for (packed,) in await rx.fetch(WAITING, (pack_time(now),))]


async def to_send(rx: Connection, now: datetime, limit: int) -> list[Notice]:
    """The workspace's notices that are to be sent now, the longest due first."""
    where = " AND n.next_try_at <= ? ORDER BY n.next_try_at, n.id LIMIT ?"
    return list(map(_notice, await rx.fetch(NOTICES + where, ("", rx.workspace, pack_time(now), limit))))


async def claim(tx: Connection, notice: Notice, next_at: datetime) -> bool:
    """Take a notice to send it now, and let it be tried again at another time, whatever becomes of this one.

    False when somebody else has taken it since it was read.
    """
    params = (pack_time(next_at), pack_id(notice.id), tx.workspace, pack_time_or_none(notice.delivery.next_at))
    return await tx.execute(CLAIM, params) > 0


async def settle(tx: Connection, notice_id: str, attempt: int, delivery: Delivery) -> None:
    """Write down what came of an attempt to send a notice.

    Where another has begun meanwhile, a refusal is left to that one: it must not be tried more often for it.

    Args:
        attempt: its number, from 1.
    """
    await tx.execute(
        SETTLE,
        (
            delivery.status.value,
            delivery.reason,
            pack_time_or_none(delivery.delivered_at),
            pack_time_or_none(delivery.next_at),
            pack_id(notice_id),
            tx.workspace,
            attempt,
            delivery.status.value,
        ),
    )


def _notice(row: Row) -> Notice:
    (
        packed,
        kind,
        text,
        at,
        schedule_id,
        schedule_name,
        run_id,
        status,
        attempts,
        next_at,
        reason,
        delivered_at,
        read,
    ) = row
    return Notice(
        id=unpack_id(packed),
        kind=NoticeKind(kind),
        text=text,
        at=unpack_time(at),
        schedule_id=unpack_id(schedule_id),
        schedule_name=schedule_name,
        run_id=None if run_id is None else unpack_id(run_id),
        read=bool(read),
        delivery=Delivery(
            status=DeliveryStatus(status),
            attempts=attempts,
            next_at=unpack_time_or_none(next_at),
            reason=reason,
            delivered_at=unpack_time_or_none(delivered_at),
        ),
    )
