"""The kinds of database that the store's tests run on."""

from pathlib import Path

from aloi.store.database import Database

BACKENDS = ("sqlite",)


def address(backend: str, folder: Path) -> str:
    """Where a fresh database of that kind is, for one test."""
    assert backend == "sqlite"
    return str(folder / "aloi.db")


async def open_database(backend: str, folder: Path) -> Database:
    """A database of that kind; opened a second time, the same one."""
    return await Database.open(address(backend, folder), lock_seconds=0.1)
