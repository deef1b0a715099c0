"""The door to the database."""

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager

from aloi import plugins
from aloi.core.errors import InvalidInput
from aloi.store.codec import pack_id
from aloi.store.connection import FIRST, Backend, Connection
from aloi.store.engines.address import SqliteAddress, parse_address
from aloi.store.engines.postgres_address import PostgresAddress
from aloi.store.engines.schema import prepare
from aloi.store.engines.sqlite import SqliteBackend
from aloi.store.narrowing import Sight, narrowing

LOCK_SECONDS = 5.0


class Database:
    """An open database, seen from one workspace, or from some targets of it.

    What is written in one transaction is there whole, or not at all.
    """

    def __init__(
        self,
        backend: Backend,
        workspace: bytes = FIRST,
        owned: bool = True,
        sight: Sight | None = None,
    ) -> None:
        self._backend = backend
        self._workspace = workspace
        self._owned = owned
        self._sight = sight

    @classmethod
    async def open(cls, address: str, *, read_only: bool = False, lock_seconds: float = LOCK_SECONDS) -> "Database":
        """Open a database; create it when it is new, migrate it when it is older than this program.

        It is seen from the first workspace, which every database has.

        Args:
            address: a path, `sqlite+aiosqlite:///PATH`, `file:PATH?mode=ro`, or
                `postgresql://USER:PASSWORD@HOST:PORT/NAME`.
            read_only: the same as `mode=ro`: it must exist, and `transaction` is refused.
            lock_seconds: how long to wait for another process that writes.

        Raises:
            InvalidInput: an address that names no database of a known kind, or asyncpg is missing.
            StoreUnavailable: it cannot be opened, or is newer than this program.
        """
        backend = await _backend(parse_address(address, read_only), lock_seconds)
        try:
            await prepare(backend)
        except BaseException:
            await backend.close()
            raise
        return cls(backend)

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading alone."""
        return self._backend.read_only

    def in_workspace(
        self, workspace_id: str, targets: Iterable[str] | None = None, member_id: str | None = None
    ) -> "Database":
        """The same database seen from another workspace; it is closed with this one, and only so.

        Args:
            targets: the ids of those that are seen, with what is theirs (see `narrowing`); null for all.
            member_id: of who sees them, with the files that they sent; null for nobody.

        Raises:
            InvalidInput: that is not an id.
        """
        member = None if member_id is None else pack_id(member_id)
        sight = None if targets is None else Sight(tuple(map(pack_id, targets)), member)
        return Database(self._backend, pack_id(workspace_id), owned=False, sight=sight)

    def transaction(self) -> AbstractAsyncContextManager[Connection]:
        """Read and write. Committed when the block ends, undone when an exception leaves it.

        One at a time in a process: do not open one inside another, and do not wait for the network in it.

        Raises:
            StoreUnavailable: the database cannot be written; nothing of the block was.
        """
        return self._narrowed(self._backend.transaction(self._workspace))

    def read(self) -> AbstractAsyncContextManager[Connection]:
        """Read one consistent snapshot: what is committed meanwhile is not seen, and nobody waits.

        Raises:
            StoreUnavailable: the database cannot be read.
        """
        return self._narrowed(self._backend.read(self._workspace))

    def _narrowed(self, block: AbstractAsyncContextManager[Connection]) -> AbstractAsyncContextManager[Connection]:
        return block if self._sight is None else narrowing(block, self._sight)

    async def close(self) -> None:
        """Close it. Blocks that are open have to end first. What `in_workspace` gave is left open."""
        if self._owned:
            await self._backend.close()


async def _backend(address: SqliteAddress | PostgresAddress, lock_seconds: float) -> Backend:
    """What stands behind an address. PostgreSQL's driver is imported only for it."""
    if isinstance(address, SqliteAddress):
        return await SqliteBackend.open(address, lock_seconds)
    try:
        postgres = plugins.module("aloi.store.engines.postgres")
    except ModuleNotFoundError as error:
        raise InvalidInput(
            f"a PostgreSQL database needs the package {error.name}, which is not installed; "
            "run: pip install 'aloi[postgres]'"
        ) from error
    backend: Backend = await postgres.PostgresBackend.open(address, lock_seconds)
    return backend
