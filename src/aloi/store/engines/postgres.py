"""PostgreSQL behind `Database`, by asyncpg: one connection that writes, and a few that read.

What differs from SQLite: other processes write at the same time. So a transaction that reads something and then writes
what follows from it holds it: a row by `for_update`, a name by `lock`. Each statement sees what others have committed
by then, so what was waited for is seen too.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from itertools import count
from typing import Any, TypeVar

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from aloi import plugins
from aloi.core.errors import StoreUnavailable
from aloi.store.connection import FIRST, Dialect, Params, Row
from aloi.store.engines.postgres_address import PostgresAddress
from aloi.store.engines.postgres_connect import connect
from aloi.store.engines.postgres_errors import FAULTS, store_error

T = TypeVar("T")
READERS = 8
READER_SECONDS = 30.0
CLOSE_SECONDS = 2.0
WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# A place for a parameter, or a quoted text or name, in which a question mark is one.
PLACES = re.compile(r"""'[^']*'|"[^"]*"|\?""")


def append_only(table: str) -> list[str]:
    """The statements after which a table refuses to change or delete its rows."""
    refuse = f"RAISE EXCEPTION '{table} is append-only' USING ERRCODE = 'integrity_constraint_violation';"
    return [
        f"CREATE FUNCTION {table}_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {refuse} END $$",
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
        f" FOR EACH STATEMENT EXECUTE FUNCTION {table}_kept()",
    ]


DIALECT = Dialect(
    name="postgresql",
    types={
        "id": "UUID",
        "hash": "BYTEA",
        "time": "TIMESTAMPTZ",
        "integer": "BIGINT",
        "real": "DOUBLE PRECISION",
        # By code points, as SQLite compares and sorts, whatever the database's language.
        "text": 'TEXT COLLATE "C"',
        "packed": "BYTEA",
        "clustered": "",
    },
    table_exists="SELECT 1 WHERE to_regclass(?) IS NOT NULL",
    # No text can hold what the JSON escape of NUL means; of what is searched, nothing else looks like it.
    json_field=lambda column, field: rf"(replace({column}, '\u0000', '\ufffd')::json ->> '{field}')" + ' COLLATE "C"',
    for_update=" FOR NO KEY UPDATE",
    append_only=append_only,
    schema="",  # an expression that is not recursive does not see itself
)


@lru_cache(maxsize=500)
def numbered(sql: str) -> str:
    """The statement with its places `?` written `$1`, `$2`, ... as PostgreSQL wants them."""
    numbers = count(1)
    return PLACES.sub(lambda found: f"${next(numbers)}" if found[0] == "?" else found[0], sql)


class PostgresConnection:
    """A `Connection` to PostgreSQL."""

    def __init__(self, raw: "PoolConnectionProxy[asyncpg.Record]", name: str, workspace: bytes) -> None:
        self._raw = raw
        self._name = name
        self._workspace = workspace

    @property
    def dialect(self) -> Dialect:
        """PostgreSQL's."""
        return DIALECT

    @property
    def workspace(self) -> bytes:
        """The workspace that it works in."""
        return self._workspace

    async def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement; the number of rows that it changed."""
        said = await told(self._name, lambda: self._raw.execute(numbered(sql), *params), [params])
        number = said.rpartition(" ")[2]
        return int(number) if number.isdecimal() else 0

    async def execute_many(self, *statements: tuple[str, Sequence[Params]]) -> None:
        """Run statements in order, each once per row of its parameters."""
        for sql, rows in statements:
            if rows:
                await self._many(numbered(sql), rows)

    async def _many(self, sql: str, rows: Sequence[Params]) -> None:
        await told(self._name, lambda: self._raw.executemany(sql, rows), rows)

    async def fetch(self, sql: str, params: Params = ()) -> list[Row]:
        """All rows of a query."""
        rows = await told(self._name, lambda: self._raw.fetch(numbered(sql), *params), [params])
        return [tuple(row) for row in rows]

    async def fetch_one(self, sql: str, params: Params = ()) -> Row | None:
        """The first row of a query, or null."""
        row = await told(self._name, lambda: self._raw.fetchrow(numbered(sql), *params), [params])
        return None if row is None else tuple(row)

    async def lock(self, name: str) -> None:
        """Wait until no other transaction holds the lock of that name, and hold it until this one ends."""
        await self.fetch("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", (name,))


async def told(name: str, work: Callable[[], Awaitable[T]], rows: Iterable[Params] = ()) -> T:
    """The outcome of the driver's work, its errors told as ours; `name` and `rows` as in `store_error`."""
    try:
        return await work()
    except FAULTS as error:
        raise store_error(error, name, rows) from error


class PostgresBackend:
    """A `Backend` over one database of a server."""

    def __init__(self, address: PostgresAddress, lock_seconds: float) -> None:
        self._address = address
        self._lock_seconds = lock_seconds
        # One connection writes, so that transactions of this process take turns.
        self._writer = self._pool(1)
        self._readers = self._pool(READERS)

    @classmethod
    async def open(cls, address: PostgresAddress, lock_seconds: float) -> "PostgresBackend":
        """Get ready; the first that needs a connection makes it."""
        backend = cls(address, lock_seconds)
        await backend._writer
        await backend._readers
        return backend

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading alone."""
        return self._address.read_only

    @property
    def name(self) -> str:
        """The address without the password."""
        return self._address.name

    @asynccontextmanager
    async def transaction(self, workspace: bytes = FIRST) -> AsyncGenerator[PostgresConnection]:
        """Read and write, one transaction at a time in this process."""
        if self.read_only:
            raise StoreUnavailable(
                f"the database {self.name} is opened read-only, so nothing can be written; open it without mode=ro"
            )
        async with self._block(self._writer, WRITE, "COMMIT", None) as raw:
            yield PostgresConnection(raw, self.name, workspace)

    @asynccontextmanager
    async def read(self, workspace: bytes = FIRST) -> AsyncGenerator[PostgresConnection]:
        """Read one snapshot; a writer neither waits for it nor is waited for."""
        async with self._block(self._readers, READ, "ROLLBACK", READER_SECONDS) as raw:
            yield PostgresConnection(raw, self.name, workspace)

    async def migrate(self) -> None:
        """Bring an older schema up to date with Alembic, which is imported now."""
        migrate = plugins.module("aloi.store.engines.postgres_migrate")
        await told(self.name, lambda: migrate.upgrade(self._address))

    async def close(self) -> None:
        """Close every connection. One that somebody still uses after two seconds is cut off."""
        for pool in (self._writer, self._readers):
            try:
                await asyncio.wait_for(pool.close(), CLOSE_SECONDS)
            except FAULTS:
                pool.terminate()

    def _pool(self, size: int) -> "asyncpg.Pool[asyncpg.Record]":
        """A pool without a connection yet. One that was lost is made anew by whoever needs it next."""

        async def connected(*_: Any, **__: Any) -> "asyncpg.Connection[asyncpg.Record]":
            return await connect(self._address, self._lock_seconds)

        return asyncpg.create_pool(min_size=0, max_size=size, connect=connected, reset=_nothing)

    @asynccontextmanager
    async def _block(
        self, pool: "asyncpg.Pool[asyncpg.Record]", begin: str, end: str, seconds: float | None
    ) -> AsyncGenerator["PoolConnectionProxy[asyncpg.Record]"]:
        """A transaction: ended by `end`, undone when an exception leaves it."""
        raw, begun = await told(self.name, lambda: pool.acquire(timeout=seconds)), True
        try:
            await told(self.name, lambda: raw.execute(begin))
            yield raw
            if await told(self.name, lambda: raw.execute(end)) != end:
                raise StoreUnavailable(
                    f"the database {self.name} undid the transaction, because a statement in it had failed; try again"
                )
            begun = False
        finally:
            # In a task of its own, so that who is cancelled twice leaves no transaction open.
            await asyncio.shield(let_go(pool, raw, begun))


async def let_go(pool: "asyncpg.Pool[asyncpg.Record]", raw: "PoolConnectionProxy[asyncpg.Record]", begun: bool) -> None:
    """Give a connection back, and undo what was begun and not committed. One that is lost is only dropped."""
    with suppress(*FAULTS):
        try:
            if begun:
                await raw.execute("ROLLBACK")
        finally:
            await pool.release(raw)


async def _nothing(_: "asyncpg.Connection[asyncpg.Record]") -> None:
    """What has to be reset of a connection that is given back: a transaction is all that it ever has."""
