"""The targets that members are narrowed to."""

from collections.abc import Sequence

from aloi.core.access import Grants, Member, Role
from aloi.core.errors import Conflict, InvalidInput
from aloi.core.spec import JsonObject
from aloi.service.audit import record
from aloi.service.context import Context
from aloi.store import grants as stored
from aloi.store import members, targets
from aloi.store.connection import Connection

MOST = 1000


async def get(context: Context, member_id: str) -> Grants:
    """The targets that a member is narrowed to.

    Raises:
        NotFound: there is no such member.
    """
    async with context.database.read() as rx:
        return await stored.of(rx, await members.get(rx, member_id))


async def replace(context: Context, member_id: str, refs: Sequence[str] | None) -> Grants:
    """Narrow a member to some targets; it counts from their next request on.

    Args:
        refs: names or ids of the targets; none means none at all; null lets the member see all again.

    Raises:
        NotFound: there is no such member, or no such target.
        Conflict: the member is an owner.
        InvalidInput: there are too many.
    """
    async with context.database.transaction() as tx:
        await members.hold(tx)
        return await narrow(context, tx, await members.get(tx, member_id), refs)


async def narrow(context: Context, tx: Connection, member: Member, refs: Sequence[str] | None) -> Grants:
    """As `replace`, in the caller's transaction."""
    if refs is not None and len(refs) > MOST:
        raise InvalidInput(f"a member is narrowed to at most {MOST} targets, and these are {len(refs)}")
    _refuse_owner(member, refs)
    before = await stored.of(tx, member)
    await stored.replace(tx, member.id, await _ids(tx, refs))
    after = await stored.of(tx, await members.get(tx, member.id))
    if after != before:
        await _record(context, tx, member, before, after)
    return after


def _refuse_owner(member: Member, refs: Sequence[str] | None) -> None:
    if member.role is Role.OWNER and refs is not None:
        raise Conflict(
            f"{member.email} is an owner, who sees and manages everything; make them an editor or a viewer, or leave "
            "out the targets"
        )


async def _ids(tx: Connection, refs: Sequence[str] | None) -> list[str] | None:
    if refs is None:
        return None
    return list(dict.fromkeys([(await targets.get(tx, ref)).id for ref in refs]))


async def _record(context: Context, tx: Connection, member: Member, before: Grants, after: Grants) -> None:
    await record(
        context,
        tx,
        action="member.grants",
        kind="member",
        id=member.id,
        name=member.email,
        before=_said(before),
        after=_said(after),
    )


def _said(grants: Grants) -> JsonObject:
    """Grants as the audit log keeps them: targets by their names, null for all."""
    return {"targets": None if grants.targets is None else [target.name for target in grants.targets]}
