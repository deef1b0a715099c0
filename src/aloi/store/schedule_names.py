"""Which schedules there are of something, by their names: all that who deletes it has to know of them."""

from aloi.store.codec import pack_id
from aloi.store.connection import Connection


async def named_on(rx: Connection, *, target_id: str | None = None, dataset_id: str | None = None) -> list[str]:
    """The names of the schedules of a target, or on a dataset."""
    column, ref = ("target_id", target_id) if target_id is not None else ("dataset_id", dataset_id or "")
    rows = await rx.fetch(f"SELECT name FROM schedules WHERE {column} = ? ORDER BY name", (pack_id(ref),))  # noqa: S608
    return [name for (name,) in rows]
