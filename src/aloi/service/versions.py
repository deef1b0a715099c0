"""The versions of a target: adding, listing, activating."""

from typing import NamedTuple

from aloi.core.access import Role
from aloi.core.errors import Conflict, NotPermitted
from aloi.core.gate import OverrideReason
from aloi.core.listing import Page
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject
from aloi.core.target_record import TargetDetail
from aloi.service import gates
from aloi.service.changes import record_change
from aloi.service.checks import refuse, unstorable
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.pinning import pinned
from aloi.service.targets import add_version, defined, detail, held, thing
from aloi.store import activation, target_pages
from aloi.store import targets as stored


class Added(NamedTuple):
    """A version, and whether it is new: a definition that the target has already gives the version that has it."""

    version: TargetVersion
    new: bool


async def add(context: Context, ref: str, definition: JsonObject, note: str = "", tag: str | None = None) -> Added:
    """Add a version to a target. It is not active yet.

    Args:
        definition: of the target's own kind, which need not be said.
        note: what is new in it, in words.
        tag: the ETag that the caller read the target with; null for any.

    Raises:
        NotFound, Stale: the target is gone, or was changed since.
        InvalidInput, NotPermitted: as `targets.defined`.
        Conflict: the definition is of another kind.
    """
    refuse(list(unstorable({"note": note})))
    async with context.database.read() as rx:
        kind = (await stored.get(rx, ref)).kind
    target = await pinned(context, defined(context, {"kind": kind, **definition}))
    if target.kind != kind:
        raise Conflict(f"target {ref!r} is of kind {kind}, not {target.kind}; create another target for this")
    async with context.database.transaction() as tx:
        record = await held(tx, ref, tag)
        version = await add_version(tx, record, target, note)
        added = Added(version, version.number > record.versions)
        if added.new:
            await record_change(context, tx, "version.create", thing(version), None, version)
        return added


async def listing(context: Context, ref: str, page: int, size: int) -> Page[TargetVersion]:
    """A page of a target's versions, newest first.

    Raises:
        NotFound: there is no such target.
    """
    async with context.database.read() as rx:
        return await target_pages.versions(rx, await stored.get(rx, ref), page, size)


async def get(context: Context, ref: str, number: int | None = None) -> TargetVersion:
    """One version of a target, or the active one.

    Raises:
        NotFound: there is no such target, or no such version.
    """
    async with context.database.read() as rx:
        return await stored.version(rx, ref, number)


async def activate(
    context: Context, ref: str, number: int, tag: str | None = None, override: OverrideReason | None = None
) -> TargetDetail:
    """Make a version the one that is used where none is named, if the target's gate allows it. All who do so come here.

    Args:
        tag: the ETag that the caller read the target with; null for any.
        override: an owner's reason to let it pass although the gate does not allow it; not needed, it is not kept.

    Raises:
        NotFound, Stale: the target or the version is not there, or the target was changed since.
        ActivationRefused: the gate does not allow it, and there is no override.
        NotPermitted: somebody else than an owner gives an override.
        Misfit: its reason holds what no database keeps.
    """
    role = context.principal.role
    if override is not None and not role.may(Role.OWNER):
        raise NotPermitted(f"only an owner may override a gate, and your role is {role}; ask one, or leave it out")
    if override is not None:
        refuse(list(unstorable(dict(override), ("override",))))
    async with context.database.transaction() as tx:
        record = await held(tx, ref, tag)
        version = await stored.version(tx, record.id, number)
        if record.active != number:
            await gates.let_pass(context, tx, record, version, override)
            moment = now()
            await activation.activate(tx, record.id, number, moment)
            changed = record.model_copy(update={"active": number, "updated_at": moment})
            await record_change(context, tx, "version.activate", thing(version), record, changed)
        return await detail(tx, await stored.get(tx, record.id))
