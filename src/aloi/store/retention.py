"""How long executions of production are kept, and deleting those beyond, a few at a time."""

from collections.abc import Sequence
from datetime import datetime

from aloi.core.ingestion import Retention
from aloi.store.codec import pack_time, unpack_id
from aloi.store.connection import Connection, marks

GET = "SELECT days, megabytes FROM retention WHERE workspace_id = ?"
PUT = """
INSERT INTO retention (workspace_id, days, megabytes) VALUES (?, ?, ?)
ON CONFLICT (workspace_id) DO UPDATE SET days = excluded.days, megabytes = excluded.megabytes"""
LIMITED = "SELECT workspace_id, days, megabytes FROM retention WHERE days IS NOT NULL OR megabytes IS NOT NULL"
OF_PRODUCTION = "FROM executions WHERE workspace_id = ? AND source = 'production'"
SIZE = f"SELECT CAST(coalesce(sum(size), 0) AS BIGINT) {OF_PRODUCTION}"
# Those that go on are left alone.
OLDEST = f"SELECT id, size, created_at {OF_PRODUCTION} AND progress IS NULL ORDER BY created_at, id LIMIT ?"
DELETE = "DELETE FROM executions WHERE progress IS NULL AND id IN ({ids})"


async def get(rx: Connection) -> Retention:
    """The workspace's limits."""
    row = await rx.fetch_one(GET, (rx.workspace,))
    return Retention() if row is None else Retention(days=row[0], megabytes=row[1])


async def put(tx: Connection, wanted: Retention) -> None:
    """Set the workspace's limits."""
    await tx.execute(PUT, (tx.workspace, wanted.days, wanted.megabytes))


async def limited(rx: Connection) -> list[tuple[str, Retention]]:
    """The workspaces that keep less than everything, by id."""
    return [
        (unpack_id(workspace), Retention(days=days, megabytes=megabytes))
        for workspace, days, megabytes in await rx.fetch(LIMITED)
    ]


async def size(rx: Connection) -> int:
    """The characters that the workspace's executions of production take."""
    row = await rx.fetch_one(SIZE, (rx.workspace,))
    return row[0] if row else 0


async def expired(rx: Connection, before: datetime | None, too_much: int, most: int) -> list[tuple[bytes, int]]:
    """The oldest executions of production that go, with their sizes, at most so many at once.

    Args:
        before: those that began earlier go; null for none.
        too_much: so many characters have to go.
    """
    limit = None if before is None else pack_time(before)
    found: list[tuple[bytes, int]] = []
    for packed, weight, created_at in await rx.fetch(OLDEST, (rx.workspace, most)):
        is_old = limit is not None and created_at < limit
        if not is_old and too_much <= 0:
            break
        found.append((packed, weight))
        too_much -= weight
    return found


async def delete(tx: Connection, ids: Sequence[bytes]) -> int:
    """Delete executions that are over; how many were."""
    return await tx.execute(DELETE.format(ids=marks(len(ids))), ids) if ids else 0
