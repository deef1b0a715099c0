"""A client of the model server, for the tests of the server itself."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.model_server.client import Chat
from tests.model_server.server import ModelServer


@pytest.fixture
async def chat(model_server: ModelServer) -> AsyncIterator[Chat]:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(10)) as session:
        yield Chat(session, model_server.url)
