"""The audit log."""

from datetime import timedelta

import pytest

from aloi.core.audit import AuditEntry
from aloi.core.errors import AloiError, InvalidInput
from aloi.core.spec import JsonObject
from aloi.store import audit
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, new_id
from tests.store.test_members import another_workspace


async def write(tx: Connection, minutes: int = 0, **fields: str | JsonObject) -> AuditEntry:
    entry = AuditEntry.model_validate(
        {
            "id": new_id(),
            "at": NOW + timedelta(minutes=minutes),
            "actor": "Ann@b.c",
            "action": "dataset.update",
            "object_kind": "dataset",
            "object_id": new_id(),
            "object_name": "data",
            **fields,
        }
    )
    await audit.insert(tx, entry)
    return entry


async def test_entries_come_back_as_they_were_newest_first(db: Database):
    async with db.transaction() as tx:
        first = await write(tx, before={"name": "é 😀", "tags": ["a", None, 1.5]}, after={})
        second = await write(tx, minutes=1)
        assert (await audit.page(tx, 1, 20)).items == (second, first)
        page = await audit.page(tx, 2, 1)
        assert (page.items, page.total, page.page, page.size) == ((first,), 2, 2, 1)


@pytest.mark.parametrize(
    ("q", "action", "found"),
    [
        ("", None, 4),
        ("ANN", None, 3),
        ("100%_", None, 1),
        ("%", None, 1),
        ("_", None, 1),
        ("!", None, 0),
        ("", "member.add", 1),
        ("", "member.", 2),
        ("", "member", 0),
        ("", "%.", 0),
        ("ann", "member.", 1),
    ],
)
async def test_filters(db: Database, q: str, action: str | None, found: int):
    async with db.transaction() as tx:
        await write(tx)
        await write(tx, object_name="100%_sure")
        await write(tx, action="member.add")
        await write(tx, action="member.remove", actor="ben@b.c")
        page = await audit.page(tx, 1, 20, q, action)
        assert (page.total, len(page.items)) == (found, found)


async def test_other_workspaces_have_their_own(db: Database):
    other = await another_workspace(db)
    async with other.transaction() as tx:
        await write(tx)
    async with db.read() as rx:
        assert (await audit.page(rx, 1, 20)).total == 0


@pytest.mark.parametrize("statement", ["DELETE FROM audit_log", "UPDATE audit_log SET actor = 'nobody'"])
async def test_it_only_grows(db: Database, statement: str):
    async with db.transaction() as tx:
        await write(tx)
    with pytest.raises(AloiError, match="append-only"):
        async with db.transaction() as tx:
            await tx.execute(statement)
    async with db.read() as rx:
        assert [entry.actor for entry in (await audit.page(rx, 1, 20)).items] == ["Ann@b.c"]


async def test_text_that_no_database_takes(db: Database):
    with pytest.raises(InvalidInput, match="surrogate"):
        async with db.transaction() as tx:
            await write(tx, after={"name": "\ud800"})


async def test_none_is_replaced_either(db: Database):
    async with db.transaction() as tx:
        await write(tx)
    replace = {
        "sqlite": "INSERT OR REPLACE INTO audit_log SELECT * FROM audit_log",
        "postgresql": "INSERT INTO audit_log SELECT * FROM audit_log ON CONFLICT (id) DO UPDATE SET actor = ''",
    }
    with pytest.raises(AloiError, match="append-only"):
        async with db.transaction() as tx:
            await tx.execute(replace[tx.dialect.name])
