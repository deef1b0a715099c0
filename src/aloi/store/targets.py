"""Targets and their versions."""

from collections.abc import Callable
from datetime import datetime

from pydantic import AwareDatetime
from pydantic_core import from_json

from aloi.core.errors import Conflict, NotFound
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject, Value
from aloi.store.codec import id_or_none, json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Params, Row

TARGETS = """
SELECT t.id, t.name, t.kind, t.active, t.created_at, (SELECT count(*) FROM target_versions v WHERE v.target_id = t.id)
FROM targets t"""
VERSIONS = """
SELECT v.id, v.target_id, t.name, v.number, v.kind, v.definition, v.fingerprint, v.content_hash, v.created_at
FROM target_versions v JOIN targets t ON t.id = v.target_id"""


class TargetRecord(Value):
    """A target with the number of its active version (null when it has none) and of its versions in all."""

    id: str
    name: str
    kind: str
    active: int | None = None
    versions: int = 0
    created_at: AwareDatetime


async def ensure(tx: Connection, name: str, kind: str, new_id: Callable[[], str], now: datetime) -> TargetRecord:
    """The target of that name, created when there is none.

    Raises:
        Conflict: the name is taken by a target of another kind.
    """
    await tx.lock(f"target {name}")
    found = await _target(tx, name)
    if found is not None:
        if found.kind != kind:
            raise Conflict(f"target {name!r} is of kind {found.kind}, not {kind}; give the new one another name")
        return found
    target = TargetRecord(id=new_id(), name=name, kind=kind, created_at=now)
    await tx.execute(
        "INSERT INTO targets (id, name, kind, active, created_at) VALUES (?, ?, ?, NULL, ?)",
        (pack_id(target.id), name, kind, pack_time(now)),
    )
    return target


async def add_version(
    tx: Connection,
    target: TargetRecord,
    definition: JsonObject,
    fingerprint: JsonObject,
    content_hash: str,
    new_id: Callable[[], str],
    now: datetime,
) -> TargetVersion:
    """The version with that content hash, added when the target has none. The first version is active at once.

    Args:
        content_hash: 64 hex digits over the definition and the fingerprint.
    """
    packed = pack_id(target.id)
    await tx.lock(f"target {target.name}")
    found = await tx.fetch_one(
        VERSIONS + " WHERE v.target_id = ? AND v.content_hash = ? ORDER BY v.number DESC LIMIT 1",
        (packed, bytes.fromhex(content_hash)),
    )
    if found is not None:
        return _version(found)
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
        created_at=now,
    )
    await tx.execute(
        "INSERT INTO target_versions (id, target_id, number, kind, definition, fingerprint, content_hash, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        _version_params(version),
    )
    await tx.execute("UPDATE targets SET active = ? WHERE id = ? AND active IS NULL", (version.number, packed))
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
        pack_time(version.created_at),
    )


async def version_by_id(rx: Connection, version_id: str) -> TargetVersion:
    """A version.

    Raises:
        NotFound: there is none of that id.
    """
    row = await rx.fetch_one(VERSIONS + " WHERE v.id = ?", (pack_id(version_id),))
    if row is None:
        raise NotFound(f"there is no target version {version_id}")
    return _version(row)


async def version(rx: Connection, name: str, number: int | None = None) -> TargetVersion:
    """A target's version by its number, or its active one.

    Raises:
        NotFound: there is no such target, or no such version; the message says which there are.
    """
    target = await get(rx, name)
    wanted = target.active if number is None else number
    row = await rx.fetch_one(
        VERSIONS + " WHERE v.target_id = ? AND v.number = ?", (pack_id(target.id), -1 if wanted is None else wanted)
    )
    if row is not None:
        return _version(row)
    if number is None:
        raise NotFound(f"target {name!r} has no active version; activate one of its {target.versions} versions")
    raise NotFound(f"target {name!r} has no version {number}; its versions are 1 to {target.versions}")


async def get(rx: Connection, ref: str) -> TargetRecord:
    """A target by its name or its id.

    Raises:
        NotFound: there is no such target.
    """
    found = await _target(rx, ref)
    if found is None:
        raise NotFound(f"there is no target {ref!r}; a run of a suite file creates the target that it names")
    return found


async def listing(rx: Connection) -> list[TargetRecord]:
    """All targets by name."""
    return [_record(row) for row in await rx.fetch(TARGETS + " ORDER BY t.name")]


async def _target(rx: Connection, ref: str) -> TargetRecord | None:
    row = await rx.fetch_one(TARGETS + " WHERE t.name = ?", (ref,))
    packed = id_or_none(ref)
    if row is None and packed is not None:
        row = await rx.fetch_one(TARGETS + " WHERE t.id = ?", (packed,))
    return None if row is None else _record(row)


def _record(row: Row) -> TargetRecord:
    packed, name, kind, active, created_at, versions = row
    return TargetRecord(
        id=unpack_id(packed),
        name=name,
        kind=kind,
        active=active,
        versions=versions,
        created_at=unpack_time(created_at),
    )


def _version(row: Row) -> TargetVersion:
    packed, target_id, name, number, kind, definition, fingerprint, content_hash, created_at = row
    return TargetVersion(
        id=unpack_id(packed),
        target_id=unpack_id(target_id),
        target_name=name,
        number=number,
        kind=kind,
        definition=from_json(definition),
        fingerprint=from_json(fingerprint),
        content_hash=content_hash.hex(),
        created_at=unpack_time(created_at),
    )
