"""The workspace itself: its name."""

from aloi.core.access import Workspace
from aloi.core.audit import changed_fields
from aloi.service.audit import record
from aloi.service.context import Context
from aloi.store import workspaces


async def get(context: Context) -> Workspace:
    """The workspace of the context's principal."""
    async with context.database.read() as rx:
        return await workspaces.present(rx)


async def rename(context: Context, name: str) -> Workspace:
    """Give it another name."""
    async with context.database.transaction() as tx:
        old = await workspaces.present(tx)
        new = old.model_copy(update={"name": name})
        await workspaces.rename(tx, name)
        before, after = changed_fields(old, new)
        await record(
            context, tx, action="workspace.update", kind="workspace", id=new.id, name=name, before=before, after=after
        )
    return new
