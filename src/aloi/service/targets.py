"""Targets: saving one with its definition, listing, reading, renaming, deleting."""

from collections.abc import Mapping

from pydantic import JsonValue

from aloi.core.access import Role
from aloi.core.dataset import NAME_LENGTH
from aloi.core.errors import Conflict, InvalidInput, NotFound, NotPermitted
from aloi.core.example import example_of
from aloi.core.identity import content_hash
from aloi.core.listing import Page
from aloi.core.misfit import Misplaced
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject
from aloi.core.target import Target
from aloi.core.target_record import Components, ShownComponent, TargetDetail, TargetFilter, TargetRecord
from aloi.plugins import build
from aloi.service.accounts.narrowed import MAKING, refuse_narrowed, refuse_new_target
from aloi.service.changes import record_change
from aloi.service.checks import checked, refuse, refuse_stale, spec_faults, unstorable
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.pinning import pinned
from aloi.service.scheduled import refuse_while_scheduled
from aloi.store import gates, grants, target_pages
from aloi.store import targets as stored
from aloi.store.connection import Connection

DEFINITION = "definition"


async def save(context: Context, name: str, target: Target) -> TargetVersion:
    """See `Client.save_target`. An in-memory target is remembered for the runs of this process."""
    target = await pinned(context, target)
    content = _content(target)
    version = await _saved(context, name, target, content)
    if context.in_memory.setdefault(version.id, target) != target:
        # Another function of that name and file, a closure say: a run of one must not call the other.
        version = await _saved(context, name, target, {**content, "one_of_many": new_id()})
        context.in_memory[version.id] = target
    return version


async def save_definition(context: Context, name: str, definition: JsonObject) -> TargetVersion:
    """As `save`, of a target that somebody defined elsewhere.

    Raises:
        Misfit, NotPermitted: as `defined`.
        InvalidInput: the name does not do.
        Conflict: the name is taken by a target of another kind.
    """
    target = await pinned(context, defined(context, definition))
    return await _saved(context, name, target, _content(target))


async def _saved(context: Context, name: str, target: Target, content: JsonObject) -> TargetVersion:
    if not 1 <= len(name) <= NAME_LENGTH:
        raise InvalidInput(f"a target's name has 1 to {NAME_LENGTH} characters, and {name!r:.50} has {len(name)}")
    refuse(list(unstorable({"name": name})))
    async with context.database.transaction() as tx:
        await refuse_new_target(context, tx, name)
        record = await stored.ensure(tx, name, target.kind, new_id, now())
        spec, fingerprint = target.to_spec(), target.fingerprint()
        version = await stored.add_version(tx, record, spec, fingerprint, content_hash(content), new_id, now())
        if not record.versions:
            await record_change(context, tx, "target.create", (record.id, name), None, await stored.get(tx, record.id))
        elif version.number > record.versions:
            await record_change(context, tx, "version.create", thing(version), None, version)
        return version


def thing(version: TargetVersion) -> tuple[str, str]:
    """A version as the audit log names it."""
    return version.id, f"{version.target_name}@{version.number}"


def _content(target: Target) -> JsonObject:
    """What a version's hash covers."""
    return {"definition": target.to_spec(), "fingerprint": target.fingerprint()}


async def create(context: Context, name: str, description: str, definition: JsonObject) -> TargetDetail:
    """A new target with its version 1, which is active at once.

    Raises:
        Misfit: the definition does not fit its kind, or the name does not do.
        NotPermitted: the definition wants what the operator does not allow, or the caller is narrowed to some targets.
        Conflict: the name is taken.
    """
    refuse_narrowed(context, MAKING)
    target = await pinned(context, defined(context, definition))
    record = _record(name, description, target.kind)
    async with context.database.transaction() as tx:
        await stored.create(tx, record)
        version = await add_version(tx, record, target)
        created = await stored.get(tx, record.id)
        await record_change(context, tx, "target.create", (record.id, name), None, created)
    return TargetDetail(**dict(created), active_version=version)


def _record(name: str, description: str, kind: str) -> TargetRecord:
    moment = now()
    given = {"id": new_id(), "name": name, "description": description, "kind": kind}
    return checked(TargetRecord, {**given, "created_at": moment, "updated_at": moment})


async def add_version(tx: Connection, record: TargetRecord, target: Target, note: str = "") -> TargetVersion:
    """The version of a target that is held, with that definition; added when it has none."""
    hashed = content_hash(_content(target))
    return await stored.add_version(tx, record, target.to_spec(), target.fingerprint(), hashed, new_id, now(), note)


def defined(context: Context, definition: JsonObject) -> Target:
    """The target that somebody defined, if it may be saved here.

    Raises:
        Misfit: it does not fit its kind, or could not be stored.
        NotPermitted: it wants what the operator does not allow: code, a file, a variable of the environment.
    """
    refuse(list(unstorable({DEFINITION: definition})))
    refuse(spec_faults(_built, definition, (DEFINITION,)))
    target = _built(definition)
    _check_permitted(context, target)
    if definition.get("in_memory"):
        reason = "a function in memory lives in one process alone; name one of a module"
        refuse([Misplaced(f"/{DEFINITION}/in_memory", reason)])
    if context.served and target.files():
        raise NotPermitted(
            f"the {target.kind} target names the file {', '.join(target.files())}, and a server reads none of its own "
            "files for a target; write the content into the definition"
        )
    return target


def _built(definition: Mapping[str, JsonValue]) -> Target:
    return build("targets", definition, Target)


def _check_permitted(context: Context, target: Target) -> None:
    """Raises NotPermitted when the target needs what the operator does not allow, now or since it was saved."""
    if target.runs_code and not context.settings.allow_code:
        raise NotPermitted(f"targets of kind {target.kind} run code, which ALOI_ALLOW_CODE does not allow here")
    context.keys.check(target.named_keys())
    for model in target.models():
        context.models.check_permitted(model)


async def listing(context: Context, page: int, size: int, wanted: TargetFilter) -> Page[TargetRecord]:
    """A page of the targets, that changed last first."""
    async with context.database.read() as rx:
        return await target_pages.targets(rx, page, size, wanted)


async def get(context: Context, ref: str) -> TargetDetail:
    """A target by its id or name, with its active version.

    Raises:
        NotFound: there is no such target.
    """
    async with context.database.read() as rx:
        return await detail(rx, await stored.get(rx, ref))


async def update(context: Context, ref: str, changes: JsonObject, tag: str | None = None) -> TargetDetail:
    """Change the name or the description.

    Args:
        changes: the fields given; a null description clears it.
        tag: the ETag that the caller read it with; null for any.

    Raises:
        NotFound, Stale: it is gone, or was changed since.
        Misfit: a field does not fit.
        Conflict: the name is taken.
        NotPermitted: it has a gate, which only owners rename or delete; or the caller, narrowed to some targets, would
            rename it: what comes under another name could be of any target.
    """
    async with context.database.transaction() as tx:
        old = await held(tx, ref, tag)
        given = {name: "" if name == "description" and value is None else value for name, value in changes.items()}
        new = checked(TargetRecord, {**dict(old), **given})
        if new.name != old.name:
            refuse_narrowed(context, "rename targets, for traces and suites find theirs by its name")
            await _let_gated_go(context, tx, old)
        if new != old:
            await stored.update(tx, new.model_copy(update={"updated_at": now()}))
            await record_change(context, tx, "target.update", (old.id, old.name), old, new)
        return await detail(tx, await stored.get(tx, old.id))


async def delete(context: Context, ref: str, tag: str | None = None) -> None:
    """Delete a target with its versions and the executions of it outside of runs; what they used stays counted.

    Raises:
        NotFound, Stale, NotPermitted: as `update`.
        Conflict: runs evaluated it, or schedules would.
    """
    async with context.database.transaction() as tx:
        old = await held(tx, ref, tag)
        await _let_gated_go(context, tx, old)
        await refuse_while_scheduled(tx, f"the target {old.name!r}", target_id=old.id)
        await grants.orphan(tx, old.id)
        await stored.delete(tx, old.id)
        await record_change(context, tx, "target.delete", (old.id, old.name), old, None)


async def _let_gated_go(context: Context, tx: Connection, record: TargetRecord) -> None:
    """Nothing when the caller may take its name from a target: another one under that name would pass by its gate.

    Raises:
        NotPermitted: it has a gate, and the caller is no owner.
    """
    if await gates.policies(tx, record.id) and not context.principal.role.may(Role.OWNER):
        raise NotPermitted(f"the target {record.name!r} has a gate, so only an owner may rename or delete it; ask one")


async def held(tx: Connection, ref: str, tag: str | None) -> TargetRecord:
    """The target, which nobody else changes until the transaction ends.

    Raises:
        NotFound: there is no such target.
        Stale: it is not what the caller read.
    """
    record = await stored.hold(tx, ref)
    refuse_stale(await detail(tx, record), tag, f"the target {record.name!r}")
    return record


async def detail(rx: Connection, record: TargetRecord) -> TargetDetail:
    """A target with its active version."""
    version = None if record.active is None else await stored.version(rx, record.id, record.active)
    return TargetDetail(**dict(record), active_version=version)


async def components(context: Context, ref: str, number: int | None = None) -> Components:
    """What of a version of a target can be simulated, what a run leaves out of it, and whether it takes files.

    Args:
        number: null for the active version.

    Raises:
        NotFound: there is no such target, no such version, or none is active.
    """
    async with context.database.read() as rx:
        found = await stored.version(rx, ref, number)
    target = context.in_memory.get(found.id) or _built(found.definition)
    shown = [
        ShownComponent(**dict(component), example=example_of(component.output_schema))
        for component in target.components()
    ]
    # Nobody's code is loaded in order to be looked at.
    refusal = None if target.runs_code else target.refuses_attachments()
    return Components(tools=tuple(shown), skipped=target.skipped(), refuses_attachments=refusal)


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
        NotPermitted: it runs code, or names a variable of the environment, which the operator does not allow.
    """
    target = context.in_memory.get(frozen.id) or _built(frozen.definition)
    _check_permitted(context, target)
    return target


def check_unchanged(frozen: TargetVersion, target: Target) -> None:
    """See that what the definition names, a module or a file, is what it was when the version was saved.

    Raises:
        Conflict: it is not.
    """
    now_is = target.fingerprint()
    if now_is != frozen.fingerprint:
        keys = sorted({*now_is, *frozen.fingerprint})
        changed = ", ".join(key for key in keys if now_is.get(key) != frozen.fingerprint.get(key))
        name = f"{frozen.target_name}@{frozen.number}"
        raise Conflict(f"{name} is not what it was: {changed} changed since it was saved; save it as a new version")
