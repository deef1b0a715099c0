"""The schema when a database is opened."""

import subprocess
import sys
from pathlib import Path

import pytest

from aloi.core.access import FIRST_WORKSPACE
from aloi.core.errors import Conflict, StoreUnavailable
from aloi.store.codec import pack_id, pack_time
from aloi.store.database import Database
from aloi.store.engines import schema
from tests.store.samples import NOW


async def stamp(path: Path, version: str) -> None:
    db = await Database.open(str(path))
    async with db.transaction() as tx:
        await tx.execute("UPDATE alembic_version SET version_num = ?", (version,))
    await db.close()


def test_the_versions_are_numbered_without_gaps():
    assert schema.versions() == [f"{n:04}" for n in range(1, len(schema.versions()) + 1)]


async def test_a_new_database_has_the_first_workspace(db: Database):
    async with db.read() as rx:
        assert await rx.fetch("SELECT id, name FROM workspaces") == [(pack_id(FIRST_WORKSPACE), "default")]


@pytest.mark.parametrize("sql", ["UPDATE audit_log SET actor = 'me'", "DELETE FROM audit_log"])
async def test_the_audit_log_is_only_ever_added_to(db: Database, sql: str):
    async with db.transaction() as tx:
        await tx.execute(
            "INSERT INTO audit_log (id, workspace_id, at, actor, action, object_kind, object_id, object_name)"
            " VALUES (?, ?, ?, 'ann', 'run.cancel', 'run', '1', 'bot')",
            (pack_id(FIRST_WORKSPACE), tx.workspace, pack_time(NOW)),
        )
    with pytest.raises(Conflict, match="audit_log is append-only"):
        async with db.transaction() as tx:
            await tx.execute(sql)
    async with db.read() as rx:
        assert await rx.fetch("SELECT actor FROM audit_log") == [("ann",)]


async def test_a_newer_schema_is_refused(tmp_path: Path):
    await stamp(tmp_path / "a.db", "9999")
    for read_only in (False, True):
        with pytest.raises(StoreUnavailable, match=r"schema 9999, newer than this program.*upgrade aloi"):
            await Database.open(str(tmp_path / "a.db"), read_only=read_only)


async def test_a_schema_that_has_to_be_written_is_not_read_only(tmp_path: Path):
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreUnavailable, match="open it once for writing"):
        await Database.open(str(tmp_path / "empty.db"), read_only=True)


def test_neither_alembic_nor_sqlalchemy_is_imported_to_create_a_database(tmp_path: Path):
    program = f"""
import asyncio, sys
from aloi.store import cases, database, datasets, result_pages, results, revisions, runs, targets
db = asyncio.run(database.Database.open({str(tmp_path / "a.db")!r}))
print(sorted(name for name in ("alembic", "sqlalchemy") if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=20)
    assert (done.stdout, done.stderr) == ("[]\n", "")
    assert (tmp_path / "a.db").exists()
