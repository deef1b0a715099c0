"""Files as cases name them: held against what the workspace has, and against what a target takes."""

from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping

from pydantic import JsonValue

from aloi.core.attachment import Attachment
from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.core.media_type import are_alike, media_type_named
from aloi.core.misfit import Misplaced, pointer
from aloi.core.spec import JsonObject
from aloi.core.target import Target
from aloi.core.wording import count
from aloi.service.checks import refuse
from aloi.service.evaluators import NAMED
from aloi.store import attachments as stored
from aloi.store.attachments import StoredFile
from aloi.store.connection import Connection
from aloi.store.narrowing import whole

FIELD = "attachments"
ABSENT = "the workspace has no file of this hash; send the file first"


async def filled(rx: Connection, fields: JsonObject, seen: frozenset[str] = frozenset()) -> JsonObject:
    """The fields of a case in which each file is named by its hash, with what is known of the files written in.

    A file that has no name is called as it was when it was sent first.

    Args:
        seen: hashes of files that the caller is shown in another place.

    Raises:
        Misfit: the workspace has no such file, or what is said of it does not fit it.
    """
    given = fields.get(FIELD)
    if not isinstance(given, list | tuple):
        return fields
    files = [dict(item) for item in given if isinstance(item, dict)]
    # What `seen` names is shown to the caller anyway; of all else, knowing a hash is not having the file.
    hashes = [str(file.get("hash")) for file in files]
    known = await stored.stored(rx, hashes) | await stored.stored(whole(rx), seen.intersection(hashes))
    faults: list[Misplaced] = []
    for index, file in enumerate(files):
        found = known.get(str(file["hash"]))
        reason = ABSENT if found is None else _complete(file, found)
        if reason is not None:
            faults.append(Misplaced(pointer((FIELD, index)), reason))
    refuse(faults)
    return {**fields, FIELD: list[JsonValue](files)}


def _complete(file: JsonObject, found: StoredFile) -> str | None:
    """Write into a file what is not said of it; what is wrong with what is said, or null."""
    name = file.get("name") or found.file.name
    said: JsonObject = {
        "name": name,
        "media_type": media_type_named(str(name), found.file.media_type),
        "size": found.file.size,
    }
    file.update({key: value for key, value in said.items() if file.get(key) is None})
    file["name"] = name
    try:
        return _misfit(Attachment.model_validate(file), found)
    except ValueError:
        return None  # it is told, field by field, when the case is built


def _misfit(file: Attachment, found: StoredFile) -> str | None:
    if file.size != found.file.size:
        return f"the file has {found.file.size:,} bytes, not {file.size:,}; leave the size out"
    if not are_alike(file.media_type, found.file.media_type):
        return f"the file is {found.file.media_type}, not {file.media_type}; leave the media_type out"
    return None


async def attached(rx: Connection, cases: AsyncIterable[Case]) -> AsyncIterator[Case]:
    """The cases as they come, each with files that the workspace has.

    Raises:
        InvalidInput: a file is none of the workspace's, or is not what the case says; case and file are named.
    """
    known: dict[str, StoredFile] = {}
    async for case in cases:
        if case.attachments:
            missing = {file.hash for file in case.attachments} - known.keys()
            if missing:
                known |= await stored.stored(rx, missing)
            for fault in _faults(case, known):
                raise InvalidInput(fault)
        yield case


def _faults(case: Case, known: Mapping[str, StoredFile]) -> Iterator[str]:
    for file in case.attachments:
        found = known.get(file.hash)
        reason = ABSENT if found is None else _misfit(file, found)
        if reason is not None:
            yield f"case {case.key!r}: its file {file.name} ({file.hash[:12]}…): {reason}"


class AttachmentCheck:
    """Looks at every case before a run starts: files that never reach the target would be graded as if they had."""

    def __init__(self, target: Target) -> None:
        self._refusal = target.refuses_attachments()
        self._named: list[str] = []
        self._number = 0

    def look_at(self, case: Case) -> None:
        """Take one case in."""
        if self._refusal is not None and case.attachments:
            self._number += 1
            if self._number <= NAMED:
                self._named.append(case.key)

    def conclude(self) -> None:
        """Refuse cases whose files would not reach the target.

        Raises:
            InvalidInput: there are some; up to 20 are named.
        """
        if self._number:
            more = self._number - len(self._named)
            others = f" and {count(more, 'other')}" if more else ""
            raise InvalidInput(
                f"there are cases with files, and {self._refusal}: {', '.join(self._named)}{others}; remove the files, "
                "leave these cases out, or choose a target that takes files"
            )
