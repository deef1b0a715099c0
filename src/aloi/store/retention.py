"""How long executions of production are kept, and deleting those beyond, a few at a time."""

from collections.abc import Sequence
from datetime import datetime

from aloi.core.ingestion import Retention
from aloi.store.codec import MICROSECOND, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, marks

GET = "SELECT days, megabytes FROM retention WHERE workspace_id = ?"
PUT = """
INSERT INTO retention (workspace_id, days, megabytes) VALUES (?, ?, ?)
ON CONFLICT (workspace_id) DO UPDATE SET days = excluded.days, megabytes = excluded.megabytes"""
LIMITED = "SELECT workspace_id, days, megabytes FROM retention WHERE days IS NOT NULL OR megabytes IS NOT NULL"
OF_PRODUCTION = "FROM executions WHERE workspace_id = ? AND source = 'production'"
SIZE = f"SELECT CAST(coalesce(sum(size), 0) AS BIGINT) {OF_PRODUCTION}"
# The newest that goes: with all that are newer, or as new, it is more than may be kept. So the answer is the same
# whatever others delete of the oldest meanwhile.
BEYOND = f"""
SELECT max(created_at) FROM (
  SELECT created_at, CAST(sum(size) OVER (ORDER BY created_at DESC) AS BIGINT) AS kept {OF_PRODUCTION}
) o WHERE kept > ?"""  # noqa: S608
# Those that go on are left alone.
OLDEST = f"SELECT id {OF_PRODUCTION} AND progress IS NULL AND created_at < ? ORDER BY created_at, id LIMIT ?"
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


async def beyond(rx: Connection, most: int) -> datetime | None:
    """Before when the workspace's executions of production began that go, so that the others take at most so many
    characters; null when all may stay."""
    row = await rx.fetch_one(SIZE, (rx.workspace,))
    if row is None or row[0] <= most:
        return None
    newest = await rx.fetch_one(BEYOND, (rx.workspace, most))
    return None if newest is None or newest[0] is None else unpack_time(newest[0]) + MICROSECOND


async def expired(rx: Connection, before: datetime, most: int) -> list[bytes]:
    """The oldest executions of production that began before a time, at most so many at once."""
    return [packed for (packed,) in await rx.fetch(OLDEST, (rx.workspace, pack_time(before), most))]


async def delete(tx: Connection, ids: Sequence[bytes]) -> int:
    """Delete executions that are over; how many were."""
    return await tx.execute(DELETE.format(ids=marks(len(ids))), ids) if ids else 0
