"""`web_search`: search results from public engines (`ddgs`, no key), or from a SearXNG of the operator's."""

import asyncio
import json
import math
from collections.abc import Mapping
from typing import Any, ClassVar, cast

import aiohttp
import ddgs
from ddgs.exceptions import DDGSException
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from yarl import URL

from aloi.core.errors import ToolFailure
from aloi.core.spec import JsonObject
from aloi.core.tool import Tool, ToolContext, object_schema

MAX_REPLY = 5_000_000  # bytes read of a SearXNG reply
MAX_TITLE = 200  # characters
MAX_SNIPPET = 500


class WebSearchInput(BaseModel):
    """Arguments of `web_search`."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(description="What to look for, as typed into a search engine.", min_length=1, max_length=400)


class WebSearch(Tool):
    """Search the web and return titles, addresses and short excerpts."""

    kind: ClassVar[str] = "web_search"
    Input = WebSearchInput
    Output: ClassVar[JsonObject | None] = {
        "type": "array",
        "items": object_schema(
            title={"type": "string"}, url={"type": "string", "format": "uri"}, snippet={"type": "string"}
        ),
    }

    max_results: int = Field(default=5, ge=1, le=20, description="Most results to return.")
    seconds: float = Field(default=10.0, gt=0, le=60, description="Longest wait for an answer.")
    proxy: str | None = Field(default=None, description="Proxy for the public engines, e.g. `socks5://host:1080`.")

    async def call(self, arguments: WebSearchInput, ctx: ToolContext) -> JsonValue:
        """`[{"title", "url", "snippet"}]`, best first; an empty list when nothing was found.

        Raises:
            ToolFailure: the engine cannot be reached, refuses, or is too slow.
        """
        query = arguments.query
        try:
            async with asyncio.timeout(self.seconds):
                if ctx.search_url is None:
                    rows = await asyncio.to_thread(self._ddgs, query)
                    return results(rows, url="href", snippet="body", limit=self.max_results)
                rows = await _searxng(ctx.search_url, query)
                return results(rows, url="url", snippet="content", limit=self.max_results)
        except TimeoutError:
            raise ToolFailure(
                f"the search took longer than {self.seconds:g} s; try again or shorten the query"
            ) from None

    def _ddgs(self, query: str) -> object:
        """Rows with `title`, `href`, `body` from the public engines; blocking."""
        try:
            # The package loads its engines (90 ms) when DDGS is first called, by a door that it does not type.
            engine = cast("Any", ddgs).DDGS(proxy=self.proxy, timeout=math.ceil(self.seconds))
            return engine.text(query, max_results=self.max_results)
        except DDGSException as exc:
            if "No results found" in str(exc):
                return []
            raise ToolFailure(f"the search failed: {exc}") from None


def search_address(base: str) -> URL:
    """A SearXNG's search address: `/search` is added to an instance's own address (no path, or one that ends in /)."""
    url = URL(base)
    return url / "search" if url.path.endswith("/") else url


def results(rows: object, *, url: str, snippet: str, limit: int) -> JsonValue:
    """The first `limit` rows in our words, each text cut to a bearable length; rows without a web address are left out.

    Args:
        rows: what the engine gave: a list of mappings, if all is well.
        url: the engine's name for the address.
        snippet: the engine's name for the excerpt.
        limit: most results.
    """
    found: list[JsonValue] = []
    for row in cast("list[object]", rows) if isinstance(rows, list) else []:
        if not isinstance(row, Mapping):
            continue
        fields = cast("Mapping[str, object]", row)
        address = _words(fields.get(url), 2000)
        if address.startswith(("http://", "https://")):
            title, excerpt = _words(fields.get("title"), MAX_TITLE), _words(fields.get(snippet), MAX_SNIPPET)
            found.append({"title": title, "url": address, "snippet": excerpt})
    return found[:limit]


def _words(value: object, limit: int) -> str:
    """Text on one line of at most `limit` characters; empty for anything that is not text."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if len(text) <= limit else text[: limit - 1] + "…"


async def _searxng(base: str, query: str) -> object:
    """Rows with `title`, `url`, `content` from a SearXNG-compatible address."""
    address = search_address(base).update_query(q=query, format="json")
    try:
        async with (
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.get(address, headers={"Accept": "application/json"}) as reply,
        ):
            if reply.status != 200:
                mend = "; its settings must allow the json format" if reply.status == 403 else ""
                raise ToolFailure(f"the search engine answered with status {reply.status}{mend}")
            body = await _read_up_to(reply.content, MAX_REPLY)
    except aiohttp.ClientError as exc:
        raise ToolFailure(f"the search engine cannot be reached: {type(exc).__name__}") from None
    return _rows(body)


async def _read_up_to(stream: aiohttp.StreamReader, limit: int) -> bytes:
    body = bytearray()
    async for chunk in stream.iter_chunked(1 << 16):
        body += chunk
        if len(body) > limit:
            raise ToolFailure(f"the search engine's answer is larger than {limit} bytes")
    return bytes(body)


def _rows(body: bytes) -> object:
    try:
        reply: object = json.loads(body)
    except (ValueError, RecursionError):
        raise ToolFailure("the search engine's answer is not JSON; check the address that the operator set") from None
    if not isinstance(reply, dict) or "results" not in reply:
        raise ToolFailure("the search engine's answer holds no results; check the address that the operator set")
    return cast("dict[str, object]", reply)["results"]
