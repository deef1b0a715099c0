"""The store that a setting names; what every one of them does."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from aloi.blobs.blob import Blobs
from aloi.blobs.folder import FolderBlobs
from aloi.blobs.opening import open_blobs
from aloi.core.errors import InvalidInput, NotFound
from tests.blobs.test_blob import key_of

STORES = pytest.mark.parametrize("store", ["folder", "s3"])


@pytest.fixture
def blobs(store: str, tmp_path: Path, request: pytest.FixtureRequest) -> Blobs:
    if store == "folder":
        return open_blobs(str(tmp_path / "attachments"), {})
    return open_blobs(f"s3://files/{uuid4()}/", request.getfixturevalue("s3"))


@STORES
async def test_what_is_put_is_got_and_deleted(blobs: Blobs) -> None:
    content = "Grüße\0\xff".encode("latin-1")
    key = key_of(content)
    await blobs.put(key, content)
    await blobs.put(key, content)
    assert await blobs.get(key) == content
    await blobs.delete(key)
    with pytest.raises(NotFound, match=f"gone from where attachments are stored .{key.path}.; send the file again"):
        await blobs.get(key)
    await blobs.delete(key)


@STORES
async def test_one_content_under_two_ids_is_two(blobs: Blobs) -> None:
    key = key_of(b"a")
    other = key._replace(id="01890a5d-ac96-774b-bcce-b302099a8058")
    await blobs.put(key, b"a")
    await blobs.put(other, b"a")
    await blobs.delete(key)
    assert await blobs.get(other) == b"a"


@pytest.mark.parametrize("address", ["s3://", "s3://A_B/x", "gs://bucket", "https://example.org/x", "s3:///x"])
def test_what_is_no_place(address: str) -> None:
    with pytest.raises(InvalidInput, match=r"ALOI_ATTACHMENTS is .* no place for attachments; write a folder's path"):
        open_blobs(address, {})


def test_a_home_is_expanded() -> None:
    assert open_blobs("~/files", {}).name == f"the folder {Path.home() / 'files'}"
    assert isinstance(open_blobs("relative", {}), FolderBlobs)


def test_without_the_client_for_s3(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: str) -> Any:
        raise ModuleNotFoundError("No module named 'obstore'", name="obstore")

    monkeypatch.setattr("aloi.blobs.opening.module", absent)
    with pytest.raises(InvalidInput, match=r"need the package obstore, which is not installed; run: pip install"):
        open_blobs("s3://files", {})
