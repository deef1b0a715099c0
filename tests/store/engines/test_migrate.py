"""The migrations lead to the schema of this program, and back."""

import sqlite3
from pathlib import Path

import pytest

from aloi.core.errors import StoreUnavailable
from aloi.store.database import Database
from aloi.store.engines import migrate
from aloi.store.engines.schema import versions

FIRST_SCHEMA = Path(__file__).with_name("schema_0001.sql")
Facts = dict[str, list[tuple[object, ...]]]


def facts(path: Path) -> Facts:
    """Tables with their columns, keys, indexes and triggers, whatever the words that made them."""
    raw = sqlite3.connect(path)
    tables = raw.execute("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY 1").fetchall()
    found: Facts = {"tables": [row for row in tables if not row[0].startswith("sqlite_")]}
    for name, _ in found["tables"]:
        found[f"{name} columns"] = raw.execute(f"PRAGMA table_xinfo({name})").fetchall()
        found[f"{name} references"] = sorted(row[2:] for row in raw.execute(f"PRAGMA foreign_key_list({name})"))
        indexes = raw.execute(f"SELECT name, \"unique\", origin FROM pragma_index_list('{name}')").fetchall()
        found[f"{name} indexes"] = sorted(
            (unique, origin, "" if index.startswith("sqlite_") else index, *map(str, columns(raw, index)))
            for index, unique, origin in indexes
        )
    found["triggers"] = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY 1").fetchall()
    raw.close()
    return found


def columns(raw: sqlite3.Connection, index: str) -> list[str]:
    return [row[0] for row in raw.execute(f"SELECT name FROM pragma_index_info('{index}')")]


async def test_upgrading_from_nothing_gives_the_schema_of_a_fresh_database(tmp_path: Path):
    migrate.upgrade(str(tmp_path / "migrated.db"))
    await (await Database.open(str(tmp_path / "fresh.db"))).close()
    migrated, fresh = facts(tmp_path / "migrated.db"), facts(tmp_path / "fresh.db")
    assert migrated == fresh
    assert len(fresh["tables"]) > 33


async def test_every_step_goes_down_again(tmp_path: Path):
    path = tmp_path / "a.db"
    await (await Database.open(str(path))).close()
    for version in [*reversed(versions()[:-1]), "base"]:
        migrate.downgrade(str(path), version)
    assert [name for name, _ in facts(path)["tables"]] == ["alembic_version"]


@pytest.mark.parametrize("version", versions())
async def test_going_down_gives_what_going_up_gave(tmp_path: Path, version: str):
    migrate.upgrade(str(tmp_path / "up.db"), version)
    migrate.upgrade(str(tmp_path / "down.db"))
    migrate.downgrade(str(tmp_path / "down.db"), version)
    assert facts(tmp_path / "down.db") == facts(tmp_path / "up.db")


@pytest.mark.parametrize("version", versions())
async def test_going_down_from_a_fresh_database_gives_it_too(tmp_path: Path, version: str):
    migrate.upgrade(str(tmp_path / "up.db"), version)
    await (await Database.open(str(tmp_path / "down.db"))).close()
    migrate.downgrade(str(tmp_path / "down.db"), version)
    assert facts(tmp_path / "down.db") == facts(tmp_path / "up.db")


async def test_a_file_of_the_first_program_is_migrated(tmp_path: Path):
    path, fresh = tmp_path / "a.db", tmp_path / "fresh.db"
    raw = sqlite3.connect(path)
    raw.executescript(FIRST_SCHEMA.read_text())
    raw.execute("INSERT INTO alembic_version VALUES ('0001')")
    raw.commit()
    raw.close()
    for file in (path, fresh):
        await (await Database.open(str(file))).close()
    assert facts(path) == facts(fresh)


async def test_a_file_with_rows_that_refer_to_nothing_is_left_as_it_is(tmp_path: Path):
    path = tmp_path / "a.db"
    migrate.upgrade(str(path), "0001")
    raw = sqlite3.connect(path)
    raw.execute("INSERT INTO cases VALUES (x'01', x'02', 0, 'a', 1, 'ready', '{}')")
    raw.commit()
    before = facts(path)
    with pytest.raises(
        StoreUnavailable, match=r"table cases refers to one of datasets that is gone; nothing was changed"
    ):
        await Database.open(str(path))
    assert facts(path) == before
    raw.close()


async def test_opening_migrates_an_older_database(tmp_path: Path):
    path, fresh = tmp_path / "a.db", tmp_path / "fresh.db"
    for file in (path, fresh):
        await (await Database.open(str(file))).close()
    migrate.downgrade(str(path), "base")
    db = await Database.open(str(path))
    async with db.read() as rx:
        assert await rx.fetch("SELECT version_num FROM alembic_version") == [(versions()[-1],)]
    await db.close()
    assert facts(path) == facts(fresh)
