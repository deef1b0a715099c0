"""A loopback web server that a test scripts."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class Site:
    """A loopback server: paths to replies. It counts its requests; `free` ends those that hang."""

    port: int = 0
    hits: list[str] = field(default_factory=list[str])
    replies: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    free: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, path: str, **reply: Any) -> None:
        """Answer `path` with a `web.Response(**reply)`."""
        self.replies[path] = reply

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.hits.append(request.path)
        if request.path == "/hang":
            await self.free.wait()
        if request.path in ("/endless", "/drip"):
            return await self._stream(request)
        return web.Response(**self.replies.get(request.path, {"status": 404}))

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        reply = web.StreamResponse(headers={"Content-Type": "text/plain"})
        await reply.prepare(request)
        while request.path == "/endless":
            await reply.write(b"x" * 10_000)
        await reply.write(b"a drop")
        await self.free.wait()
        return reply
