"""The files of a workspace, and who refers to them."""

from datetime import UTC, datetime

import pytest

from aloi.core.attachment import Attachment
from aloi.core.case import Case
from aloi.core.errors import Conflict
from aloi.store import attachments, cases, revisions
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.attachment_files import attachment
from tests.store.samples import a_dataset, by_id, new_id

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BLOB = "01890a5d-ac96-774b-bcce-b302099a8057"


async def insert(tx: Connection, file: Attachment, blob_id: str = BLOB, minute: int = 0) -> bool:
    return await attachments.insert(tx, file, blob_id, "ada", NOW.replace(minute=minute))


async def test_a_file_is_there_once(db: Database) -> None:
    file = attachment()
    async with db.transaction() as tx:
        assert await insert(tx, file)
        assert not await insert(tx, file.model_copy(update={"name": "other.pdf"}), new_id())
    async with db.read() as rx:
        assert await attachments.stored(rx, [file.hash, "b" * 64]) == {file.hash: attachments.StoredFile(file, BLOB)}
        assert await attachments.stored(rx, []) == {}
        found = await attachments.entry(rx, file.hash)
    assert found is not None
    assert (found.name, found.created_by, found.created_at, found.cases, found.runs) == ("bill.pdf", "ada", NOW, 0, 0)


async def test_a_content_moves_only_from_where_it_was_thought_to_be(db: Database) -> None:
    file, place = attachment(), new_id()
    async with db.transaction() as tx:
        await insert(tx, file)
        assert not await attachments.move(tx, file.hash, None, place)
        assert not await attachments.move(tx, file.hash, new_id(), place)
        assert await attachments.move(tx, file.hash, BLOB, place)
        held = await attachments.hold(tx, file.hash)
        assert held is not None
        assert held.blob_id == place
        assert await attachments.hold(tx, "b" * 64) is None


async def test_cases_refer_to_files_that_are_there(db: Database) -> None:
    file = attachment()
    case = Case(id=new_id(), key="a", input="x", attachments=(file,))
    with pytest.raises(Conflict):
        async with db.transaction() as tx:
            made = await a_dataset(tx)
            await cases.insert(tx, made.id, case)
    async with db.transaction() as tx:
        made = await a_dataset(tx)
        await insert(tx, file)
        await cases.insert(tx, made.id, case)
    with pytest.raises(Conflict):
        async with db.transaction() as tx:
            await attachments.delete(tx, file.hash)
    async with db.transaction() as tx:
        await cases.update(tx, made.id, case.model_copy(update={"attachments": ()}))
        await attachments.delete(tx, file.hash)
        assert await attachments.entry(tx, file.hash) is None


async def test_what_was_frozen_goes_with_the_file(db: Database) -> None:
    file = attachment()
    case = Case(id=new_id(), key="a", input="x", attachments=(file,))
    async with db.transaction() as tx:
        made = await a_dataset(tx)
        await insert(tx, file)
        await cases.insert(tx, made.id, case)
        first = await revisions.freeze(tx, made, (), by_id([case]), new_id, NOW)
        assert (await revisions.case(tx, first.id, "a")).attachments == (file,)
        await cases.delete(tx, made.id, case.id)
        await attachments.delete(tx, file.hash)  # no run refers to the revision
        await insert(tx, file)
        again = await revisions.freeze(tx, made, (), by_id([case]), new_id, NOW)
        assert again == first


async def test_pages(db: Database) -> None:
    async with db.transaction() as tx:
        for number, name in enumerate(["bill.pdf", "note.txt", "rows.csv"]):
            await insert(tx, attachment(name, f"{number:064x}"), new_id(), number)
        page = await attachments.page(tx, 1, 2, "", unused=True)
        assert (page.total, [file.name for file in page.items]) == (3, ["rows.csv", "note.txt"])
        page = await attachments.page(tx, 2, 2, "", unused=False)
        assert [file.name for file in page.items] == ["bill.pdf"]
        assert [file.name for file in (await attachments.page(tx, 1, 9, "NOTE", unused=False)).items] == ["note.txt"]
