"""A process answers so many calls of simulated tools at once, and some more wait."""

import asyncio

import pytest

from aloi.core.errors import TooMany
from aloi.service.process.desk import Desk


async def test_some_wait_and_more_are_refused() -> None:
    desk, go_on = Desk(at_once=1, most_waiting=1), asyncio.Event()
    inside: list[int] = []

    async def ask(number: int) -> None:
        async with desk.place():
            inside.append(number)
            await go_on.wait()

    async with asyncio.TaskGroup() as group:
        for number in (1, 2):
            group.create_task(ask(number))
        await asyncio.sleep(0.01)
        assert inside == [1]
        with pytest.raises(TooMany) as caught:
            await ask(3)
        assert caught.value.retry_after == 1
        go_on.set()
    assert inside == [1, 2]
    await ask(4)


async def test_one_answer_is_written_by_one() -> None:
    desk = Desk()
    one = desk.writing("run call")
    assert desk.writing("run call") is one
    assert desk.writing("run other") is not one
