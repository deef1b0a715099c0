"""Files for cases: taking them in, listing, reading and deleting them."""

import asyncio
import hashlib
import logging
from typing import NamedTuple

from aloi.blobs.blob import BlobKey
from aloi.core.attachment import Attachment, AttachmentEntry, check_upload
from aloi.core.errors import Conflict, FilesUnavailable, NotFound
from aloi.core.listing import Page
from aloi.core.media_type import media_type_of
from aloi.core.wording import count
from aloi.service import audit
from aloi.service.attachment_reading import absent, key_of
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import attachments as stored
from aloi.store.connection import Connection
from aloi.store.narrowing import whole

# Files are written down and deleted one at a time, so that none is deleted while it is sent once more.
LOCK = "attachments"
log = logging.getLogger("aloi.service")


class Taken(NamedTuple):
    """A file as a case may refer to it, and whether there was none before, as far as the sender can see."""

    file: Attachment
    new: bool


async def add(context: Context, name: str, content: bytes) -> Taken:
    """Take a file into the workspace. A content that is there already is not stored again, whatever it is called.

    Raises:
        InvalidInput: the name cannot be used, or the content is of no type that is taken, or not what the name says.
        TooLarge: it is larger than a file may be.
        FilesUnavailable: contents cannot be stored now.
    """
    check_upload(name, len(content))
    file = await asyncio.to_thread(_looked_at, name, content)
    async with context.database.read() as rx:
        known = (await stored.stored(whole(rx), [file.hash])).get(file.hash)
        is_hidden = known is not None and not await stored.stored(rx, [file.hash])
    if known is not None and await _is_sound(context, known) and await _noted(context, file.hash):
        return Taken(file, new=is_hidden)
    new = await _store(context, file, content, known and known.blob_id)
    return Taken(file, new=new or is_hidden)


def _looked_at(name: str, content: bytes) -> Attachment:
    media_type = media_type_of(name, content)
    digest = hashlib.sha256(content).hexdigest()
    return Attachment(name=name, hash=digest, media_type=media_type, size=len(content))


async def _is_sound(context: Context, known: stored.StoredFile) -> bool:
    """Whether the content is where it was stored: sending a file again mends one that is gone."""
    try:
        await context.blobs.get(key_of(known))
    except NotFound:
        return False
    return True


async def _noted(context: Context, file_hash: str) -> bool:
    """Note that the caller sent a file that is there; false when it was deleted meanwhile."""
    async with context.database.transaction() as tx:
        await tx.lock(LOCK)
        if not await stored.stored(whole(tx), [file_hash]):
            return False
        await _note_sender(context, tx, file_hash)
    return True


async def _note_sender(context: Context, tx: Connection, file_hash: str) -> None:
    """Who sent a file has had it in their hands, and may name it, whatever else they see."""
    if context.principal.member_id is not None:
        await stored.sent(tx, file_hash, context.principal.member_id)


async def _store(context: Context, file: Attachment, content: bytes, unsound: str | None) -> bool:
    """Store a content under an id of its own, then the file; whether the file is new.

    Of two who send one content at once, the first to write down the file keeps it, and the other's is thrown away.

    Args:
        unsound: the id of the content that the file had and that is gone or was altered.
    """
    key = BlobKey(file.hash, new_id())
    await context.blobs.put(key, content)
    unneeded: BlobKey | None = key
    try:
        async with context.database.transaction() as tx:
            await tx.lock(LOCK)
            new = await stored.insert(tx, file, key.id, context.principal.name, now())
            mended = not new and await stored.move(tx, file.hash, unsound, key.id)
            await _note_sender(context, tx, file.hash)
            if new:
                await _record(context, tx, "attachment.create", file)
        if new or mended:
            unneeded = None if unsound is None else BlobKey(file.hash, unsound)
    finally:
        if unneeded is not None:
            await _throw_away(context, unneeded)
    return new


async def _throw_away(context: Context, key: BlobKey) -> None:
    """Delete a content that nothing refers to. Where that fails it takes room, and harms nobody."""
    try:
        await context.blobs.delete(key)
    except FilesUnavailable as error:
        log.warning("a content that is not needed any more stays (%s): %s", key.path, error)


async def page(context: Context, number: int, size: int, q: str = "", unused: bool = False) -> Page[AttachmentEntry]:
    """A page, counted from 1, of the workspace's files, the last that came first.

    Args:
        q: what their names contain.
        unused: only those to which no case and no run refers.
    """
    async with context.database.read() as rx:
        return await stored.page(rx, number, size, q, unused)


async def read(context: Context, file_hash: str) -> AttachmentEntry:
    """A file of the workspace, without its content.

    Raises:
        NotFound: there is none.
    """
    async with context.database.read() as rx:
        found = await stored.entry(rx, file_hash)
    if found is None:
        raise absent(file_hash)
    return found


async def content(context: Context, file_hash: str) -> tuple[AttachmentEntry, bytes]:
    """A file of the workspace with its content.

    Raises:
        NotFound: there is none, or its content is gone or was altered.
        FilesUnavailable: contents cannot be read now.
    """
    found = await read(context, file_hash)
    return found, await context.attachments.content(file_hash)


async def delete(context: Context, file_hash: str) -> None:
    """Delete a file to which nothing refers.

    Raises:
        NotFound: there is none.
        Conflict: cases refer to it, or runs froze it, which keep their evidence.
    """
    async with context.database.transaction() as tx:
        await tx.lock(LOCK)
        known = await stored.hold(tx, file_hash)
        entry = await stored.entry(whole(tx), file_hash)
        if known is None or entry is None:
            raise absent(file_hash)
        _refuse_in_use(entry)
        await stored.delete(tx, file_hash)
        await _record(context, tx, "attachment.delete", known.file)
    await _throw_away(context, key_of(known))


def _refuse_in_use(entry: AttachmentEntry) -> None:
    if entry.cases:
        uses = f"{count(entry.cases, 'case')} {'refers' if entry.cases == 1 else 'refer'} to it"
        raise Conflict(f"the file {entry.name} cannot be deleted: {uses}; remove it there first")
    if entry.runs:
        raise Conflict(
            f"the file {entry.name} cannot be deleted: {count(entry.runs, 'run')} used it and "
            f"{'keeps its' if entry.runs == 1 else 'keep their'} evidence; delete what is not needed of them first"
        )


async def _record(context: Context, tx: Connection, action: str, file: Attachment) -> None:
    said = file.model_dump(mode="json", exclude={"name"})
    before, after = (None, said) if action.endswith("create") else (said, None)
    await audit.record(
        context, tx, action=action, kind="attachment", id=file.hash, name=file.name, before=before, after=after
    )
