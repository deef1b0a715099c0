"""The contents of a workspace's files, for whoever may see them and for targets."""

import logging
from dataclasses import dataclass

from aloi.blobs.blob import BlobKey, Blobs
from aloi.core.attachment import AttachedFile, Attachment
from aloi.core.errors import FilesUnavailable, NotFound, StageFailure
from aloi.store import attachments as stored
from aloi.store.database import Database

log = logging.getLogger("aloi.service")


def key_of(file: stored.StoredFile) -> BlobKey:
    """Where the content of a file is."""
    return BlobKey(file.file.hash, file.blob_id)


def absent(file_hash: str) -> NotFound:
    """The error for a file that the workspace has not."""
    return NotFound(f"there is no file {file_hash[:12]}… in this workspace; send it first")


@dataclass(frozen=True)
class AttachmentReader:
    """Reads files of the workspace from which the database is seen, and of no other."""

    database: Database
    blobs: Blobs

    async def content(self, file_hash: str) -> bytes:
        """The content of a file.

        Raises:
            NotFound: the workspace has no such file, or its content is gone or was altered.
            FilesUnavailable: contents cannot be read now.
        """
        async with self.database.read() as rx:
            found = await stored.stored(rx, [file_hash])
        if file_hash not in found:
            raise absent(file_hash)
        return await self.blobs.get(key_of(found[file_hash]))

    async def for_target(self, file: Attachment) -> AttachedFile:
        """A file with its content, as a target gets it.

        Raises:
            StageFailure: it cannot be read (stage `invoke`, type `attachment`), which is an error of the case.
        """
        try:
            data = await self.content(file.hash)
        except NotFound as error:
            raise StageFailure("invoke", "attachment", f"the file {file.name} cannot be read: {error}") from error
        except FilesUnavailable as error:
            # Where things are stored is for the operator, who reads the log.
            log.error("the file %s (%s) cannot be read: %s", file.name, file.hash, error)
            message = f"the file {file.name} cannot be read now; retry the errors when files can be read again"
            raise StageFailure("invoke", "attachment", message) from error
        return AttachedFile(name=file.name, media_type=file.media_type, data=data)
