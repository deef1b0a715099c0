"""Files on cases: what a case says of one, and how much there may be of them."""

import re
from base64 import b64encode
from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, Field

from aloi.core.errors import InvalidInput, StageFailure, TooLarge
from aloi.core.media_type import MediaType, is_text
from aloi.core.spec import JsonObject, Value
from aloi.core.wording import count

MEGABYTE = 1024 * 1024
MOST_FILE_BYTES = 10 * MEGABYTE
MOST_FILES = 10
# All files of a case together: a target gets them in one request, a third larger as base64.
MOST_CASE_BYTES = 25 * MEGABYTE
NAME_LENGTH = 200
# Controls (NUL, line ends), marks that turn the direction of writing, what has no width, halves of surrogate pairs.
UNSEEN = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def file_name(name: str) -> str:
    """The name of a file, looked at: it is shown to people, sent to targets, and saved under by browsers.

    Raises:
        ValueError: it is empty, too long, names a folder, or holds characters that nobody sees.
    """
    if not name.strip() or set(name) == {"."}:
        raise ValueError(f"{name!r:.100} is no name of a file; write one such as bill.pdf")
    if len(name) > NAME_LENGTH:
        raise ValueError(f"the name has {len(name)} characters, and {NAME_LENGTH} are the most; shorten it")
    if "/" in name or "\\" in name:
        raise ValueError(f"the name {name!r} has a folder in it; write the file's own name alone")
    unseen = UNSEEN.search(name)
    if unseen is not None:
        raise ValueError(f"the name {name!r} holds U+{ord(unseen[0]):04X}, which nobody sees; rename the file")
    return name


FileName = Annotated[str, AfterValidator(file_name)]
FileHash = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the content, 64 hex digits.")]


class Attachment(Value):
    """A file as a case refers to it: the content by its hash, and what targets are told of it."""

    name: FileName = Field(description="What it is called, with its ending: `bill.pdf`.")
    hash: FileHash
    media_type: MediaType = Field(description="What the content is.")
    size: int = Field(ge=1, le=MOST_FILE_BYTES, description="In bytes.")

    def content(self) -> JsonObject:
        """What of it decides what a target sees, as JSON; the size goes with the hash."""
        return {"name": self.name, "hash": self.hash, "media_type": self.media_type}


class WrittenAttachment(Value):
    """A file as people write it on a case: its hash does; what else is known of it is filled in."""

    hash: FileHash
    name: FileName | None = Field(default=None, description="What targets are told; default as it was sent first.")
    media_type: MediaType | None = Field(default=None, description="Checked, where it is given.")
    size: int | None = Field(default=None, description="Checked, where it is given.")


class AttachmentEntry(Attachment):
    """A file of a workspace, as it was sent first, with who refers to it.

    `cases`: how many cases. `runs`: how many runs froze it, and keep it for as long as they are there.
    """

    created_at: AwareDatetime
    created_by: str
    cases: int
    runs: int


class AttachedFile(Value):
    """A file with its content, as a target gets it."""

    name: str
    media_type: MediaType
    data: bytes

    @property
    def is_text(self) -> bool:
        """Whether the content is text, in UTF-8."""
        return is_text(self.media_type)

    @property
    def is_image(self) -> bool:
        """Whether the content is a picture."""
        return self.media_type.startswith("image/")

    @property
    def data_url(self) -> str:
        """The content as a `data:` address (RFC 2397)."""
        return f"data:{self.media_type};base64,{self.base64}"

    @property
    def base64(self) -> str:
        """The content in base64 (RFC 4648)."""
        return b64encode(self.data).decode()

    @property
    def told(self) -> str:
        """What a model is told before the content, `File bill.pdf (application/pdf):`; of a text, the content too."""
        heading = f"File {self.name} ({self.media_type}):"
        return f"{heading}\n{self.data.decode('utf-8-sig')}\n(End of {self.name})" if self.is_text else heading


async def no_files(file: Attachment) -> AttachedFile:
    """Where no files are stored: refuses.

    Raises:
        StageFailure: always (stage `invoke`, type `attachment`).
    """
    raise StageFailure("invoke", "attachment", f"the file {file.name} cannot be read here: no store of files is set up")


def bounded(attachments: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
    """The files of one case, looked at.

    Raises:
        ValueError: there are too many or too much of them, or two have one name.
    """
    if len(attachments) > MOST_FILES:
        raise ValueError(f"a case has {MOST_FILES} files at most, and these are {len(attachments)}; remove some")
    twice = _first_twice(file.name for file in attachments)
    if twice is not None:
        raise ValueError(f"two files are called {twice!r}; a target tells them apart by their names, so rename one")
    total = sum(file.size for file in attachments)
    if total > MOST_CASE_BYTES:
        raise ValueError(
            f"{count(len(attachments), 'file')} of {total / MEGABYTE:.1f} MB together are more than the "
            f"{MOST_CASE_BYTES // MEGABYTE} MB that a case may have; remove some"
        )
    return attachments


def _first_twice(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def check_upload(name: str, size: int) -> None:
    """Look at a file that somebody sends, before its content.

    Raises:
        InvalidInput: the name is none that can be used.
        TooLarge: it is larger than a file may be.
    """
    try:
        file_name(name)
    except ValueError as error:
        raise InvalidInput(str(error)) from error
    if size > MOST_FILE_BYTES:
        raise TooLarge(f"the file {name} has {size:,} bytes, and {MOST_FILE_BYTES:,} (10 MB) are the most; send less")
