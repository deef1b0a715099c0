"""A server for one test, and callers who ask it."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp
import uvicorn
from fastapi import FastAPI

from aloi.api.app import create_app, protected
from aloi.service.context import Context


class Answer(NamedTuple):
    """What came back. `body` is the parsed JSON; a text where it is none; null where it is empty."""

    status: int
    body: Any
    headers: Mapping[str, str]


class Caller:
    """Somebody who asks the server, with a token or with nothing. Paths are whole: `/api/eval/datasets`."""

    def __init__(self, session: aiohttp.ClientSession, url: str, token: str | None = None) -> None:
        self.session = session
        self.url = url
        self.token = token

    async def call(self, method: str, path: str, **options: Any) -> Answer:
        """Ask; `options` are those of aiohttp."""
        headers = {**self._credentials(), **options.pop("headers", {})}
        async with self.session.request(method, self.url + path, headers=headers, **options) as response:
            text = await response.text()
            is_json = response.content_type.endswith("json")
            body = await response.json(content_type=None) if is_json and text else text or None
            return Answer(response.status, body, response.headers)

    async def get(self, path: str, headers: Mapping[str, str] | None = None, **params: str | int) -> Answer:
        """Read; further arguments are the query."""
        return await self.call("GET", path, params=params, headers=headers or {})

    async def post(self, path: str, json: Any = None, **options: Any) -> Answer:
        """Create, or set something off."""
        return await self.call("POST", path, json=json, **options)

    async def put(self, path: str, json: Any = None, **options: Any) -> Answer:
        """Change."""
        return await self.call("PUT", path, json=json, **options)

    async def delete(self, path: str, **options: Any) -> Answer:
        """Delete."""
        return await self.call("DELETE", path, **options)

    def _credentials(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}


class RunningServer(NamedTuple):
    """A server that runs in the test's own loop. `context` acts as the local owner of the first workspace."""

    url: str
    context: Context
    app: FastAPI
    session: aiohttp.ClientSession

    def caller(self, token: str | None = None) -> Caller:
        """Somebody with a token, or with nothing. No cookie is kept: send one as a header."""
        return Caller(self.session, self.url, token)


async def raw(server: RunningServer, request: bytes) -> bytes:
    """What the server sends back to these very bytes, until it closes; for what no well-behaved client sends."""
    address = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        writer.write(request)
        return await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()


@asynccontextmanager
async def running(context: Context) -> AsyncGenerator[RunningServer]:
    """The real application over an open context, on a port of the loopback."""
    app = create_app(context)
    with socket.socket(proto=socket.IPPROTO_TCP) as listening:  # else asyncio lets small packets wait
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(protected(app), log_config=None, lifespan="off", timeout_graceful_shutdown=1)
        config.load()
        server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        # Not `serve`, which takes the signals from pytest and looks ten times a second whether it shall end.
        await server.startup(sockets=[listening])
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
            yield RunningServer(url, context, app, session)
        await server.shutdown(sockets=[listening])
