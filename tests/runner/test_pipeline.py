"""The one path: events in order, flush, budgets, cancel."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from aloi.core.binding import Binding
from aloi.core.evaluator import bound
from aloi.core.outcome import Outcome
from aloi.core.run import RunLimits
from aloi.core.score import Verdict
from aloi.core.usage import Usage
from aloi.runner import pipeline
from aloi.runner.budget import Budget
from aloi.runner.grade import Grader
from aloi.runner.local import LocalExecutor
from aloi.runner.plan import PlacedCase, plan
from aloi.runner.task import CaseTask, Graded, Invoked, Place
from aloi.runner.worker import Worker
from tests.runner.stand_ins import ListSink, build, case, invoker, stream, task


async def echo(invocation: Any, ctx: Any) -> Any:
    return invocation.input


GRADER = Grader(bindings=bound([Binding.model_validate({"kind": "equals"})], build), build=build)


async def carry_out(
    tasks: Any, do: Any = echo, limits: RunLimits | None = None, at_once: int = 3
) -> tuple[Any, ListSink]:
    sink = ListSink()
    worker = Worker(invoker(do), GRADER)
    reason = await pipeline.run(tasks, worker.run_case, LocalExecutor(at_once), sink, Budget(limits or RunLimits()))
    return reason, sink


async def test_each_task_gives_its_outcome_and_then_its_result() -> None:
    reason, sink = await carry_out(stream(*(task(n, f"input {n}") for n in range(20))))
    assert reason is None
    assert sink.flushed == 40
    for position in range(20):
        own = [event for event in sink.events if event.place == Place(position, 0)]
        assert [type(event) for event in own] == [Invoked, Graded]
    assert {graded.result.verdict for graded in sink.graded} == {Verdict.PASS}


async def test_a_stored_outcome_is_graded_without_invoking() -> None:
    async def never(invocation: Any, ctx: Any) -> Any:
        raise AssertionError("invoked again")

    stored = CaseTask(Place(0, 0), case(0, "kept"), Outcome(output="kept"))
    _, sink = await carry_out(stream(stored), never)
    assert [type(event) for event in sink.events] == [Graded]
    assert sink.graded[0].result.verdict is Verdict.PASS


async def test_the_plan_leaves_out_what_is_done() -> None:
    async def cases() -> AsyncIterator[PlacedCase]:
        for position in range(3):
            yield PlacedCase(position, case(position))

    done = {Place(0, 0), Place(2, 1)}
    stored = Outcome(output="kept")

    async def outcome_of(place: Place) -> Outcome | None:
        return stored if place == Place(1, 1) else None

    tasks = [item async for item in plan(cases(), 2, done, outcome_of)]
    assert [item.place for item in tasks] == [(0, 1), (1, 0), (1, 1), (2, 0)]
    assert [item.outcome for item in tasks] == [None, None, stored, None]


@pytest.mark.parametrize("limits", [RunLimits(max_tokens=50), RunLimits(max_cost=0.05)])
async def test_a_budget_stops_the_run_and_keeps_what_is_finished(limits: RunLimits) -> None:
    budget = Budget(limits)
    sink = ListSink()
    worker = Worker(invoker(echo), GRADER)
    for _ in range(5):
        budget.add(Invoked(Place(0, 0), Outcome(output="", usage=Usage(calls=1, input_tokens=10, cost=0.01))))
    reason = await pipeline.run(stream(*map(task, range(100))), worker.run_case, LocalExecutor(3), sink, budget)
    assert reason is not None
    assert "budget" in reason
    assert sink.events == []


async def test_a_cancel_keeps_what_is_finished_and_flushes() -> None:
    async def some_hang(invocation: Any, ctx: Any) -> Any:
        if invocation.case_key in ("c3", "c4", "c5"):
            await asyncio.sleep(60)
        return invocation.input

    sink = ListSink()
    worker = Worker(invoker(some_hang), GRADER)
    tasks = stream(*(task(n) for n in range(10)))
    work = asyncio.create_task(pipeline.run(tasks, worker.run_case, LocalExecutor(3), sink, Budget(RunLimits())))
    async with asyncio.timeout(5):
        while len(sink.graded) < 3:
            await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert {event.place.position for event in sink.graded} == {0, 1, 2}
    assert sink.flushed == len(sink.events)


async def test_a_sink_that_fails_ends_the_run() -> None:
    class Full(ListSink):
        async def record(self, event: Any) -> None:
            raise OSError("the disk is full")

    worker = Worker(invoker(echo), GRADER)
    with pytest.raises(OSError, match="full"):
        await pipeline.run(stream(*map(task, range(9))), worker.run_case, LocalExecutor(2), Full(), Budget(RunLimits()))


async def test_when_it_is_drained_nothing_begins_and_what_is_in_flight_ends() -> None:
    draining, released = asyncio.Event(), asyncio.Event()
    begun: list[str] = []

    async def slow(invocation: Any, ctx: Any) -> Any:
        begun.append(invocation.input)
        if len(begun) == 3:
            draining.set()
        await released.wait()
        return invocation.input

    sink = ListSink()
    worker = Worker(invoker(slow), GRADER)
    tasks = stream(*(task(n, f"input {n}") for n in range(50)))
    work = asyncio.create_task(
        pipeline.run(tasks, worker.run_case, LocalExecutor(3), sink, Budget(RunLimits()), draining)
    )
    await draining.wait()
    assert not work.done()
    released.set()
    assert await work is None
    assert begun == ["input 0", "input 1", "input 2"]
    assert len(sink.graded) == 3
    assert sink.flushed == 6
