"""The audit log, which only grows."""

from pydantic_core import from_json

from aloi.core.audit import AuditEntry
from aloi.core.listing import Page
from aloi.store.codec import json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Row
from aloi.store.matching import any_contains, pattern

ENTRIES = (
    "SELECT id, at, actor, action, object_kind, object_id, object_name, before, after FROM audit_log"
    " WHERE workspace_id = ?"
)
COUNT = "SELECT count(*) FROM audit_log WHERE workspace_id = ?"


async def insert(tx: Connection, entry: AuditEntry) -> None:
    """Write down one change, in the transaction that makes it."""
    what = f"the audit entry {entry.action}"
    await tx.execute(
        "INSERT INTO audit_log"
        " (workspace_id, id, at, actor, action, object_kind, object_id, object_name, before, after)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            tx.workspace,
            pack_id(entry.id),
            pack_time(entry.at),
            entry.actor,
            entry.action,
            entry.object_kind,
            entry.object_id,
            entry.object_name,
            None if entry.before is None else json_of(entry.before, what),
            None if entry.after is None else json_of(entry.after, what),
        ),
    )


async def page(rx: Connection, number: int, size: int, q: str = "", action: str | None = None) -> Page[AuditEntry]:
    """A page of the log, newest first.

    Args:
        number: counted from 1.
        q: a part of the actor's or the object's name, whatever its case; empty for all.
        action: only this action, or with a dot at the end all that begin so: `member.`; null for all.
    """
    more, params = _filter(q, action)
    total = await rx.fetch_one(COUNT + more, (rx.workspace, *params))
    rows = await rx.fetch(
        ENTRIES + more + " ORDER BY at DESC, id DESC LIMIT ? OFFSET ?",
        (rx.workspace, *params, size, (number - 1) * size),
    )
    return Page(items=tuple(map(_entry, rows)), total=total[0] if total else 0, page=number, size=size)


def _filter(q: str, action: str | None) -> tuple[str, list[str | int]]:
    """Further conditions, with their parameters."""
    more, params = "", list[str | int]()
    if q:
        more += " AND " + any_contains("actor", "object_name")
        params += [pattern(q)] * 2
    if action and action.endswith("."):
        more += " AND substr(action, 1, ?) = ?"
        params += [len(action), action]
    elif action:
        more += " AND action = ?"
        params.append(action)
    return more, params


def _entry(row: Row) -> AuditEntry:
    packed, at, actor, action, object_kind, object_id, object_name, before, after = row
    return AuditEntry(
        id=unpack_id(packed),
        at=unpack_time(at),
        actor=actor,
        action=action,
        object_kind=object_kind,
        object_id=object_id,
        object_name=object_name,
        before=None if before is None else from_json(before),
        after=None if after is None else from_json(after),
    )
