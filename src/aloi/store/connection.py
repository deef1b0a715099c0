"""What the tables' modules know of a database: five verbs on a connection, and how its SQL differs."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from aloi.core.access import FIRST_WORKSPACE
from aloi.store.codec import pack_id

# What a parameter or a column may be. Ids and hashes are bytes, times are microseconds, JSON is text: see `codec`.
Param = bytes | str | int | float | None
Params = Sequence[Param]
Row = tuple[Any, ...]
FIRST = pack_id(FIRST_WORKSPACE)


@dataclass(frozen=True)
class Dialect:
    """Where the SQL of one kind of database differs from that of another.

    Args:
        name: `sqlite` or `postgresql`.
        types: the column types and clauses of `tables.TABLES`, by their names there.
        table_exists: a query with one parameter, a table's name, that gives a row when there is such a table.
        json_field: the SQL of a top-level field, as text, of a column that holds a JSON object.
        for_update: ends a query whose rows no other transaction may change before this one ends.
        append_only: the statements after which a table refuses to change or delete its rows.
        schema: what stands before the name of a table to mean it, where a common table expression has that name too.
    """

    name: str
    types: Mapping[str, str]
    table_exists: str
    json_field: Callable[[str, str], str]
    for_update: str
    append_only: Callable[[str], Sequence[str]]
    schema: str


def marks(count: int) -> str:
    """Places for so many parameters, `?, ?, ?`, for a list behind IN."""
    return ", ".join("?" * count)


class Connection(Protocol):
    """One connection inside a transaction. Parameters are written `?` and given in order.

    Every verb raises `StoreUnavailable` when the database cannot be used, `Conflict` when a constraint is broken and
    `InvalidInput` for a text that cannot be stored.
    """

    @property
    def dialect(self) -> Dialect:
        """How its SQL differs."""
        ...

    @property
    def workspace(self) -> bytes:
        """The id of the workspace whose things are looked up, listed and created; those of others are not seen."""
        ...

    async def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement; the number of rows that it changed."""
        ...

    async def execute_many(self, *statements: tuple[str, Sequence[Params]]) -> None:
        """Run statements in order, each once per row of its parameters."""
        ...

    async def fetch(self, sql: str, params: Params = ()) -> list[Row]:
        """All rows of a query."""
        ...

    async def fetch_one(self, sql: str, params: Params = ()) -> Row | None:
        """The first row of a query, or null."""
        ...

    async def lock(self, name: str) -> None:
        """Wait until no other transaction holds the lock of that name, and hold it until this one ends.

        It is for what has no row yet that `for_update` could hold. Take it before reading what it guards.
        """
        ...


async def held(tx: Connection, query: str, params: Params) -> Row | None:
    """The row that a query of one table finds, or null. No other transaction changes it until this one ends."""
    return await tx.fetch_one(query + tx.dialect.for_update, params)


class Backend(Protocol):
    """A kind of database: what stands behind `Database`."""

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading alone."""
        ...

    @property
    def name(self) -> str:
        """Which database it is, for messages; never with a password."""
        ...

    def transaction(self, workspace: bytes = FIRST) -> AbstractAsyncContextManager[Connection]:
        """Read and write; committed when the block ends, undone when an exception leaves it."""
        ...

    def read(self, workspace: bytes = FIRST) -> AbstractAsyncContextManager[Connection]:
        """Read one consistent snapshot."""
        ...

    async def migrate(self) -> None:
        """Bring an older schema up to date."""
        ...

    async def close(self) -> None:
        """Close every connection."""
        ...
