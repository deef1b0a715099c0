"""An agent that runs elsewhere and takes its tools from the MCP server whose address it is sent.

A request is `{"calls": [[TOOL, ARGUMENTS], ...], "mcp": URL}`; `"at_once": true` makes the calls all at once. It makes
them and answers `{"tools": [NAME, ...], "answers": [...]}`: what each call gave, or `{"error": ...}`. Without an
address it has real tools: they write into `folder`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self

from aiohttp import web
from mcp import Client
from mcp_types import CallToolResult, TextContent

Json = dict[str, Any]
Call = tuple[str, Json]


class McpAgent:
    """The service, on a port of the loopback.

    `urls`: the addresses that it was sent, in the header and in the body. `mode`: how it speaks MCP, `legacy` with a
    handshake. `servers`: where it makes its calls in turn, in the place of the server that it was sent to. `report`: is
    given the `traceparent` and the calls before it answers, to send spans of its own.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mode = "auto"
        self.servers: list[str] = []
        self.report: Callable[[str, list[Call]], Awaitable[None]] | None = None
        self.url = ""
        self.urls: list[tuple[str | None, str | None]] = []
        self.listed: list[Json] = []

    async def __aenter__(self) -> Self:
        """Listen."""
        app = web.Application()
        app.router.add_post("/answer", self._answer)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/answer"
        return self

    async def __aexit__(self, *_: object) -> None:
        """End."""
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        header = request.headers.get("Aloi-Mcp-Url")
        self.urls.append((header, body.get("mcp")))
        url = body.get("mcp") or header
        if url is None:
            return web.json_response({"tools": [], "answers": [self._real(*call) for call in body["calls"]]})
        answer = await self._simulated(url, body["calls"], body.get("at_once", False))
        if self.report is not None:
            await self.report(request.headers["traceparent"], body["calls"])
        return web.json_response(answer)

    def _real(self, tool: str, arguments: Json) -> Any:
        (self.folder / str(arguments.get("path", tool))).write_text("real")
        return "written"

    async def _simulated(self, url: str, calls: list[Call], at_once: bool) -> Json:
        token = url.rpartition("/")[2]
        urls = [f"{server}/mcp/{token}" for server in self.servers] or [url]
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Client(one, mode=self.mode)) for one in urls]
            tools = (await clients[0].list_tools()).tools
            self.listed = [tool.model_dump(mode="json", exclude_none=True, by_alias=True) for tool in tools]
            asked = [_call(clients[number % len(clients)], *call) for number, call in enumerate(calls)]
            answers = await asyncio.gather(*asked) if at_once else [await one for one in asked]
        return {"tools": [tool.name for tool in tools], "answers": answers}


async def _call(client: Client, tool: str, arguments: Json) -> Any:
    return said(await client.call_tool(tool, arguments))


def said(result: CallToolResult) -> Any:
    """What a call gave: its object, else its text; an error as `{"error": ...}`."""
    first = result.content[0]
    assert isinstance(first, TextContent)
    if result.is_error:
        return {"error": first.text}
    return first.text if result.structured_content is None else result.structured_content
