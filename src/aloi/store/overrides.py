"""The exceptions of owners to gates. They only grow: the database itself lets none be changed or deleted."""

from aloi.core.gate import GateState, Override
from aloi.core.listing import Page
from aloi.store.codec import json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Row

INSERT = """
INSERT INTO overrides (id, workspace_id, target_id, version, reason, made_by, made_at, state)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
OF_TARGET = " FROM overrides WHERE workspace_id = ? AND target_id = ?"
OVERRIDES = "SELECT id, target_id, version, reason, made_by, made_at, state" + OF_TARGET
COUNT = "SELECT count(*)" + OF_TARGET


async def insert(tx: Connection, override: Override) -> None:
    """Write one down, in the transaction that lets the version pass."""
    await tx.execute(
        INSERT,
        (
            pack_id(override.id),
            tx.workspace,
            pack_id(override.target_id),
            override.version,
            override.reason,
            override.by,
            pack_time(override.at),
            json_of(override.state, "what the gate said"),
        ),
    )


async def page(rx: Connection, target_id: str, number: int, size: int) -> Page[Override]:
    """A page of those of a target, counted from 1, newest first."""
    owner = (rx.workspace, pack_id(target_id))
    total = await rx.fetch_one(COUNT, owner)
    order = " ORDER BY id DESC LIMIT ? OFFSET ?"
    rows = await rx.fetch(OVERRIDES + order, (*owner, size, (number - 1) * size))
    return Page(items=tuple(map(_override, rows)), total=total[0] if total else 0, page=number, size=size)


def _override(row: Row) -> Override:
    packed, target_id, version, reason, made_by, made_at, state = row
    return Override(
        id=unpack_id(packed),
        target_id=unpack_id(target_id),
        version=version,
        reason=reason,
        by=made_by,
        at=unpack_time(made_at),
        state=GateState.model_validate_json(state),
    )
