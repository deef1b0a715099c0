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


async def test_whoever_waits_for_a_model_leaves_the_place_to_others_and_comes_back_to_one() -> None:
    desk, go_on, seen = Desk(at_once=1, most_waiting=2), asyncio.Event(), list[str]()

    async def hang() -> None:
        async with desk.place():
            async with desk.away():
                await go_on.wait()
            seen.append("the slow one")

    async def answer() -> None:
        async with desk.place():
            seen.append("a fixed answer")

    slow = asyncio.create_task(hang())
    await asyncio.sleep(0)
    await asyncio.wait_for(answer(), 5)
    async with desk.place():
        go_on.set()
        await asyncio.sleep(0.01)
        assert seen == ["a fixed answer"], "there is one place alone"
    await slow
    assert seen == ["a fixed answer", "the slow one"]


async def test_who_is_cancelled_while_away_leaves_as_many_places_as_before() -> None:
    desk, inside = Desk(at_once=1, most_waiting=9), list[int]()

    async def hang() -> None:
        async with desk.place(), desk.away():
            await asyncio.Event().wait()

    async def stay(number: int) -> None:
        async with desk.place():
            inside.append(number)
            await asyncio.Event().wait()

    slow = asyncio.create_task(hang())
    await asyncio.sleep(0)
    first = asyncio.create_task(stay(1))
    await asyncio.sleep(0)
    for _ in range(2):  # while it is away, and while it waits to come back
        slow.cancel()
        await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(slow, first, return_exceptions=True)
    rest = [asyncio.create_task(stay(number)) for number in (2, 3)]
    await asyncio.sleep(0.01)
    assert inside == [1, 2]
    for task in rest:
        task.cancel()


async def test_one_answer_is_written_by_one() -> None:
    desk = Desk()
    one = desk.writing("run call")
    assert desk.writing("run call") is one
    assert desk.writing("run other") is not one
