"""Targets and their versions."""

from aloi.core.dataset import NAME_LENGTH
from aloi.core.errors import InvalidInput, NotFound, NotPermitted
from aloi.core.identity import content_hash
from aloi.core.run import TargetVersion
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import targets as stored


async def save(context: Context, name: str, target: Target) -> TargetVersion:
    """See `Client.save_target`. An in-memory target is remembered for the runs of this process."""
    if not 1 <= len(name) <= NAME_LENGTH:
        raise InvalidInput(f"a target's name has 1 to {NAME_LENGTH} characters, and {name!r:.50} has {len(name)}")
    definition, fingerprint = target.to_spec(), target.fingerprint()
    hashed = content_hash({"definition": definition, "fingerprint": fingerprint})
    async with context.database.transaction() as tx:
        record = await stored.ensure(tx, name, target.kind, new_id, now())
        version = await stored.add_version(tx, record, definition, fingerprint, hashed, new_id, now())
    context.in_memory[version.id] = target
    return version


async def version(context: Context, reference: str) -> TargetVersion:
    """See `Client.target_version`."""
    name, at, number = reference.rpartition("@")
    async with context.database.read() as rx:
        if at and number.isdecimal():
            return await stored.version(rx, name, int(number))
        try:
            return await stored.version(rx, reference)
        except NotFound as absent:
            if not at:
                raise
            raise InvalidInput(
                f"{reference!r} names no target and no version; write {name}@3, or {name} for the active one"
            ) from absent


def built(context: Context, frozen: TargetVersion) -> Target:
    """The target of a version, ready to invoke.

    Raises:
        InvalidInput: its definition does not fit this version of the kind.
        NotPermitted: it runs code, which the operator does not allow.
    """
    target = context.in_memory.get(frozen.id) or build("targets", frozen.definition, Target)
    if target.runs_code and not context.settings.allow_code:
        raise NotPermitted(f"targets of kind {target.kind} run code, which ALOI_ALLOW_CODE does not allow here")
    return target
