"""Keys of contents, and what is looked at when one is read."""

import hashlib

import pytest

from aloi.blobs.blob import BlobKey, sound
from aloi.core.attachment import MOST_FILE_BYTES
from aloi.core.errors import NotFound


def key_of(content: bytes) -> BlobKey:
    return BlobKey(hashlib.sha256(content).hexdigest(), "01890a5d-ac96-774b-bcce-b302099a8057")


def test_a_path_says_the_hash_and_the_id() -> None:
    key = key_of(b"")
    assert key.path == f"e3/{key.hash}-01890a5d-ac96-774b-bcce-b302099a8057"


def test_a_content_is_what_its_key_says() -> None:
    assert sound(key_of(b"abc"), b"abc") == b"abc"
    with pytest.raises(NotFound, match="was altered where attachments are stored"):
        sound(key_of(b"abc"), b"abd")


def test_a_content_that_is_too_large_is_another_one() -> None:
    large = bytes(MOST_FILE_BYTES + 1)
    with pytest.raises(NotFound, match="was altered"):
        sound(key_of(large), large)
