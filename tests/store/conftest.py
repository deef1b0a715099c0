"""A database for the tests of the store, of each kind."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.store.database import Database
from tests.store.backends import BACKENDS, open_database


@pytest.fixture(params=BACKENDS)
async def db(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """A fresh database."""
    database = await open_database(request.param, tmp_path)
    yield database
    await database.close()
