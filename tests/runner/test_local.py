"""The local executor: concurrency, order, faults, interruption. The contract suite for all executors builds on it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

import pytest

from aloi.core.outcome import Outcome
from aloi.runner.local import LocalExecutor
from aloi.runner.task import CaseEvent, CaseTask, Invoked
from tests.runner.stand_ins import stream, task


class Gauge:
    """Counts how many tasks are at work."""

    def __init__(self) -> None:
        self.now = 0
        self.most = 0
        self.interrupted = 0

    async def run_case(self, item: CaseTask) -> AsyncGenerator[CaseEvent, None]:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(0.001)
            yield Invoked(item.place, Outcome(output=item.place.position))
        except (asyncio.CancelledError, GeneratorExit):
            self.interrupted += 1
            raise
        finally:
            self.now -= 1


async def test_every_task_is_done_once_and_no_more_than_allowed_at_a_time() -> None:
    gauge = Gauge()
    events = [event async for event in LocalExecutor(7).map(gauge.run_case, stream(*map(task, range(100))))]
    assert sorted(event.place.position for event in events) == list(range(100))
    assert gauge.most == 7
    assert gauge.now == 0


async def test_no_tasks_gives_no_events() -> None:
    assert [event async for event in LocalExecutor(3).map(Gauge().run_case, stream())] == []


async def test_tasks_are_drawn_only_as_they_are_needed() -> None:
    drawn = 0

    async def endless() -> AsyncIterator[CaseTask]:
        nonlocal drawn
        while True:
            drawn += 1
            yield task(drawn)

    async with aclosing(LocalExecutor(2).map(Gauge().run_case, endless())) as events:
        async for event in events:
            if event.place.position >= 3:
                break
    assert drawn < 30


async def test_closing_interrupts_what_is_in_flight() -> None:
    gauge = Gauge()
    hung = asyncio.Event()

    async def hang(item: CaseTask) -> AsyncGenerator[CaseEvent, None]:
        if item.place.position == 0:
            yield Invoked(item.place, Outcome(output="first"))
        gauge.now += 1
        hung.set()
        try:
            await asyncio.Event().wait()
        finally:
            gauge.now -= 1

    async with aclosing(LocalExecutor(3).map(hang, stream(*map(task, range(10))))) as events:
        await anext(events)
        await hung.wait()
    assert gauge.now == 0


async def test_closing_does_not_hang_while_the_queue_is_full() -> None:
    async def chatty(item: CaseTask) -> AsyncGenerator[CaseEvent, None]:
        while True:
            yield Invoked(item.place, Outcome(output="again"))
            await asyncio.sleep(0)

    async with asyncio.timeout(5), aclosing(LocalExecutor(1).map(chatty, stream(task()))) as events:
        await anext(events)
        for _ in range(50):
            await asyncio.sleep(0)


@pytest.mark.parametrize("concurrency", [1, 4])
async def test_a_fault_of_ours_is_raised_and_ends_the_rest(concurrency: int) -> None:
    gauge = Gauge()

    async def faulty(item: CaseTask) -> AsyncGenerator[CaseEvent, None]:
        if item.place.position == 5:
            raise LookupError("a bug")
        async for event in gauge.run_case(item):
            yield event

    with pytest.raises(LookupError, match="a bug"):
        async for _ in LocalExecutor(concurrency).map(faulty, stream(*map(task, range(50)))):
            pass
    assert gauge.now == 0


async def test_a_fault_in_the_plan_is_raised() -> None:
    async def plan() -> AsyncIterator[CaseTask]:
        yield task(0)
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        async for _ in LocalExecutor(2).map(Gauge().run_case, plan()):
            pass


async def test_a_task_that_will_not_be_interrupted_is_left_behind() -> None:
    let_go = asyncio.Event()

    async def stubborn(item: CaseTask) -> AsyncGenerator[CaseEvent, None]:
        yield Invoked(item.place, Outcome(output="first"))
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    async with asyncio.timeout(5), aclosing(LocalExecutor(1).map(stubborn, stream(task()))) as events:
        await anext(events)
    let_go.set()
    await asyncio.sleep(0.01)
