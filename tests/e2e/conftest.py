"""A client over a real database, and the real command over a home of its own."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from aloi.client import Client, connect
from aloi.settings import Settings
from tests.e2e.command import Command
from tests.e2e.serving import Served


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    """What the SDK works through, in the test's own process."""
    opened = await connect(Settings(home=tmp_path / "home"), {})
    yield opened
    await opened.close()


@pytest.fixture
def aloi(tmp_path: Path) -> Command:
    """The real command."""
    return Command(tmp_path / "home")


@pytest.fixture
def servers() -> Iterator[list[Served]]:
    """What a test starts is killed at its end."""
    started: list[Served] = []
    yield started
    for server in started:
        if server.process.poll() is None:
            server.kill()
