"""The kinds of database that the store's tests run on."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from aloi.store.database import Database
from tests.postgres_server import PostgresServer

BACKENDS = ("sqlite", "postgresql")


@asynccontextmanager
async def fresh(request: pytest.FixtureRequest, folder: Path) -> AsyncGenerator[str]:
    """The address of a new database of the kind that `request.param` names. A server is started for the first."""
    if request.param == "sqlite":
        yield str(folder / "aloi.db")
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = await server.fresh()
    yield url
    server.drop(url)


async def open_database(address: str) -> Database:
    """The database there; opened a second time, the same one."""
    return await Database.open(address, lock_seconds=0.1)
