"""Fixtures that all tests share."""

from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import settings

from tests.model_server import ModelServer, ModelServerProcess, serve

# Machines are shared: how long an example takes says nothing.
settings.register_profile("aloi", deadline=None)
settings.load_profile("aloi")


@pytest.fixture
async def model_server() -> AsyncIterator[ModelServer]:
    """A model server in the test's own loop; its behaviour is the model's name or `model_server.reply`."""
    async with ModelServer() as server:
        yield server


@pytest.fixture
def model_server_process(request: pytest.FixtureRequest) -> Iterator[ModelServerProcess]:
    """A model server in a process of its own.

    More options of its command come by indirect parametrisation:
    `@pytest.mark.parametrize("model_server_process", [("--latency", "0.1")], indirect=True)`.
    """
    with serve(*getattr(request, "param", ())) as server:
        yield server
