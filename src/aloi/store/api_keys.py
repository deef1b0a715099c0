"""The keys of programs, known by their SHA-256 alone."""

from datetime import datetime
from typing import NamedTuple

from aloi.core.access import ApiKey, Role, Workspace
from aloi.core.errors import NotFound
from aloi.core.listing import Page
from aloi.store.codec import (
    id_or_none,
    pack_id,
    pack_time,
    pack_time_or_none,
    unpack_id,
    unpack_time,
    unpack_time_or_none,
)
from aloi.store.connection import Connection, Row

KEYS = (
    "SELECT id, name, prefix, role, created_by, created_at, expires_at, last_used_at FROM api_keys"
    " WHERE workspace_id = ?"
)
# A key is looked up in all workspaces: it says itself which one it opens.
KNOWN = (
    "SELECT w.id, w.name, k.id, k.name, k.prefix, k.role, k.created_by, k.created_at, k.expires_at, k.last_used_at"
    " FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id"
    " WHERE k.hash = ? AND (k.expires_at IS NULL OR k.expires_at > ?)"
)


class KnownKey(NamedTuple):
    """A key with the workspace that it opens."""

    key: ApiKey
    workspace: Workspace


async def create(tx: Connection, key: ApiKey, key_hash: bytes) -> None:
    """Store a new key of the workspace."""
    await tx.execute(
        "INSERT INTO api_keys (id, workspace_id, name, prefix, hash, role, created_by, created_at, expires_at,"
        " last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            pack_id(key.id),
            tx.workspace,
            key.name,
            key.prefix,
            key_hash,
            key.role,
            key.created_by,
            pack_time(key.created_at),
            pack_time_or_none(key.expires_at),
            pack_time_or_none(key.last_used_at),
        ),
    )


async def get(rx: Connection, key_id: str) -> ApiKey:
    """A key of the workspace.

    Raises:
        NotFound: there is none of that id.
    """
    packed = id_or_none(key_id)
    row = None if packed is None else await rx.fetch_one(KEYS + " AND id = ?", (rx.workspace, packed))
    if row is None:
        raise NotFound(f"there is no API key {key_id!r:.100} in this workspace; list its keys to see which there are")
    return _key(row)


async def page(rx: Connection, number: int, size: int) -> Page[ApiKey]:
    """A page of the workspace's keys, newest first; `number` counts from 1."""
    total = await rx.fetch_one("SELECT count(*) FROM api_keys WHERE workspace_id = ?", (rx.workspace,))
    rows = await rx.fetch(
        KEYS + " ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?", (rx.workspace, size, (number - 1) * size)
    )
    return Page(items=tuple(map(_key, rows)), total=total[0] if total else 0, page=number, size=size)


async def known(rx: Connection, key_hash: bytes, at: datetime) -> KnownKey | None:
    """The key of a hash, in whatever workspace; null when there is none, or it expired."""
    row = await rx.fetch_one(KNOWN, (key_hash, pack_time(at)))
    return None if row is None else KnownKey(_key(row[2:]), Workspace(id=unpack_id(row[0]), name=row[1]))


async def used(tx: Connection, key_id: str, at: datetime) -> None:
    """Write down that a key was used."""
    await tx.execute("UPDATE api_keys SET last_used_at = ? WHERE id = ?", (pack_time(at), pack_id(key_id)))


async def delete(tx: Connection, key_id: str) -> None:
    """Delete a key of the workspace: from now on it opens nothing."""
    await tx.execute("DELETE FROM api_keys WHERE workspace_id = ? AND id = ?", (tx.workspace, pack_id(key_id)))


def _key(row: Row) -> ApiKey:
    packed, name, prefix, role, created_by, created_at, expires_at, last_used_at = row
    return ApiKey(
        id=unpack_id(packed),
        name=name,
        prefix=prefix,
        role=Role(role),
        created_by=created_by,
        created_at=unpack_time(created_at),
        expires_at=unpack_time_or_none(expires_at),
        last_used_at=unpack_time_or_none(last_used_at),
    )
