"""Taking files in and deleting them, with both kinds of stores for their contents."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.errors import FilesUnavailable, NotFound
from aloi.service import attachments
from aloi.service.context import Context
from aloi.settings import Settings
from tests.attachment_files import PDF
from tests.blobs.conftest import s3, s3_server
from tests.store.backends import BACKENDS, fresh

__all__ = ["s3", "s3_server"]


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    async with fresh(request, tmp_path) as found:
        yield found


@pytest.fixture(params=["folder", "s3"])
async def context(address: str, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Context]:
    in_s3 = request.param == "s3"
    environ = request.getfixturevalue("s3") if in_s3 else {}
    place = f"s3://files/{tmp_path.name}" if in_s3 else None
    opened = await Context.open(Settings(home=tmp_path, database_url=address, attachments=place), environ)
    yield opened
    await opened.close()


async def test_a_content_is_kept_and_deleted(context: Context) -> None:
    taken = await attachments.add(context, "bill.pdf", PDF)
    assert taken.new
    assert await context.attachments.content(taken.file.hash) == PDF
    assert not (await attachments.add(context, "again.pdf", PDF)).new
    await attachments.delete(context, taken.file.hash)
    with pytest.raises(NotFound):
        await context.attachments.content(taken.file.hash)
    assert (await attachments.add(context, "bill.pdf", PDF)).new
    assert await context.attachments.content(taken.file.hash) == PDF


async def test_sending_and_deleting_at_once_leaves_a_file_whole_or_gone(context: Context) -> None:
    async def send(number: int) -> None:
        await attachments.add(context, f"{number}.txt", b"words")

    async def delete(file_hash: str) -> None:
        try:
            await attachments.delete(context, file_hash)
        except NotFound:
            return

    file_hash = (await attachments.add(context, "a.txt", b"words")).file.hash
    for _ in range(5):
        await asyncio.gather(*(send(number) for number in range(3)), *(delete(file_hash) for _ in range(2)))
        page = await attachments.page(context, 1, 10)
        if page.total:
            assert await context.attachments.content(file_hash) == b"words"


async def test_where_contents_cannot_be_stored_nothing_is_written_down(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        raise FilesUnavailable("the store is full")

    monkeypatch.setattr(type(context.blobs), "put", refuse)
    with pytest.raises(FilesUnavailable):
        await attachments.add(context, "bill.pdf", PDF)
    assert (await attachments.page(context, 1, 10)).total == 0


async def test_a_content_that_cannot_be_deleted_stays_and_the_file_is_gone(
    context: Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(*_: object) -> None:
        raise FilesUnavailable("no answer")

    file = (await attachments.add(context, "bill.pdf", PDF)).file
    monkeypatch.setattr(type(context.blobs), "delete", refuse)
    await attachments.delete(context, file.hash)
    assert "a content that is not needed any more stays" in caplog.text
    with pytest.raises(NotFound):
        await attachments.read(context, file.hash)
