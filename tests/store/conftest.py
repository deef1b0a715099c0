"""A database for the tests of the store, of each kind."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.store.database import Database
from tests.postgres_server import PostgresServer
from tests.store.backends import BACKENDS, fresh, open_database


@pytest.fixture(params=BACKENDS)
async def db(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """A fresh database."""
    async with fresh(request, tmp_path) as address:
        database = await open_database(address)
        yield database
        await database.close()


@pytest.fixture
async def postgres_url(postgres: PostgresServer) -> AsyncIterator[str]:
    """The address of an empty PostgreSQL database."""
    url = await postgres.fresh()
    yield url
    postgres.drop(url)
