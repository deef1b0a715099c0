"""The schema: made when the database is new, migrated when it is older."""

from collections.abc import Iterator
from importlib.resources import files

from aloi.core.access import LOCAL
from aloi.core.errors import StoreUnavailable
from aloi.store.codec import pack_id
from aloi.store.connection import Backend, Connection, Dialect
from aloi.store.tables import APPEND_ONLY, TABLES

# Who creates or migrates the tables holds the lock of this name.
LOCK = "schema"
# A statement without parameters, once.
ONCE = [()]


def versions() -> list[str]:
    """The numbers of all migrations, oldest first: from their file names, so that Alembic is not imported."""
    folder = files("aloi.store") / "migrations" / "versions"
    return sorted(entry.name.split("_")[0] for entry in folder.iterdir() if entry.name[:4].isdigit())


async def prepare(backend: Backend) -> None:
    """Make the schema of a database that of this program: create it, or migrate it; nothing when it is already.

    Raises:
        StoreUnavailable: it is newer than this program, or has to be written and cannot be.
    """
    known = versions()
    async with backend.read() as reading:
        found = await _version(reading)
    if found == known[-1]:
        return
    if found is not None and found not in {*known, ""}:
        raise StoreUnavailable(
            f"the database {backend.name} has schema {found}, newer than this program ({known[-1]}); upgrade aloi"
        )
    if backend.read_only:
        raise StoreUnavailable(
            f"the database {backend.name} has no schema of this program yet and is opened read-only; "
            "open it once for writing"
        )
    if found is None:
        async with backend.transaction() as tx:
            await tx.lock(LOCK)
            found = await _version(tx)
            if found is None:
                await create(tx, known[-1])
    if found is not None and found != known[-1]:
        await backend.migrate()


async def _version(connection: Connection) -> str | None:
    """The schema's version; "" when it was taken down to nothing, null when nothing was ever there."""
    if not await connection.fetch_one(connection.dialect.table_exists, ("alembic_version",)):
        return None
    row = await connection.fetch_one("SELECT version_num FROM alembic_version")
    return str(row[0]) if row else ""


async def create(tx: Connection, version: str) -> None:
    """Create all tables in an empty database, with the first workspace; stamp it with the version that they have."""
    first = LOCAL.workspace
    await tx.execute_many(
        *((statement, ONCE) for statement in definitions(tx.dialect)),
        ("INSERT INTO workspaces (id, name) VALUES (?, ?)", [(pack_id(first.id), first.name)]),
        ("INSERT INTO alembic_version (version_num) VALUES (?)", [(version,)]),
    )


def definitions(dialect: Dialect) -> Iterator[str]:
    """The statements that define all tables, in the SQL of a kind of database."""
    for statement in TABLES:
        yield statement.format_map(dialect.types)
    for table in APPEND_ONLY:
        yield from dialect.append_only(table)
    yield "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
