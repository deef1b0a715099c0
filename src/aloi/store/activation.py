"""The one statement that makes another version of a target the active one.

The gate stands before it: `service.versions.activate` alone calls it. A target's version 1 is active from the start.
"""

from datetime import datetime

from aloi.store.codec import pack_id, pack_time
from aloi.store.connection import Connection

ACTIVATE = "UPDATE targets SET active = ?, updated_at = ? WHERE id = ? AND workspace_id = ?"


async def activate(tx: Connection, target_id: str, number: int, at: datetime) -> None:
    """Make a version of a target that is held the active one."""
    await tx.execute(ACTIVATE, (number, pack_time(at), pack_id(target_id), tx.workspace))
