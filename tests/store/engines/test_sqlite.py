"""SQLite itself: real files, two connections to one, a second process, a full disk."""

import asyncio
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from aloi.core.errors import Conflict, InvalidInput, StoreUnavailable
from aloi.store import datasets
from aloi.store.database import Database
from aloi.store.engines.sqlite import IDLE_READERS
from tests.store.samples import a_dataset, bulk


async def opened(folder: Path, read_only: bool = False) -> Database:
    return await Database.open(str(folder / "aloi.db"), read_only=read_only, lock_seconds=0.05)


async def names(db: Database) -> list[str]:
    async with db.read() as rx:
        return [entry.dataset.name for entry in await datasets.listing(rx)]


async def add(db: Database, name: str) -> None:
    async with db.transaction() as tx:
        await a_dataset(tx, name)


async def test_every_connection_has_our_settings(tmp_path: Path):
    db = await opened(tmp_path)
    for block in (db.transaction(), db.read()):
        async with block as connection:
            wanted = {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 50}
            for pragma, value in wanted.items():
                assert await connection.fetch(f"PRAGMA {pragma}") == [(value,)]
    await db.close()


async def test_foreign_keys_are_enforced(tmp_path: Path):
    db = await opened(tmp_path)
    with pytest.raises(Conflict, match="FOREIGN KEY"):
        async with db.transaction() as tx:
            row = (b"1" * 16, b"2" * 16, 0, "k", 1, "ready", "{}")
            await tx.execute("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    await db.close()


async def test_two_databases_on_one_file_wait_for_each_other_and_see_what_is_committed(tmp_path: Path):
    one, two = await opened(tmp_path), await opened(tmp_path)
    async with one.transaction() as tx:
        await a_dataset(tx, "first")
        assert await names(two) == []
        with pytest.raises(StoreUnavailable, match="locked too long by another process"):
            await add(two, "second")
    await add(two, "second")
    assert await names(one) == await names(two) == ["first", "second"]
    await one.close()
    await two.close()


async def test_many_open_a_fresh_file_at_once(tmp_path: Path):
    async def one_more(number: int) -> None:
        db = await Database.open(str(tmp_path / "aloi.db"))
        await add(db, f"dataset {number}")
        await db.close()

    await asyncio.gather(*(one_more(number) for number in range(8)))
    db = await opened(tmp_path)
    assert len(await names(db)) == 8
    await db.close()


async def test_a_second_process_waits_for_the_first_and_both_writes_stay(tmp_path: Path):
    program = f"""
import asyncio
from aloi.store.database import Database
from tests.store.engines.test_sqlite import add
async def main():
    db = await Database.open({str(tmp_path / "aloi.db")!r})
    print("ready", flush=True)
    await add(db, "theirs")
    await db.close()
asyncio.run(main())
"""
    db = await opened(tmp_path)
    root = Path(__file__).parents[3]
    async with db.transaction() as tx:
        await a_dataset(tx, "ours")
        other = subprocess.Popen([sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None and await asyncio.to_thread(other.stdout.readline) == "ready\n"
        await asyncio.sleep(0.05)
        assert other.poll() is None
    assert await asyncio.to_thread(other.wait, 10) == 0
    other.stdout.close()
    assert await names(db) == ["ours", "theirs"]
    await db.close()


async def test_a_full_disk_undoes_the_transaction_and_it_goes_on_afterwards(tmp_path: Path):
    db = await opened(tmp_path)
    await add(db, "before")
    async with db.transaction() as tx:
        [(pages,)] = await tx.fetch("PRAGMA page_count")
        await tx.fetch(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreUnavailable, match=r"aloi\.db is full.*free some space"):
        async with db.transaction() as tx:
            await a_dataset(tx, "too large", bulk(500, 300))
    assert await names(db) == ["before"]
    async with db.transaction() as tx:
        await tx.fetch("PRAGMA max_page_count = 1000000")
    await add(db, "then")
    assert await names(db) == ["before", "then"]
    await db.close()


def test_a_file_size_limit_is_told_and_what_was_committed_stays(tmp_path: Path):
    program = f"""
import asyncio, resource
from aloi.core.errors import StoreUnavailable
from aloi.store.database import Database
from tests.store.samples import a_dataset, bulk
from tests.store.engines.test_sqlite import add, names
async def main():
    db = await Database.open({str(tmp_path / "aloi.db")!r})
    await add(db, "before")
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    try:
        async with db.transaction() as tx:
            await a_dataset(tx, "large", bulk(3000, 1000))
    except StoreUnavailable as error:
        print(error)
    print(await names(db))
asyncio.run(main())
"""
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=30)
    assert "full" in done.stdout and done.stdout.endswith("['before']\n"), done.stderr


@pytest.mark.parametrize("address", ["{}", "file:{}?mode=ro", "sqlite+aiosqlite:///{}?mode=ro"])
async def test_a_read_only_database_is_read_and_not_written(tmp_path: Path, address: str):
    db = await opened(tmp_path)
    await add(db, "there")
    reader = await Database.open(address.format(tmp_path / "aloi.db"), read_only=address == "{}")
    assert reader.read_only and await names(reader) == ["there"]
    with pytest.raises(StoreUnavailable, match=r"opened read-only.*without mode=ro"):
        await add(reader, "more")
    async with reader.read() as rx:
        with pytest.raises(StoreUnavailable, match="can only be read"):
            await rx.execute("DELETE FROM datasets")
    await reader.close()
    await db.close()


async def test_what_cannot_be_opened_is_told(tmp_path: Path):
    (tmp_path / "noise.db").write_bytes(b"this is no database, whatever its name says" * 100)
    (tmp_path / "file").touch()
    faults = {"noise.db": "not a SQLite database", ".": "cannot be opened", "file/a.db": "another place"}
    for path, said in faults.items():
        with pytest.raises(StoreUnavailable, match=said):
            await Database.open(str(tmp_path / path))
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        await Database.open(str(tmp_path / "missing.db"), read_only=True)


async def test_a_damaged_file_is_told(tmp_path: Path):
    db = await opened(tmp_path)
    async with db.transaction() as tx:
        await a_dataset(tx, "large", bulk(300, 300))
    await db.close()
    path = tmp_path / "aloi.db"
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(StoreUnavailable, match="is damaged; restore it"):
        broken = await opened(tmp_path)
        try:
            await names(broken)
        finally:
            await broken.close()


async def test_a_new_folder_is_its_owners_alone_and_an_old_one_left_as_it_is(tmp_path: Path):
    tmp_path.chmod(0o755)
    for folder in (tmp_path, tmp_path / "home"):
        await (await opened(folder)).close()
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (tmp_path, tmp_path / "home")] == [0o755, 0o700]


async def test_folders_are_made_and_odd_names_taken(tmp_path: Path):
    db = await Database.open(str(tmp_path / "new" / "a b%20#?.db"))
    await add(db, "x")
    await db.close()
    assert (tmp_path / "new" / "a b%20#?.db").exists()


async def test_text_and_numbers_that_sqlite_does_not_take_are_bad_input(tmp_path: Path):
    db = await opened(tmp_path)
    async with db.read() as rx:
        with pytest.raises(InvalidInput, match="lone surrogates"):
            await rx.fetch("SELECT ?", ("\ud800",))
        with pytest.raises(InvalidInput, match="64 bits"):
            await rx.fetch("SELECT ?", (2**63,))
        assert await rx.fetch("SELECT ?", ("a\x00b",)) == [("a\x00b",)]
    await db.close()


async def test_more_readers_than_are_kept(tmp_path: Path):
    db = await opened(tmp_path)

    async def read() -> int:
        async with db.read() as rx:
            await asyncio.sleep(0.01)
            return len(await rx.fetch("SELECT 1"))

    assert await asyncio.gather(*(read() for _ in range(3 * IDLE_READERS))) == [1] * (3 * IDLE_READERS)
    await db.close()
