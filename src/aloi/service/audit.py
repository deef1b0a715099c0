"""The audit log: writing down each change that matters, and reading it."""

from aloi.core.audit import AuditEntry
from aloi.core.listing import Page
from aloi.core.spec import JsonObject
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import audit as stored
from aloi.store.connection import Connection


async def record(
    context: Context,
    tx: Connection,
    *,
    action: str,
    kind: str,
    id: str,  # noqa: A002 - the object's id, as everywhere
    name: str,
    before: JsonObject | None = None,
    after: JsonObject | None = None,
) -> None:
    """Write down a change by the context's principal, in the transaction that makes it.

    Args:
        action: `<kind>.<verb>`, e.g. `dataset.update`.
        kind, id, name: of the object that was changed; the name as people know it.
        before, after: the fields that changed, see `core.audit.changed_fields`; null where there was or is nothing.
            Never a secret.
    """
    entry = AuditEntry(
        id=new_id(),
        at=now(),
        actor=context.principal.name,
        action=action,
        object_kind=kind,
        object_id=id,
        object_name=name,
        before=before,
        after=after,
    )
    await stored.insert(tx, entry)


async def listing(
    context: Context, page: int = 1, size: int = 20, q: str = "", action: str | None = None
) -> Page[AuditEntry]:
    """A page of the workspace's log, newest first; the filters are those of `store.audit.page`."""
    async with context.database.read() as rx:
        return await stored.page(rx, page, size, q, action)
