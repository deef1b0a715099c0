"""Targets and their versions."""

from collections.abc import Callable
from datetime import datetime

from pydantic_core import from_json

from aloi.core.errors import Conflict, NotFound
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject
from aloi.core.target_record import TargetRecord
from aloi.core.wording import count
from aloi.store.codec import id_or_none, json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Params, Row, held
from aloi.store.narrowing import whole

TARGETS = """
SELECT t.id, t.name, t.description, t.kind, t.active, t.created_at, t.updated_at,
  (SELECT count(*) FROM target_versions v WHERE v.target_id = t.id)
FROM targets t WHERE t.workspace_id = ?"""
VERSIONS = """
SELECT v.id, v.target_id, t.name, v.number, v.kind, v.definition, v.fingerprint, v.content_hash, v.note,
  v.created_at, EXISTS (SELECT 1 FROM overrides o WHERE o.target_id = v.target_id AND o.version = v.number)
FROM target_versions v JOIN targets t ON t.id = v.target_id WHERE t.workspace_id = ?"""

OF_TARGET = " WHERE target_version_id IN (SELECT id FROM target_versions WHERE target_id = ?)"
COUNT_RUNS = "SELECT count(*) FROM runs"
DELETE_EXECUTIONS = "DELETE FROM executions"
DELETE_GATE_RUNS = "DELETE FROM gate_runs"


async def ensure(tx: Connection, name: str, kind: str, new_id: Callable[[], str], now: datetime) -> TargetRecord:
    """The target of that name, created when there is none.

    Raises:
        Conflict: the name is taken by a target of another kind.
    """
    await _lock(tx, name)
    found = await _named(tx, name)
    if found is not None:
        if found.kind != kind:
            raise Conflict(f"target {name!r} is of kind {found.kind}, not {kind}; give the new one another name")
        return found
    target = TargetRecord(id=new_id(), name=name, kind=kind, created_at=now, updated_at=now)
    await _insert(tx, target)
    return target


async def create(tx: Connection, target: TargetRecord) -> None:
    """Store a new target; its versions are added apart.

    Raises:
        Conflict: its name is taken.
    """
    await _lock(tx, target.name)
    await _name_is_free(tx, target)
    await _insert(tx, target)


async def _insert(tx: Connection, target: TargetRecord) -> None:
    times = pack_time(target.created_at), pack_time(target.updated_at)
    await tx.execute(
        "INSERT INTO targets (id, workspace_id, name, description, kind, active, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, NULL, ?, ?)",
        (pack_id(target.id), tx.workspace, target.name, target.description, target.kind, *times),
    )


async def _name_is_free(tx: Connection, target: TargetRecord) -> None:
    found = await _named(whole(tx), target.name)
    if found is not None and found.id != target.id:
        raise Conflict(f"there is a target {target.name!r} already; give this one another name")


async def hold(tx: Connection, ref: str) -> TargetRecord:
    """As `get`; no other transaction changes the target, or adds a version, until this one ends."""
    found = await get(tx, ref)
    await _lock(tx, found.name)
    await held(tx, "SELECT 1 FROM targets WHERE id = ?", (pack_id(found.id),))
    return await get(tx, found.id)  # as it is now that nobody else changes it


async def update(tx: Connection, target: TargetRecord) -> None:
    """Replace what is stored of a target that is held: name, description, time of change.

    Raises:
        Conflict: its new name is taken.
        NotFound: it is not there.
    """
    await _lock(tx, target.name)
    await _name_is_free(tx, target)
    changed = await tx.execute(
        "UPDATE targets SET name = ?, description = ?, updated_at = ? WHERE id = ? AND workspace_id = ?",
        (target.name, target.description, pack_time(target.updated_at), pack_id(target.id), tx.workspace),
    )
    if not changed:
        raise _absent(target.name)


async def delete(tx: Connection, target_id: str) -> None:
    """Delete a target that is held, with its versions, the executions of them outside of runs, and its gate.

    The overrides of its gate stay.

    Raises:
        Conflict: runs evaluated it; they need it to be read.
        NotFound: it is not there.
    """
    packed = pack_id(target_id)
    runs = await tx.fetch_one(COUNT_RUNS + OF_TARGET, (packed,))
    if runs is not None and runs[0]:
        raise Conflict(f"{count(runs[0], 'run')} evaluated this target; delete them first, or keep it")
    await tx.execute(DELETE_EXECUTIONS + OF_TARGET, (packed,))
    await tx.execute(DELETE_GATE_RUNS + OF_TARGET, (packed,))
    await tx.execute("DELETE FROM target_versions WHERE target_id = ?", (packed,))
    if not await tx.execute("DELETE FROM targets WHERE id = ? AND workspace_id = ?", (packed, tx.workspace)):
        raise _absent(target_id)


async def _lock(tx: Connection, name: str) -> None:
    """Keep other transactions from creating a target of that name, or versions of it, until this one ends."""
    await tx.lock(f"target {tx.workspace.hex()} {name}")


async def add_version(
    tx: Connection,
    target: TargetRecord,
    definition: JsonObject,
    fingerprint: JsonObject,
    content_hash: str,
    new_id: Callable[[], str],
    now: datetime,
    note: str = "",
) -> TargetVersion:
    """The version with that content hash, added when the target has none. The first version is active at once.

    Args:
        content_hash: 64 hex digits over the definition and the fingerprint.
        note: what is new in it; one that is there already keeps its own.
    """
    packed = pack_id(target.id)
    await _lock(tx, target.name)
    found = await tx.fetch_one(
        VERSIONS + " AND v.target_id = ? AND v.content_hash = ? ORDER BY v.number DESC LIMIT 1",
        (tx.workspace, packed, bytes.fromhex(content_hash)),
    )
    if found is not None:
        return version_of(found)
    newest = await tx.fetch_one("SELECT coalesce(max(number), 0) FROM target_versions WHERE target_id = ?", (packed,))
    version = TargetVersion(
        id=new_id(),
        target_id=target.id,
        target_name=target.name,
        number=newest[0] + 1 if newest else 1,
        kind=target.kind,
        definition=definition,
        fingerprint=fingerprint,
        content_hash=content_hash,
        note=note,
        created_at=now,
    )
    await tx.execute(
        "INSERT INTO target_versions (id, target_id, number, kind, definition, fingerprint, content_hash, note,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _version_params(version),
    )
    await tx.execute(
        "UPDATE targets SET active = coalesce(active, ?), updated_at = ? WHERE id = ?",
        (version.number, pack_time(now), packed),
    )
    return version


def _version_params(version: TargetVersion) -> Params:
    what = f"target {version.target_name!r}"
    return (
        pack_id(version.id),
        pack_id(version.target_id),
        version.number,
        version.kind,
        json_of(version.definition, what),
        json_of(version.fingerprint, what),
        bytes.fromhex(version.content_hash),
        version.note,
        pack_time(version.created_at),
    )


async def version_by_id(rx: Connection, version_id: str) -> TargetVersion:
    """A version.

    Raises:
        NotFound: there is none of that id.
    """
    row = await rx.fetch_one(
        VERSIONS + " AND v.id = ?",
        (
            rx.workspace,
            pack_id(version_id),
        ),
    )
    if row is None:
        raise NotFound(f"there is no target version {version_id}")
    return version_of(row)


async def version(rx: Connection, name: str, number: int | None = None) -> TargetVersion:
    """A target's version by its number, or its active one.

    Raises:
        NotFound: there is no such target, or no such version; the message says which there are.
    """
    target = await get(rx, name)
    wanted = target.active if number is None else number
    row = await rx.fetch_one(
        VERSIONS + " AND v.target_id = ? AND v.number = ?",
        (rx.workspace, pack_id(target.id), -1 if wanted is None else wanted),
    )
    if row is not None:
        return version_of(row)
    if number is None:
        raise NotFound(f"target {target.name!r} has no active version; activate one of its {target.versions} versions")
    raise NotFound(f"target {target.name!r} has no version {number}; its versions are 1 to {target.versions}")


async def get(rx: Connection, ref: str) -> TargetRecord:
    """A target by its name or its id.

    Raises:
        NotFound: there is no such target.
    """
    found = await _target(rx, ref)
    if found is None:
        raise _absent(ref)
    return found


def _absent(ref: str) -> NotFound:
    return NotFound(f"there is no target {ref!r}; a run of a suite file creates the target that it names")


async def listing(rx: Connection) -> list[TargetRecord]:
    """All targets by name."""
    return [record_of(row) for row in await rx.fetch(TARGETS + " ORDER BY t.name", (rx.workspace,))]


async def _target(rx: Connection, ref: str) -> TargetRecord | None:
    """By the id first: else a target that was given another's id as its name would stand in its place."""
    packed = id_or_none(ref)
    row = packed and await rx.fetch_one(TARGETS + " AND t.id = ?", (rx.workspace, packed))
    return record_of(row) if row else await _named(rx, ref)


async def _named(rx: Connection, name: str) -> TargetRecord | None:
    row = await rx.fetch_one(TARGETS + " AND t.name = ?", (rx.workspace, name))
    return None if row is None else record_of(row)


def record_of(row: Row) -> TargetRecord:
    """The target of a row that `TARGETS` found."""
    packed, name, description, kind, active, created_at, updated_at, versions = row
    return TargetRecord(
        id=unpack_id(packed),
        name=name,
        description=description,
        kind=kind,
        active=active,
        versions=versions,
        created_at=unpack_time(created_at),
        updated_at=unpack_time(updated_at),
    )


def version_of(row: Row) -> TargetVersion:
    """The version of a row that `VERSIONS` found."""
    packed, target_id, name, number, kind, definition, fingerprint, content_hash, note, created_at, overridden = row
    return TargetVersion(
        id=unpack_id(packed),
        target_id=unpack_id(target_id),
        target_name=name,
        number=number,
        kind=kind,
        definition=from_json(definition),
        fingerprint=from_json(fingerprint),
        content_hash=content_hash.hex(),
        note=note,
        created_at=unpack_time(created_at),
        overridden=bool(overridden),
    )
