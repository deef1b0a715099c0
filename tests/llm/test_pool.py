"""The pool: connections used again, bounded answers, and every way a connection can fail."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from yarl import URL

from aloi.llm.pool import Answer, Pool
from aloi.llm.retry import AttemptFailed
from tests.llm.raw_server import http_answer, raw_server


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    opened = Pool(answer_seconds=0.1)
    yield opened
    await opened.close()


async def get(pool: Pool, url: str, most: int = 1000) -> Answer:
    return await pool.send("POST", URL(url), {}, b"{}", most)


async def failed(pool: Pool, url: str, most: int = 1000) -> AttemptFailed:
    with pytest.raises(AttemptFailed) as caught:
        await get(pool, url, most)
    return caught.value


async def test_an_answer_of_any_status_comes_back(pool: Pool) -> None:
    async with raw_server(http_answer(b"no", "418 Teapot", "X-Some: Thing\r\n")) as server:
        answer = await get(pool, server.url)
    assert (answer.status, answer.headers["x-some"], answer.body) == (418, "Thing", b"no")


async def test_connections_are_used_again(pool: Pool) -> None:
    async with raw_server(http_answer(b"{}")) as server:
        for _ in range(5):
            await get(pool, server.url)
        assert (server.connections, len(server.requests)) == (1, 5)


async def test_many_go_at_once() -> None:
    pool = Pool()
    async with raw_server(http_answer(b"{}")) as server:
        await asyncio.gather(*(get(pool, server.url) for _ in range(250)))
        assert len(server.requests) == 250
    await pool.close()


async def test_redirects_are_not_followed(pool: Pool) -> None:
    async with raw_server(http_answer(b"", "302 Found", "Location: http://elsewhere.invalid/\r\n")) as server:
        assert (await get(pool, server.url)).status == 302


async def test_a_long_answer_is_cut_off(pool: Pool) -> None:
    async with raw_server(http_answer(b"x" * 1001)) as server:
        assert (await failed(pool, server.url)).failure.type == "too_large"
        assert len((await get(pool, server.url, 1001)).body) == 1001


async def test_nobody_listens(pool: Pool) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        error = await failed(pool, f"http://127.0.0.1:{taken.getsockname()[1]}/path?key=secret")
    assert (error.failure.type, error.cause) == ("connection", "unsent")
    assert "/path" in error.failure.message
    assert "secret" not in error.failure.message


async def test_the_connection_drops_before_the_answer(pool: Pool) -> None:
    async with raw_server(b"") as server:
        error = await failed(pool, server.url)
    assert (error.failure.type, error.cause) == ("connection", "dropped")


async def test_the_connection_drops_within_the_answer(pool: Pool) -> None:
    async with raw_server(http_answer(b"x" * 100)[:-50], b"") as server:
        error = await failed(pool, server.url)
    assert error.failure.type in ("connection", "timeout")


async def test_no_answer_in_time(pool: Pool) -> None:
    async with raw_server(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab") as server:
        error = await failed(pool, server.url)
    assert (error.failure.type, error.cause) == ("timeout", "final")


async def test_what_is_not_http(pool: Pool) -> None:
    async with raw_server(b"SSH-2.0-OpenSSH_9\r\n\r\n") as server:
        error = await failed(pool, server.url)
    assert (error.failure.type, error.cause) == ("bad_reply", "final")


async def test_a_header_that_is_none(pool: Pool) -> None:
    async with raw_server(http_answer(b"{}")) as server:
        with pytest.raises(AttemptFailed) as caught:
            await pool.send("GET", URL(server.url), {"X": "a\r\nb"}, None, 10)
    assert caught.value.failure.type == "bad_request"
    assert "a\r\nb" not in caught.value.failure.message
