"""Work for a caller who waits, and for one who leaves."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from starlette.requests import Request
from starlette.types import Message

from aloi.api.leaving import while_connected
from aloi.core.errors import Conflict, NotFound

SCOPE = {"type": "http", "method": "POST", "path": "/", "headers": []}


def request(receive: Callable[[], Awaitable[Message]]) -> Request:
    return Request(SCOPE, receive)


async def stays() -> Message:
    await asyncio.sleep(60)
    return {"type": "http.disconnect"}


async def leaves() -> Message:
    await asyncio.sleep(0.01)
    return {"type": "http.disconnect"}


async def test_who_waits_gets_what_the_work_gives() -> None:
    async def work() -> int:
        return 42

    assert await while_connected(request(stays), work()) == 42


async def test_an_error_of_the_work_is_raised() -> None:
    async def work() -> int:
        raise NotFound("there is none")

    with pytest.raises(NotFound, match="there is none"):
        await while_connected(request(stays), work())


async def test_when_the_caller_leaves_the_work_is_over_before_anything_else() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            ended.append("cleaned up")

    with pytest.raises(Conflict, match="left"):
        await while_connected(request(leaves), work())
    assert ended == ["cleaned up"]
