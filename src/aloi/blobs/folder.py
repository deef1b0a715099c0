"""Contents in a folder of this machine."""

import asyncio
import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from aloi.blobs.blob import BlobKey, gone, sound
from aloi.core.attachment import MOST_FILE_BYTES
from aloi.core.errors import FilesUnavailable

BEGUN = ".part"


class FolderBlobs:
    """See `Blobs`. The folder is made with the first content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        return f"the folder {self._folder}"

    async def put(self, key: BlobKey, content: bytes) -> None:
        await asyncio.to_thread(self._write, key, content)

    async def get(self, key: BlobKey) -> bytes:
        return sound(key, await asyncio.to_thread(self._read, key))

    async def delete(self, key: BlobKey) -> None:
        await asyncio.to_thread(self._delete, key)

    def _write(self, key: BlobKey, content: bytes) -> None:
        """Write beside, then rename: who reads sees nothing or all, also after a crash."""
        path = self._folder / key.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=path.parent, suffix=BEGUN, delete=False) as file:
                begun = Path(file.name)
                try:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    begun.unlink(missing_ok=True)
                    raise
            begun.replace(path)
        except OSError as error:
            raise self._unavailable(error) from error

    def _read(self, key: BlobKey) -> bytes:
        try:
            with (self._folder / key.path).open("rb") as file:
                return file.read(MOST_FILE_BYTES + 1)
        except FileNotFoundError as error:
            raise gone(key) from error
        except OSError as error:
            raise self._unavailable(error) from error

    def _delete(self, key: BlobKey) -> None:
        try:
            (self._folder / key.path).unlink(missing_ok=True)
        except OSError as error:
            raise self._unavailable(error) from error

    def _unavailable(self, error: OSError) -> FilesUnavailable:
        return FilesUnavailable(f"{self.name}, which holds the attachments, cannot be used: {error.strerror or error}")
