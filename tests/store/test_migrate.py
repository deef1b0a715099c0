"""The migrations lead to the schema of this program, and back."""

import sqlite3
from pathlib import Path

from aloi.store import migrate
from aloi.store.database import Database
from aloi.store.schema import versions

Facts = dict[str, list[tuple[object, ...]]]


def facts(path: Path) -> Facts:
    """Tables with their columns, keys and indexes, whatever the words that made them."""
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
    raw.close()
    return found


def columns(raw: sqlite3.Connection, index: str) -> list[str]:
    return [row[0] for row in raw.execute(f"SELECT name FROM pragma_index_info('{index}')")]


async def test_upgrading_from_nothing_gives_the_schema_of_a_fresh_database(tmp_path: Path):
    migrate.upgrade(str(tmp_path / "migrated.db"))
    await (await Database.open(str(tmp_path / "fresh.db"))).close()
    migrated, fresh = facts(tmp_path / "migrated.db"), facts(tmp_path / "fresh.db")
    assert migrated == fresh
    assert len(fresh["tables"]) == 11


async def test_every_step_goes_down_again(tmp_path: Path):
    path = tmp_path / "a.db"
    await (await Database.open(str(path))).close()
    for version in [*reversed(versions()[:-1]), "base"]:
        migrate.downgrade(str(path), version)
    assert [name for name, _ in facts(path)["tables"]] == ["alembic_version"]


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
