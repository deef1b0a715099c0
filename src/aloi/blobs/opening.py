"""The store of contents that a setting names."""

import re
from collections.abc import Mapping
from pathlib import Path

from aloi.blobs.blob import Blobs
from aloi.blobs.folder import FolderBlobs
from aloi.core.errors import InvalidInput
from aloi.plugins import module

S3 = re.compile(r"s3://(?P<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(?P<prefix>.*))?")


def open_blobs(address: str, environ: Mapping[str, str]) -> Blobs:
    """The store at an address; nothing is contacted, and no folder made.

    Args:
        address: a folder's path, or `s3://BUCKET/PREFIX`.
        environ: holds what S3 needs: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, and for a store that
            is not Amazon's `AWS_ENDPOINT_URL`.

    Raises:
        InvalidInput: it is neither, or the client for S3 is not installed.
    """
    if "://" not in address:
        return FolderBlobs(Path(address).expanduser())
    found = S3.fullmatch(address)
    if found is None:
        raise InvalidInput(
            f"ALOI_ATTACHMENTS is {address!r:.200}, which is no place for attachments; write a folder's path, or "
            "s3://BUCKET/PREFIX"
        )
    try:
        s3 = module("aloi.blobs.s3")
    except ModuleNotFoundError as error:
        raise InvalidInput(
            f"attachments in S3 need the package {error.name}, which is not installed; run: pip install 'aloi[s3]'"
        ) from error
    opened: Blobs = s3.S3Blobs(found["bucket"], (found["prefix"] or "").strip("/"), environ)
    return opened
