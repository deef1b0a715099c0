"""Contents in a folder of this machine."""

import asyncio
from pathlib import Path

import pytest

from aloi.blobs.folder import FolderBlobs
from aloi.core.errors import FilesUnavailable, NotFound
from tests.blobs.test_blob import key_of

CONTENT = b"the content"
KEY = key_of(CONTENT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "attachments"


async def test_the_folder_is_made_with_the_first_content(folder: Path) -> None:
    blobs = FolderBlobs(folder)
    with pytest.raises(NotFound, match="is gone from where attachments are stored"):
        await blobs.get(KEY)
    assert not folder.exists()
    await blobs.put(KEY, CONTENT)
    assert [path.name for path in folder.rglob("*-*")] == [KEY.path[3:]]


async def test_a_content_that_is_half_written_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FilesUnavailable, match="No space left on device"):
        await FolderBlobs(folder).put(KEY, CONTENT)
    assert [path for path in folder.rglob("*") if path.is_file()] == []


async def test_several_write_one_content_at_once(folder: Path) -> None:
    blobs = FolderBlobs(folder)
    await asyncio.gather(*(blobs.put(KEY, CONTENT) for _ in range(8)))
    assert await blobs.get(KEY) == CONTENT
    assert len([path for path in folder.rglob("*") if path.is_file()]) == 1


@pytest.mark.parametrize("damage", [b"", b"the other content", CONTENT + b"\0"])
async def test_a_content_that_was_altered_is_not_given(folder: Path, damage: bytes) -> None:
    blobs = FolderBlobs(folder)
    await blobs.put(KEY, CONTENT)
    (folder / KEY.path).write_bytes(damage)
    with pytest.raises(NotFound, match="was altered"):
        await blobs.get(KEY)


async def test_where_the_folder_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    blobs = FolderBlobs(tmp_path / "file")
    with pytest.raises(FilesUnavailable, match="which holds the attachments, cannot be used"):
        await blobs.put(KEY, CONTENT)
    with pytest.raises(FilesUnavailable):
        await blobs.get(KEY)
