"""SQLite behind `Database`: one writing connection, and reading ones that it does not block (WAL).

Every connection lives in a thread of its own, so that waiting for the disk or for a lock does not hold up the loop.
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from aloi import plugins
from aloi.core.errors import StoreUnavailable
from aloi.store.connection import FIRST, Dialect, Params, Row
from aloi.store.engines.address import SqliteAddress
from aloi.store.engines.sqlite_errors import input_error, store_error

T = TypeVar("T")
IDLE_READERS = 4
WAL_RETRY_SECONDS = 0.01


def append_only(table: str) -> list[str]:
    """The statements after which a table refuses to change or delete its rows; REPLACE would do both unseen."""
    refused = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    is_there = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)"  # noqa: S608 - the name is ours
    return [
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refused}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refused}",
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} {is_there} {refused}",
    ]


DIALECT = Dialect(
    name="sqlite",
    types={
        "id": "BLOB",
        "hash": "BLOB",
        "time": "INTEGER",
        "integer": "INTEGER",
        "real": "REAL",
        "text": "TEXT",
        "packed": "TEXT",  # which keeps bytes as they are, so that an older table serves as it is
        "clustered": " WITHOUT ROWID",
    },
    table_exists="SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
    json_field=lambda column, field: f"json_extract({column}, '$.{field}')",
    for_update="",  # a transaction that writes is alone
    append_only=append_only,
    schema="main.",
)


class SqliteConnection:
    """A `Connection` to SQLite."""

    def __init__(self, address: SqliteAddress, lock_seconds: float) -> None:
        self._address = address
        self._lock_seconds = lock_seconds
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="aloi-sqlite")
        self._raw: sqlite3.Connection
        self._begin: str | None = None
        self._workspace = FIRST

    @property
    def dialect(self) -> Dialect:
        """SQLite's."""
        return DIALECT

    @property
    def workspace(self) -> bytes:
        """The workspace of the present block."""
        return self._workspace

    async def open(self, writes: bool) -> None:
        """Connect."""
        try:
            self._raw = await self._run(lambda: connect(self._address, writes, self._lock_seconds))
        except BaseException:
            self._thread.shutdown(wait=False)
            raise

    async def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement; the number of rows that it changed."""
        return await self._run(lambda: self._begun().execute(sql, params).rowcount)

    async def execute_many(self, *statements: tuple[str, Sequence[Params]]) -> None:
        """Run statements in order, each once per row of its parameters."""
        if any(rows for _, rows in statements):
            await self._run(lambda: self._execute_many(statements))

    async def fetch(self, sql: str, params: Params = ()) -> list[Row]:
        """All rows of a query."""
        return await self._run(lambda: self._begun().execute(sql, params).fetchall())

    async def fetch_one(self, sql: str, params: Params = ()) -> Row | None:
        """The first row of a query, or null."""
        return await self._run(lambda: self._begun().execute(sql, params).fetchone())

    async def lock(self, name: str) -> None:
        """Nothing: a transaction that writes is alone from its beginning."""

    @asynccontextmanager
    async def block(self, begin: str, workspace: bytes) -> AsyncGenerator["SqliteConnection"]:
        """A transaction: committed at the end, undone when an exception leaves it.

        It begins with its first statement, in one step with it: each step to the thread and back costs time.
        """
        self._begin, self._workspace = begin, workspace
        try:
            yield self
            await self._run(self._commit)
        except BaseException:
            await self._run(lambda: self._raw.rollback())
            raise
        finally:
            self._begin = None

    async def close(self) -> None:
        """Disconnect and end the thread."""
        await self._run(lambda: self._raw.close())
        self._thread.shutdown(wait=False)

    def _begun(self) -> sqlite3.Connection:
        """The connection, inside its transaction."""
        begin, self._begin = self._begin, None
        if begin is not None:
            # A task that was cancelled twice may have left before its rollback was carried out.
            self._raw.rollback()
            self._raw.execute(begin)
        return self._raw

    def _commit(self) -> None:
        if self._begin is None:  # else no statement was run
            self._raw.execute("COMMIT")

    def _execute_many(self, statements: Sequence[tuple[str, Sequence[Params]]]) -> None:
        raw = self._begun()
        for sql, rows in statements:
            if len(rows) == 1:  # `executemany` takes no statement that defines a table
                raw.execute(sql, rows[0])
            else:
                raw.executemany(sql, rows)

    async def _run(self, work: Callable[[], T]) -> T:
        """Carry out work in the connection's thread."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except sqlite3.Error as error:
            raise store_error(error, self._address.path) from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise input_error(error) from error


def connect(address: SqliteAddress, writes: bool, lock_seconds: float) -> sqlite3.Connection:
    """A connection with our settings. Only one that writes creates the file."""
    mode = "rwc" if writes else "ro" if address.read_only else "rw"
    uri = f"file:{quote(address.path)}?mode={mode}"
    raw = sqlite3.connect(uri, timeout=lock_seconds, isolation_level=None, uri=True)
    try:
        raw.execute("PRAGMA foreign_keys=ON")
        raw.execute("PRAGMA synchronous=NORMAL")
        if writes:
            _use_wal(raw, time.monotonic() + lock_seconds)
        else:
            raw.execute("PRAGMA query_only=ON")
    except BaseException:
        raw.close()
        raise
    return raw


def _use_wal(raw: sqlite3.Connection, until: float) -> None:
    """Switch to WAL. SQLite does not wait for another process that is doing the same, so we do."""
    while True:
        try:
            raw.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(WAL_RETRY_SECONDS)


class SqliteBackend:
    """A `Backend` over one SQLite file."""

    def __init__(self, address: SqliteAddress, lock_seconds: float) -> None:
        self._address = address
        self._lock_seconds = lock_seconds
        self._writing = asyncio.Lock()
        self._writer: SqliteConnection | None = None
        self._idle: list[SqliteConnection] = []

    @classmethod
    async def open(cls, address: SqliteAddress, lock_seconds: float) -> "SqliteBackend":
        """Open the file; a missing one is created with its folder, unless it is only read."""
        backend = cls(address, lock_seconds)
        if not address.read_only:
            make_folder(address.path)
            backend._writer = await backend._connect(writes=True)
        return backend

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading alone."""
        return self._writer is None

    @property
    def name(self) -> str:
        """The file's path."""
        return self._address.path

    @asynccontextmanager
    async def transaction(self, workspace: bytes = FIRST) -> AsyncGenerator[SqliteConnection]:
        """Read and write, one transaction at a time in this process; other processes are waited for."""
        if self._writer is None:
            raise StoreUnavailable(
                f"the database {self.name} is opened read-only, so nothing can be written; open it without mode=ro"
            )
        async with self._writing, self._writer.block("BEGIN IMMEDIATE", workspace) as tx:
            yield tx

    @asynccontextmanager
    async def read(self, workspace: bytes = FIRST) -> AsyncGenerator[SqliteConnection]:
        """Read one snapshot; a writer neither waits for it nor is waited for."""
        reader = self._idle.pop() if self._idle else await self._connect(writes=False)
        try:
            async with reader.block("BEGIN", workspace) as reading:
                yield reading
        finally:
            await self._put_back(reader)

    async def migrate(self) -> None:
        """Bring an older schema up to date with Alembic, which is imported now."""
        migrate = plugins.module("aloi.store.engines.migrate")
        await asyncio.to_thread(migrate.upgrade, self._address.path)

    async def close(self) -> None:
        """Close every connection that nobody uses; SQLite then folds its log into the file."""
        writer = [self._writer] if self._writer else []
        self._writer = None
        while self._idle:
            await self._idle.pop().close()
        for connection in writer:
            await connection.close()

    async def _connect(self, writes: bool) -> SqliteConnection:
        connection = SqliteConnection(self._address, self._lock_seconds)
        await connection.open(writes)
        return connection

    async def _put_back(self, reader: SqliteConnection) -> None:
        if len(self._idle) < IDLE_READERS:
            self._idle.append(reader)
        else:
            await reader.close()


def make_folder(path: str) -> None:
    """Create the folder of a database file; a new one is its owner's alone, for answers and prompts are private.

    Raises:
        StoreUnavailable: it cannot be created.
    """
    try:
        Path(path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(
            f"the folder of the database {path} cannot be made: {error.strerror}; name another place"
        ) from error
