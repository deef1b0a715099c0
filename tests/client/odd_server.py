"""A server that answers as a test wants: whatever an Aloi server would never say."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class OddServer:
    """Gives the answers one after the other, the last one again and again; `asked` are the requests as they came."""

    url: str
    answers: Sequence[bytes]
    asked: list[str] = field(default_factory=list[str])


def answer(body: bytes, status: str = "200 OK", headers: str = "", length: int | None = None) -> bytes:
    """An answer; `length` is what it says that its body has, null for the truth."""
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status}\r\nContent-Length: {size}\r\n{headers}Connection: close\r\n\r\n".encode() + body


@asynccontextmanager
async def odd_server(*answers: bytes) -> AsyncGenerator[OddServer]:
    """A server on the loopback. An empty answer closes the connection; without any it never answers."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        server.asked.append(head.decode())
        if answers:
            writer.write(answers[min(len(server.asked), len(answers)) - 1])
            writer.close()
        else:
            await reader.read()
            writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    server = OddServer(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", answers)
    async with listening:
        yield server
