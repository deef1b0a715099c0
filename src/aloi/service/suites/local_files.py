"""Files of this machine that the cases of a suite name by their paths."""

import hashlib
from pathlib import Path

from pydantic import JsonValue

from aloi.core.attachment import MOST_FILE_BYTES, Attachment, check_upload
from aloi.core.errors import AloiError, InvalidInput
from aloi.core.media_type import media_type_of
from aloi.core.spec import JsonObject
from aloi.service.files.faults import Fault, FieldPath

FIELD = "attachments"


class LocalFiles:
    """Reads the files that cases name; `found` has their paths, by the hashes of their contents.

    Args:
        folder: from where their paths start; null leaves them unread and out.
    """

    def __init__(self, folder: Path | None) -> None:
        self.found: dict[str, Path] = {}
        self._folder = folder

    def resolved(self, fields: JsonObject, path: FieldPath, faults: list[Fault]) -> JsonObject:
        """The fields of a case with what is known of a file in the place of each path.

        Args:
            path: of the case in the document.
            faults: what is wrong with a file is added here.
        """
        given = fields.get(FIELD)
        if not isinstance(given, list):
            return fields
        files: list[JsonValue] = []
        for index, item in enumerate(given):
            if not isinstance(item, str):
                files.append(item)
                continue
            try:
                files += [] if self._folder is None else [self._reference(self._folder / item)]
            except AloiError as error:
                faults.append(Fault((*path, FIELD, index), str(error)))
        return {**fields, FIELD: files}

    def _reference(self, path: Path) -> JsonObject:
        content = read_file(path)
        digest = hashlib.sha256(content).hexdigest()
        media_type = media_type_of(path.name, content)
        self.found[digest] = path
        return Attachment(name=path.name, hash=digest, media_type=media_type, size=len(content)).model_dump(mode="json")


def read_file(path: Path) -> bytes:
    """The content of a file that may become an attachment.

    Raises:
        InvalidInput: it cannot be read, or its name cannot be used.
        TooLarge: it is larger than a file may be.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_FILE_BYTES + 1)
    except OSError as error:
        raise InvalidInput(f"the file {path} cannot be read: {error.strerror or error}") from error
    check_upload(path.name, len(content))
    return content
