"""The limiter: order, lowering, recovery, and that a cancelled task never keeps a place."""

import asyncio

import pytest

from aloi.llm.limits import Limiter
from tests.llm.waits import Waits


async def settle() -> None:
    """Let every task go on until it waits."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_no_more_than_the_ceiling_are_let_in() -> None:
    limiter = Limiter(2)
    tasks = [asyncio.create_task(limiter.enter()) for _ in range(3)]
    await settle()
    assert [task.done() for task in tasks] == [True, True, False]
    limiter.leave()
    await settle()
    assert tasks[2].done()
    assert limiter.in_flight == 2


async def test_places_are_given_in_the_order_of_asking() -> None:
    limiter = Limiter(1)
    await limiter.enter()
    order: list[int] = []

    async def take(number: int) -> None:
        await limiter.enter()
        order.append(number)
        limiter.leave()

    tasks = [asyncio.create_task(take(number)) for number in range(5)]
    await settle()
    limiter.leave()
    await asyncio.gather(*tasks)
    assert order == [0, 1, 2, 3, 4]
    assert limiter.in_flight == 0


async def test_requests_of_one_round_halve_the_pace_once() -> None:
    limiter = Limiter(1000)
    rounds = [await limiter.enter() for _ in range(40)]
    told = [limiter.throttled(sent_in, 0.0) for sent_in in rounds]
    assert limiter.limit == 20
    assert all(told)


async def test_the_pace_never_falls_below_one() -> None:
    limiter = Limiter(8)
    sent_in = await limiter.enter()
    assert not limiter.throttled(sent_in, 0.0)
    assert limiter.limit == 1
    limiter.leave()
    assert await asyncio.wait_for(limiter.enter(), 1) == 0


async def test_a_round_of_successes_adds_one() -> None:
    limiter = Limiter(100)
    for sent_in in [await limiter.enter() for _ in range(20)]:
        limiter.throttled(sent_in, 0.0)
    for _ in range(20):
        limiter.leave()
    assert limiter.limit == 10
    for _ in range(11):
        limiter.succeeded()
    assert limiter.limit == 11
    for _ in range(20_000):
        limiter.succeeded()
    assert limiter.limit == 100


async def test_a_pause_holds_everybody_back_until_it_ends(waits: Waits) -> None:
    limiter = Limiter(4, clock=waits.clock, sleep=waits.sleep)
    sent_in = await limiter.enter()
    limiter.throttled(sent_in, 7.0)
    limiter.leave()
    await limiter.enter()
    assert waits.now == 7.0
    limiter.leave()
    await limiter.enter()
    assert waits.slept == [7.0]


async def test_a_cancelled_waiter_leaves_no_trace() -> None:
    limiter = Limiter(1)
    await limiter.enter()
    first, second = (asyncio.create_task(limiter.enter()) for _ in range(2))
    await settle()
    first.cancel()
    await settle()
    limiter.leave()
    await asyncio.wait_for(second, 1)
    assert limiter.in_flight == 1


async def test_a_place_given_in_the_moment_of_cancellation_is_given_back() -> None:
    limiter = Limiter(1)
    await limiter.enter()
    waiter = asyncio.create_task(limiter.enter())
    await settle()
    limiter.leave()  # the waiter has the place now, but has not run yet
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert limiter.in_flight == 0


async def test_a_task_cancelled_in_a_pause_gives_its_place_back() -> None:
    limiter = Limiter(4)
    limiter.throttled(await limiter.enter(), 60.0)
    limiter.leave()
    waiter = asyncio.create_task(limiter.enter())
    await settle()
    assert limiter.in_flight == 1
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert limiter.in_flight == 0
