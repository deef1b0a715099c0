"""Workspaces. A database has one from its beginning."""

from aloi.core.access import Workspace
from aloi.core.errors import NotFound
from aloi.store.codec import pack_id, unpack_id
from aloi.store.connection import Connection


async def create(tx: Connection, workspace: Workspace) -> None:
    """Store a new workspace.

    Raises:
        Conflict: there is one of that id.
    """
    await tx.execute("INSERT INTO workspaces (id, name) VALUES (?, ?)", (pack_id(workspace.id), workspace.name))


async def present(rx: Connection) -> Workspace:
    """The workspace that the connection sees.

    Raises:
        NotFound: it is gone.
    """
    row = await rx.fetch_one("SELECT id, name FROM workspaces WHERE id = ?", (rx.workspace,))
    if row is None:
        raise NotFound("the workspace is not there any more; sign in again")
    return Workspace(id=unpack_id(row[0]), name=row[1])


async def rename(tx: Connection, name: str) -> None:
    """Give the workspace that the connection sees another name."""
    await tx.execute("UPDATE workspaces SET name = ? WHERE id = ?", (name, tx.workspace))
