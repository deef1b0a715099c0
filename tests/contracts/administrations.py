"""The kinds of `Administration` that its contract suite runs on, each with a client over the same database."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from aloi.client import Client
from aloi.client.administration import Administration
from aloi.client.http import open_http
from aloi.client.http_administration import open_http_administration
from aloi.client.local import open_local
from aloi.client.local_administration import open_local_administration
from aloi.settings import Settings
from tests.contracts.clients import served


class Both(NamedTuple):
    """What looks after things, what evaluates, and how many API keys there were before the test."""

    administration: Administration
    client: Client
    keys_before: int


@asynccontextmanager
async def local(home: Path) -> AsyncGenerator[Both]:
    """Over the database in a home, in this process."""
    client = await open_local(Settings(home=home), {})
    administration = await open_local_administration(Settings(home=home), {})
    try:
        yield Both(administration, client, 0)
    finally:
        await administration.close()
        await client.close()


@asynccontextmanager
async def http(home: Path) -> AsyncGenerator[Both]:
    """Of a real server, with the key of an owner."""
    async with served(home, {}) as (url, key):
        client, administration = open_http(url, key), open_http_administration(url, key)
        try:
            yield Both(administration, client, 1)
        finally:
            await administration.close()
            await client.close()


ADMINISTRATIONS: dict[str, Callable[[Path], AbstractAsyncContextManager[Both]]] = {"local": local, "http": http}
