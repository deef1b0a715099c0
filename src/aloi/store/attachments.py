"""The files of a workspace, and the cases and revisions that refer to them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from aloi.core.attachment import Attachment, AttachmentEntry
from aloi.core.case import Case
from aloi.core.listing import Page
from aloi.store.codec import pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Param, Row, held, marks
from aloi.store.matching import any_contains, pattern

INSERT = """
INSERT INTO attachments (workspace_id, hash, blob_id, name, media_type, size, created_by, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"""
# Runs refer to a file through the revisions that they share.
ENTRIES = """
SELECT a.hash, a.name, a.media_type, a.size, a.created_by, a.created_at,
  (SELECT count(*) FROM case_attachments c WHERE c.workspace_id = a.workspace_id AND c.hash = a.hash),
  (SELECT count(*) FROM revision_attachments v JOIN runs r ON r.revision_id = v.revision_id
    WHERE v.workspace_id = a.workspace_id AND v.hash = a.hash)
FROM attachments a WHERE a.workspace_id = ?"""
UNUSED = """
AND NOT EXISTS (SELECT 1 FROM case_attachments c WHERE c.workspace_id = a.workspace_id AND c.hash = a.hash)
AND NOT EXISTS (SELECT 1 FROM revision_attachments v JOIN runs r ON r.revision_id = v.revision_id
  WHERE v.workspace_id = a.workspace_id AND v.hash = a.hash)"""
COUNT = "SELECT count(*) FROM attachments a WHERE a.workspace_id = ?"
MOVE = "UPDATE attachments SET blob_id = ? WHERE workspace_id = ? AND hash = ? AND blob_id = ?"
UNLINK = "DELETE FROM case_attachments"
SENT = "INSERT INTO attachment_senders (workspace_id, hash, member_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
LINK = "INSERT INTO case_attachments (case_id, workspace_id, hash) VALUES (?, ?, ?)"
FREEZE = "INSERT INTO revision_attachments (revision_id, workspace_id, hash) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
STORED = "SELECT hash, blob_id, name, media_type, size FROM attachments WHERE workspace_id = ?"


class StoredFile(NamedTuple):
    """A file as it was sent first, and the id under which its content is stored."""

    file: Attachment
    blob_id: str


async def insert(tx: Connection, file: Attachment, blob_id: str, created_by: str, created_at: datetime) -> bool:
    """Store a file; whether it was not there yet."""
    row = (
        tx.workspace,
        bytes.fromhex(file.hash),
        pack_id(blob_id),
        file.name,
        file.media_type,
        file.size,
        created_by,
        pack_time(created_at),
    )
    return await tx.execute(INSERT, row) == 1


async def sent(tx: Connection, file_hash: str, member_id: str) -> None:
    """Note that a member sent a file, be it there already or not.

    Raises:
        Conflict: the workspace has no such file (any more).
    """
    await tx.execute(SENT, (tx.workspace, bytes.fromhex(file_hash), pack_id(member_id)))


async def move(tx: Connection, file_hash: str, old: str | None, new: str) -> bool:
    """Say that the content of a file is stored under another id now; whether it was stored under the old one."""
    if old is None:
        return False
    row = (pack_id(new), tx.workspace, bytes.fromhex(file_hash), pack_id(old))
    return await tx.execute(MOVE, row) == 1


async def stored(rx: Connection, hashes: Iterable[str]) -> dict[str, StoredFile]:
    """Those of these files that the workspace has, by hash."""
    packed = [bytes.fromhex(file_hash) for file_hash in set(hashes)]
    if not packed:
        return {}
    rows = await rx.fetch(f"{STORED} AND hash IN ({marks(len(packed))})", (rx.workspace, *packed))
    return {row[0].hex(): _stored(row) for row in rows}


async def hold(tx: Connection, file_hash: str) -> StoredFile | None:
    """A file, or null. Nobody deletes it, or begins to refer to it, until the transaction ends."""
    row = await held(tx, STORED + " AND hash = ?", (tx.workspace, bytes.fromhex(file_hash)))
    return None if row is None else _stored(row)


def _stored(row: Row) -> StoredFile:
    file_hash, blob_id, name, media_type, size = row
    return StoredFile(Attachment(name=name, hash=file_hash.hex(), media_type=media_type, size=size), unpack_id(blob_id))


async def entry(rx: Connection, file_hash: str) -> AttachmentEntry | None:
    """A file with who refers to it, or null."""
    row = await rx.fetch_one(ENTRIES + " AND a.hash = ?", (rx.workspace, bytes.fromhex(file_hash)))
    return None if row is None else _entry(row)


async def page(rx: Connection, number: int, size: int, q: str, unused: bool) -> Page[AttachmentEntry]:
    """A page of the files, counted from 1, that came last first.

    Args:
        q: what their names contain; empty for all.
        unused: only those to which no case and no run refers.
    """
    where, params = (UNUSED if unused else ""), list[Param]([rx.workspace])
    if q:
        where += " AND " + any_contains("a.name")
        params.append(pattern(q))
    total = await rx.fetch_one(COUNT + where, params)
    order = " ORDER BY a.created_at DESC, a.hash LIMIT ? OFFSET ?"
    rows = await rx.fetch(ENTRIES + where + order, (*params, size, (number - 1) * size))
    return Page(items=tuple(map(_entry, rows)), total=total[0] if total else 0, page=number, size=size)


def _entry(row: Row) -> AttachmentEntry:
    file_hash, name, media_type, size, created_by, created_at, cases, runs = row
    return AttachmentEntry(
        name=name,
        hash=file_hash.hex(),
        media_type=media_type,
        size=size,
        created_by=created_by,
        created_at=unpack_time(created_at),
        cases=cases,
        runs=runs,
    )


async def delete(tx: Connection, file_hash: str) -> None:
    """Forget a file; its content is deleted apart.

    Raises:
        Conflict: a case refers to it.
    """
    key = (tx.workspace, bytes.fromhex(file_hash))
    await tx.execute("DELETE FROM attachments WHERE workspace_id = ? AND hash = ?", key)


async def link_cases(tx: Connection, cases: Mapping[str, Case], changed: Sequence[str] = ()) -> None:
    """Write down to which files cases refer, once they are stored.

    Args:
        cases: by their ids.
        changed: the ids of those that were there before, whose earlier references go.

    Raises:
        Conflict: the workspace has not all of the files.
    """
    if changed:
        packed = [pack_id(case_id) for case_id in changed]
        await tx.execute(UNLINK + f" WHERE case_id IN ({marks(len(packed))})", packed)
    rows = [
        (pack_id(case_id), tx.workspace, file_hash)
        for case_id, case in cases.items()
        if case.attachments
        for file_hash in _hashes(case)
    ]
    if rows:
        await tx.execute_many((LINK, rows))


async def link_revision(tx: Connection, revision_id: str, hashes: Iterable[bytes]) -> None:
    """Write down which files a revision froze.

    Raises:
        Conflict: the workspace has not all of them.
    """
    rows = [(pack_id(revision_id), tx.workspace, file_hash) for file_hash in sorted(hashes)]
    if rows:
        await tx.execute_many((FREEZE, rows))


def _hashes(case: Case) -> set[bytes]:
    return {bytes.fromhex(file.hash) for file in case.attachments}


def frozen_hashes(cases: Iterable[Case]) -> set[bytes]:
    """The hashes of all files of cases."""
    return {file_hash for case in cases if case.attachments for file_hash in _hashes(case)}
