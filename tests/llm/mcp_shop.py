"""An MCP server for the tests: `price` tells a price and knows none of `air`.

Run as a program it speaks on its standard streams, and adds a line to the file it is given: starts can be counted.
"""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

Message = MutableMapping[str, Any]


def shop() -> MCPServer:
    """The server, not yet connected to anything."""
    server = MCPServer("shop", log_level="CRITICAL")

    @server.tool()
    def price(item: str) -> str:  # pyright: ignore[reportUnusedFunction]
        """Tell the price of an item."""
        if item == "air":
            raise ValueError("it has none")
        return f"{item} costs {os.environ.get('SHOP_PRICE', '5')}"

    @server.tool()
    def echo(item: str) -> str:  # pyright: ignore[reportUnusedFunction] - the decorator keeps it
        """Repeat a secret of the shop; for air, in the error."""
        if item == "air":
            raise ToolError("wrong key: sh0p-secret")
        return f"{item}, and your key is sh0p-secret"

    return server


class HttpShop:
    """The shop over HTTP, counting the connections that clients open. `headers` are those of the last request."""

    def __init__(self) -> None:
        self.connections = 0
        self.headers: dict[str, str] = {}
        self.url = ""
        self._app = shop().streamable_http_app()

    async def __call__(
        self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        async def counted() -> Message:
            message = await receive()
            opens = (b'"server/discover"', b'"initialize"')
            self.connections += any(word in message.get("body", b"") for word in opens)
            return message

        if scope["type"] == "http":
            self.headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        await self._app(scope, counted, send)


@asynccontextmanager
async def serve_shop() -> AsyncGenerator[HttpShop]:
    """The shop on a free port of the loopback, in the present loop."""
    app = HttpShop()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    app.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/mcp"
    try:
        yield app
    finally:
        server.should_exit = True
        await task


if __name__ == "__main__":
    with Path(sys.argv[1]).open("a") as starts:
        starts.write("started\n")
    shop().run()
