"""What a store of contents is asked: three verbs on bytes that never change."""

import hashlib
from typing import NamedTuple, Protocol

from aloi.core.attachment import MOST_FILE_BYTES
from aloi.core.errors import NotFound


class BlobKey(NamedTuple):
    """Where a content is: its SHA-256 as 64 hex digits, and an id of its own.

    With the id, a content that is deleted and one that is stored anew at the same time are two, and neither harms the
    other.
    """

    hash: str
    id: str

    @property
    def path(self) -> str:
        """`ab/abcd…-<id>`: spread over 256 folders, and to be checked by its name."""
        return f"{self.hash[:2]}/{self.hash}-{self.id}"


class Blobs(Protocol):
    """A store of contents. Every verb raises `FilesUnavailable` when it cannot be used."""

    @property
    def name(self) -> str:
        """Where it is, for messages; never with a secret."""
        ...

    async def put(self, key: BlobKey, content: bytes) -> None:
        """Store a content: whole, or not at all."""
        ...

    async def get(self, key: BlobKey) -> bytes:
        """A content, checked to be what was stored.

        Raises:
            NotFound: it is gone, or is another one now.
        """
        ...

    async def delete(self, key: BlobKey) -> None:
        """Delete a content; one that is gone is no fault."""
        ...


def gone(key: BlobKey) -> NotFound:
    """The error for a content that is not there."""
    return NotFound(f"the content is gone from where attachments are stored ({key.path}); send the file again")


def altered(key: BlobKey) -> NotFound:
    """The error for a content that is another one now."""
    return NotFound(
        f"the content was altered where attachments are stored ({key.path}): it is not what its hash says; send the "
        "file again"
    )


def sound(key: BlobKey, content: bytes) -> bytes:
    """The content, when it is what its key says.

    Raises:
        NotFound: it is not.
    """
    if len(content) > MOST_FILE_BYTES or hashlib.sha256(content).hexdigest() != key.hash:
        raise altered(key)
    return content
