"""Contents in a bucket: against a server that speaks S3."""

from uuid import uuid4

import pytest

from aloi.blobs.s3 import S3Blobs
from aloi.core.attachment import MOST_FILE_BYTES
from aloi.core.errors import FilesUnavailable, NotFound
from tests.blobs.test_blob import key_of

CONTENT = b"the content"
KEY = key_of(CONTENT)


@pytest.fixture
def blobs(s3: dict[str, str]) -> S3Blobs:
    return S3Blobs("files", f"aloi/{uuid4()}", s3)


async def test_the_largest_file(blobs: S3Blobs) -> None:
    large = bytes(MOST_FILE_BYTES)
    await blobs.put(key_of(large), large)
    assert await blobs.get(key_of(large)) == large


async def test_prefixes_keep_apart(blobs: S3Blobs, s3: dict[str, str]) -> None:
    await blobs.put(KEY, CONTENT)
    with pytest.raises(NotFound, match="is gone"):
        await S3Blobs("files", "elsewhere", s3).get(KEY)
    assert await S3Blobs("files", blobs.name.partition(" under ")[2], s3).get(KEY) == CONTENT


async def test_a_content_that_was_altered_is_not_given(blobs: S3Blobs) -> None:
    await blobs.put(KEY, b"another")
    with pytest.raises(NotFound, match="was altered"):
        await blobs.get(KEY)
    await blobs.put(KEY, bytes(MOST_FILE_BYTES + 1))
    with pytest.raises(NotFound, match="was altered"):
        await blobs.get(KEY)


async def test_a_bucket_that_is_not_there(s3: dict[str, str]) -> None:
    blobs = S3Blobs("no-such-bucket", "", s3)
    with pytest.raises(
        FilesUnavailable, match=r"the bucket no-such-bucket, which holds the attachments.*check ALOI_ATT"
    ):
        await blobs.put(KEY, CONTENT)


async def test_a_server_that_is_not_there(s3: dict[str, str]) -> None:
    blobs = S3Blobs("files", "", {**s3, "AWS_ENDPOINT_URL": "http://127.0.0.1:9"})
    with pytest.raises(FilesUnavailable):
        await blobs.get(KEY)


def test_no_secret_is_in_its_name(blobs: S3Blobs) -> None:
    assert blobs.name.startswith("the bucket files under aloi/")
