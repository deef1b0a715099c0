"""A server that answers with exactly the bytes it is told to, and counts connections and requests."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


def http_answer(body: bytes, status: str = "200 OK", headers: str = "Content-Type: application/json\r\n") -> bytes:
    """One complete HTTP/1.1 answer."""
    return f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body


class RawServer:
    """`answers` go out in turn, the last one again and again; an empty one closes the connection at once."""

    def __init__(self, answers: list[bytes]) -> None:
        self.answers = answers
        self.connections = 0
        self.requests: list[bytes] = []
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next((int(h[15:]) for h in head.lower().split(b"\r\n") if h.startswith(b"content-length:")), 0)
                self.requests.append(head + await reader.readexactly(length))
                answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
                if not answer:
                    break
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def raw_server(*answers: bytes) -> AsyncGenerator[RawServer]:
    """A running one on the loopback; `url` is its address without a path."""
    raw = RawServer(list(answers))
    server = await asyncio.start_server(raw.serve, "127.0.0.1", 0)
    raw.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield raw
    finally:
        server.close()
