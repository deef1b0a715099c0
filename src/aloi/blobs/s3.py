"""Contents in a bucket of S3, or of a store that speaks its protocol. Importing it imports the client for that."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, cast

from obstore import delete_async, get_async, put_async
from obstore.exceptions import BaseError
from obstore.store import S3Store

from aloi.blobs.blob import BlobKey, altered, gone, sound
from aloi.core.attachment import MOST_FILE_BYTES
from aloi.core.errors import FilesUnavailable

if TYPE_CHECKING:  # there is no such name when the program runs
    from obstore.store import S3Config

ATTEMPTS = 3
FAULTS = (BaseError, OSError)  # what is refused or cannot be reached
NO_BUCKET = "<Code>NoSuchBucket</Code>"
SECONDS = timedelta(seconds=30)
CONNECT_SECONDS = timedelta(seconds=5)
# What the usual variables say, by the client's words for it; what else there is (roles, containers) it finds itself.
VARIABLES = {
    "access_key_id": ("AWS_ACCESS_KEY_ID",),
    "secret_access_key": ("AWS_SECRET_ACCESS_KEY",),
    "session_token": ("AWS_SESSION_TOKEN",),
    "region": ("AWS_REGION", "AWS_DEFAULT_REGION"),
    "endpoint": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
}


class S3Blobs:
    """See `Blobs`."""

    def __init__(self, bucket: str, prefix: str, environ: Mapping[str, str]) -> None:
        self.name = f"the bucket {bucket}" + (f" under {prefix}" if prefix else "")
        config = _config(environ)
        self._store = S3Store(
            bucket,
            prefix=prefix or None,
            config=cast("S3Config", config),
            client_options={
                "allow_http": config.get("endpoint", "").startswith("http://"),
                "connect_timeout": CONNECT_SECONDS,
                "timeout": SECONDS,
            },
            retry_config={"max_retries": ATTEMPTS, "retry_timeout": SECONDS},
        )

    async def put(self, key: BlobKey, content: bytes) -> None:
        try:
            await put_async(self._store, key.path, content)
        except FAULTS as error:
            raise self._unavailable(error) from error

    async def get(self, key: BlobKey) -> bytes:
        try:
            found = await get_async(self._store, key.path)
            if found.meta["size"] > MOST_FILE_BYTES:
                raise altered(key)
            content = bytes(await found.bytes_async())
        except FileNotFoundError as error:
            raise (self._unavailable(error) if NO_BUCKET in str(error) else gone(key)) from error
        except FAULTS as error:
            raise self._unavailable(error) from error
        return sound(key, content)

    async def delete(self, key: BlobKey) -> None:
        try:
            await delete_async(self._store, key.path)
        except FileNotFoundError:
            return
        except FAULTS as error:
            raise self._unavailable(error) from error

    def _unavailable(self, error: Exception) -> FilesUnavailable:
        reason = str(error).partition("\n")[0][:300]
        return FilesUnavailable(
            f"{self.name}, which holds the attachments, cannot be used: {reason}; check ALOI_ATTACHMENTS and AWS_*"
        )


def _config(environ: Mapping[str, str]) -> dict[str, str]:
    found = {word: next(filter(None, map(environ.get, names)), None) for word, names in VARIABLES.items()}
    return {word: value for word, value in found.items() if value is not None}
