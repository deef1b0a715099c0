"""PostgreSQL itself: what it does not take, connections that are lost, rights, a server that stops."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
from pydantic import JsonValue

from aloi.core.errors import Conflict, InvalidInput, StoreUnavailable
from aloi.core.outcome import Outcome
from aloi.store import datasets, result_pages, results
from aloi.store.database import Database
from aloi.store.engines.postgres import READERS, numbered
from tests.postgres_server import PostgresServer, serve
from tests.store.samples import HASH, NOW, a_dataset, a_run, a_version, some_cases


@pytest.fixture
async def db(postgres_url: str) -> AsyncIterator[Database]:
    """A new database, opened."""
    database = await Database.open(postgres_url)
    yield database
    await database.close()


async def names(db: Database) -> list[str]:
    async with db.read() as rx:
        return [entry.dataset.name for entry in await datasets.listing(rx)]


async def add(db: Database, name: str) -> None:
    async with db.transaction() as tx:
        await a_dataset(tx, name)


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("SELECT ?, ? FROM t", "SELECT $1, $2 FROM t"),
        ("SELECT '?', 'it''s ?', \"a?\" WHERE a = ?", "SELECT '?', 'it''s ?', \"a?\" WHERE a = $1"),
        ("SELECT 1", "SELECT 1"),
        ("x LIKE ? ESCAPE '!' AND y = ?", "x LIKE $1 ESCAPE '!' AND y = $2"),
    ],
)
def test_parameters_are_numbered_outside_of_quotes(sql: str, wanted: str):
    assert numbered(sql) == wanted


async def test_constraints_are_conflicts(db: Database):
    with pytest.raises(Conflict, match="foreign key"):
        async with db.transaction() as tx:
            row = (b"1" * 16, b"2" * 16, 0, "k", 1, "ready", "{}")
            await tx.execute("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?)", row)


async def test_what_postgresql_does_not_take_is_bad_input(db: Database):
    with pytest.raises(InvalidInput, match=r"'a\\x00b' cannot be stored .*no NUL character.*remove it"):
        await add(db, "a\x00b")
    with pytest.raises(InvalidInput, match=r"'k\\x00' cannot be stored"):
        async with db.transaction() as tx:
            await a_dataset(tx, "x", some_cases("k", "k\x00"))
    async with db.read() as rx:
        with pytest.raises(InvalidInput, match="lone surrogates"):
            await rx.fetch("SELECT ?::text", ("\ud800",))
    async with db.read() as rx:
        with pytest.raises(InvalidInput, match="64 bits"):
            await rx.fetch("SELECT ?::bigint", (2**63,))
    assert await names(db) == []


async def test_outputs_with_nul_are_searched(db: Database):
    stored = await a_run(db)
    async with db.transaction() as tx:
        outputs: list[JsonValue] = ["before\x00after", r"a literal \u0000 here", {"deep": "\x00Zürich"}]
        invoked = [stored.invoked(n, outcome=Outcome(output=text)) for n, text in enumerate(outputs)]
        await results.write(tx, stored.run.id, invoked, [stored.graded(n) for n in range(3)])
        for text, key in (("AFTER", "a"), ("literal", "b"), ("Zürich", "c")):
            assert [found.case_key for found in (await result_pages.page(tx, stored.run.id, text=text)).results] == [
                key
            ]


async def test_a_failed_statement_that_was_passed_over_does_not_count_as_stored(db: Database):
    with pytest.raises(StoreUnavailable, match="undid the transaction"):
        async with db.transaction() as tx:
            await a_dataset(tx, "x")
            with pytest.raises(Conflict):
                await tx.execute("INSERT INTO targets (id, name) SELECT id, name FROM datasets")
    assert await names(db) == []


async def test_read_only(postgres_url: str, db: Database):
    await add(db, "there")
    reader = await Database.open(f"{postgres_url}?mode=ro")
    assert reader.read_only and await names(reader) == ["there"]
    with pytest.raises(StoreUnavailable, match=r"opened read-only.*without mode=ro"):
        await add(reader, "more")
    async with reader.read() as rx:
        with pytest.raises(StoreUnavailable, match="can only be read"):
            await rx.execute("DELETE FROM datasets")
    await reader.close()


async def test_an_empty_database_is_not_read_only(postgres_url: str):
    with pytest.raises(StoreUnavailable, match="open it once for writing"):
        await Database.open(postgres_url, read_only=True)


async def test_more_readers_than_connections_take_turns(db: Database):
    async def read() -> int:
        async with db.read() as rx:
            await asyncio.sleep(0.01)
            return len(await rx.fetch("SELECT 1"))

    assert await asyncio.gather(*(read() for _ in range(3 * READERS))) == [1] * (3 * READERS)


async def test_closing_cuts_off_a_reader(postgres_url: str, db: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("aloi.store.engines.postgres.CLOSE_SECONDS", 0.05)
    other = await Database.open(postgres_url)
    block = other.read()
    await block.__aenter__()
    await other.close()
    with pytest.raises(StoreUnavailable):
        await names(other)
    with pytest.raises(StoreUnavailable):
        await block.__aexit__(None, None, None)


async def test_a_connection_that_was_ended_is_made_anew(postgres: PostgresServer, db: Database):
    await add(db, "before")
    with pytest.raises(StoreUnavailable, match=r"lost the connection.*try again"):
        async with db.transaction() as tx:
            await a_dataset(tx, "lost")
            [(pid,)] = await tx.fetch("SELECT pg_backend_pid()")
            await postgres.tell(f"SELECT pg_terminate_backend({pid}, 5000)")
            await a_dataset(tx, "lost too")
    await add(db, "after")
    assert await names(db) == ["after", "before"]


async def test_a_server_that_stops_and_starts_again():
    with serve() as server:
        db = await Database.open(await server.fresh())
        await add(db, "before")
        await asyncio.to_thread(server.stop)
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match=r"cannot be reached|lost the connection"):
                await add(db, "meanwhile")
        await asyncio.to_thread(server.start)
        await add(db, "after")
        assert await names(db) == ["after", "before"]
        await db.close()


async def test_what_cannot_be_opened_is_told_without_the_password(postgres: PostgresServer):
    server, password = f"127.0.0.1:{postgres.port}", postgres.password
    faults = {
        f"postgresql://aloi:{password}@{server}/none": "is not there; create it with createdb",
        f"postgresql://nobody:{password}@{server}/postgres": "refused the user or the password",
        f"postgresql://aloi:{password}@127.0.0.1:1/postgres": "cannot be reached.*see that the server runs",
        f"postgresql://aloi:{password}@{server}/postgres?sslmode=require": "cannot be reached|lost the connection",
        f"postgresql://aloi:{password}@{server}/postgres?sslmode=maybe": "mend its options",
    }
    for url, said in faults.items():
        with pytest.raises((StoreUnavailable, InvalidInput), match=said) as caught:
            await Database.open(url)
        assert password not in f"{caught.value!r} {caught.value.__cause__!r}"


async def test_rights_that_are_missing_are_told(postgres: PostgresServer, postgres_url: str):
    await postgres.tell("DROP ROLE IF EXISTS guest")
    await postgres.tell("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    guest = postgres_url.replace(f"aloi:{postgres.password}", "guest:guest")
    with pytest.raises(StoreUnavailable, match=r"may not be used so by this user.*grant it CREATE"):
        await Database.open(guest)


async def test_names_are_sorted_as_in_sqlite(db: Database):
    for name in ("b", "A", "a", "é", "B", "_"):
        await add(db, name)
    assert await names(db) == sorted(["b", "A", "a", "é", "B", "_"])


async def test_the_tables_are_readable_by_other_programs(postgres_url: str, db: Database):
    stored = await a_run(db)
    raw = await asyncpg.connect(postgres_url)
    row = await raw.fetchrow("SELECT id, created_at, total FROM runs")
    await raw.close()
    assert row is not None and (str(row[0]), row[1], row[2]) == (stored.run.id, NOW, 3)


async def test_a_missing_driver_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def without_driver(name: str) -> None:
        raise ModuleNotFoundError("No module named 'asyncpg'", name="asyncpg")

    monkeypatch.setattr("aloi.plugins.module", without_driver)
    with pytest.raises(InvalidInput, match=r"asyncpg, which is not installed; run: pip install 'aloi\[postgres\]'"):
        await Database.open("postgresql://localhost/x")


async def test_one_hash_of_a_version_is_used_again(db: Database):
    async with db.transaction() as tx:
        first, again = await a_version(tx), await a_version(tx)
    assert first == again and first.content_hash == HASH
