"""Targets and their versions."""

from aloi.core.dataset import NAME_LENGTH
from aloi.core.errors import InvalidInput, NotFound, NotPermitted
from aloi.core.identity import content_hash
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import targets as stored


async def save(context: Context, name: str, target: Target) -> TargetVersion:
    """See `Client.save_target`. An in-memory target is remembered for the runs of this process."""
    if not 1 <= len(name) <= NAME_LENGTH:
        raise InvalidInput(f"a target's name has 1 to {NAME_LENGTH} characters, and {name!r:.50} has {len(name)}")
    content: JsonObject = {"definition": target.to_spec(), "fingerprint": target.fingerprint()}
    version = await _saved(context, name, target, content)
    if context.in_memory.setdefault(version.id, target) != target:
        # Another function of that name and file, a closure say: a run of one must not call the other.
        version = await _saved(context, name, target, {**content, "one_of_many": new_id()})
        context.in_memory[version.id] = target
    return version


async def _saved(context: Context, name: str, target: Target, content: JsonObject) -> TargetVersion:
    async with context.database.transaction() as tx:
        record = await stored.ensure(tx, name, target.kind, new_id, now())
        return await stored.add_version(
            tx, record, target.to_spec(), target.fingerprint(), content_hash(content), new_id, now()
        )


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
