"""A client of every kind, and an administration of every kind."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.client.protocol import Client
from tests.contracts.administrations import ADMINISTRATIONS, Both
from tests.contracts.clients import CLIENTS


@pytest.fixture(params=CLIENTS)
async def client(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Client]:
    """A client of a kind, over a fresh database."""
    async with CLIENTS[request.param](tmp_path / "home", {}) as opened:
        yield opened


@pytest.fixture(params=ADMINISTRATIONS)
async def both(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Both]:
    """An administration of a kind, with a client, over a fresh database."""
    async with ADMINISTRATIONS[request.param](tmp_path / "home") as opened:
        yield opened
