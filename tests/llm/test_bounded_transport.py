"""Answers of endpoints that never end, or unfold to what never ends."""

import gzip
from collections.abc import AsyncIterator

import httpx2
import pytest
from aiohttp import web

from aloi.llm import bounded_transport
from aloi.llm.bounded_transport import BoundedTransport


async def endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b" " * 1000)


async def compressed(request: web.Request) -> web.StreamResponse:
    return web.Response(body=gzip.compress(b" " * 1000), headers={"Content-Encoding": "gzip"})


async def plain(request: web.Request) -> web.StreamResponse:
    return web.json_response(request.headers["Accept-Encoding"])


@pytest.fixture
async def address() -> AsyncIterator[str]:
    app = web.Application()
    for handler in (endless, compressed, plain):
        app.router.add_get(f"/{handler.__name__}", handler)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.01)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@pytest.fixture
async def client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx2.AsyncClient]:
    monkeypatch.setattr(bounded_transport, "MOST_BYTES", 10_000)
    async with httpx2.AsyncClient(transport=BoundedTransport()) as client:
        yield client


async def test_an_answer_without_end_is_broken_off(client: httpx2.AsyncClient, address: str) -> None:
    with pytest.raises(httpx2.ReadError, match="longer than 10,000 bytes"):
        await client.get(f"{address}/endless")


async def test_a_compressed_answer_is_not_unfolded(client: httpx2.AsyncClient, address: str) -> None:
    with pytest.raises(httpx2.RemoteProtocolError, match="compressed"):
        await client.get(f"{address}/compressed")


async def test_an_answer_is_wanted_as_it_is(client: httpx2.AsyncClient, address: str) -> None:
    assert (await client.get(f"{address}/plain")).json() == "identity"
