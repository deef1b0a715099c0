"""Search through a SearXNG-compatible server on the loopback, and failures of the public engines."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer, unused_port

from aloi.core.errors import ToolFailure
from aloi.core.tool import ToolContext
from aloi.tools.web_search import WebSearch, WebSearchInput, results, search_address

ROWS = [
    {"title": "Aloi  of\ngold", "url": "https://example.org/1", "content": "Fineness. " * 100, "engine": "x"},
    {"title": None, "url": "http://example.org/2"},
    {"title": "bad", "url": "javascript:alert(1)", "content": "x"},
    "not a row",
    {"title": "third", "url": "https://example.org/3", "content": "c"},
]


class Searx:
    """A server that answers what the test puts in `reply`, and keeps the queries it was asked."""

    def __init__(self) -> None:
        self.reply: bytes = json.dumps({"query": "q", "results": ROWS}).encode()
        self.status = 200
        self.asked: list[dict[str, str]] = []
        self.free = asyncio.Event()
        self.free.set()

    async def search(self, request: web.Request) -> web.Response:
        self.asked.append(dict(request.query))
        await self.free.wait()
        return web.Response(body=self.reply, status=self.status, content_type="application/json")


@pytest.fixture
async def searx() -> AsyncIterator[tuple[Searx, str]]:
    engine = Searx()
    app = web.Application()
    app.router.add_get("/search", engine.search)
    async with TestServer(app) as server:
        yield engine, str(server.make_url("/"))
        engine.free.set()


async def search(ctx: ToolContext, url: str | None, **options: Any) -> Any:
    return await WebSearch(**options).call(WebSearchInput(query="fine gold"), ctx._replace(search_url=url))


async def test_searxng(ctx: ToolContext, searx: tuple[Searx, str]) -> None:
    engine, url = searx
    found = await search(ctx, url)
    assert [row["url"] for row in found] == ["https://example.org/1", "http://example.org/2", "https://example.org/3"]
    assert found[0]["title"] == "Aloi of gold"
    assert len(found[0]["snippet"]) == 500
    assert found[1] == {"title": "", "url": "http://example.org/2", "snippet": ""}
    assert engine.asked == [{"q": "fine gold", "format": "json"}]


async def test_results_are_bounded(ctx: ToolContext, searx: tuple[Searx, str]) -> None:
    assert len(await search(ctx, searx[1], max_results=2)) == 2


@pytest.mark.parametrize(
    ("base", "address"),
    [
        ("http://searx:8080", "http://searx:8080/search"),
        ("http://searx/sub/", "http://searx/sub/search"),
        ("http://searx/search?language=fr", "http://searx/search?language=fr"),
        ("http://searx/api/find", "http://searx/api/find"),
    ],
)
def test_search_address(base: str, address: str) -> None:
    assert str(search_address(base)) == address


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (b"<html>no json here</html>", "not JSON"),
        (b"\xff\xfe\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "holds no results"),
        (b"{}", "holds no results"),
        (b'"' + b"x" * 5_000_001, "larger than"),
    ],
)
async def test_unusable_replies(ctx: ToolContext, searx: tuple[Searx, str], reply: bytes, reason: str) -> None:
    engine, url = searx
    engine.reply = reply
    with pytest.raises(ToolFailure, match=reason):
        await search(ctx, url)


@pytest.mark.parametrize(("status", "reason"), [(403, "json format"), (429, "status 429"), (500, "status 500")])
async def test_error_status(ctx: ToolContext, searx: tuple[Searx, str], status: int, reason: str) -> None:
    engine, url = searx
    engine.status = status
    with pytest.raises(ToolFailure, match=reason):
        await search(ctx, url)


async def test_results_of_an_odd_shape_are_none(ctx: ToolContext, searx: tuple[Searx, str]) -> None:
    engine, url = searx
    engine.reply = b'{"results": {"a": 1}}'
    assert await search(ctx, url) == []


async def test_an_engine_that_hangs(ctx: ToolContext, searx: tuple[Searx, str]) -> None:
    engine, url = searx
    engine.free.clear()
    with pytest.raises(ToolFailure, match=r"longer than 0\.15 s"):
        await search(ctx, url, seconds=0.15)


async def test_no_engine_there(ctx: ToolContext) -> None:
    with pytest.raises(ToolFailure, match="cannot be reached"):
        await search(ctx, f"http://127.0.0.1:{unused_port()}")


async def test_public_engines_out_of_reach(ctx: ToolContext) -> None:
    """A proxy that refuses keeps the test on the loopback and every engine away."""
    with pytest.raises(ToolFailure, match="the search failed"):
        await search(ctx, None, proxy=f"http://127.0.0.1:{unused_port()}")


def test_rows_of_the_public_engines() -> None:
    rows = [{"title": "t", "href": "https://example.org", "body": "b"}]
    assert results(rows, url="href", snippet="body", limit=5) == [
        {"title": "t", "url": "https://example.org", "snippet": "b"}
    ]
