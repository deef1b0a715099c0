"""The one execution path: tasks through an executor into a sink."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import aclosing

from aloi.runner.budget import Budget
from aloi.runner.executor import Executor, RunCase
from aloi.runner.sink import ResultSink
from aloi.runner.task import CaseTask


async def run(
    tasks: AsyncIterable[CaseTask],
    run_case: RunCase,
    executor: Executor,
    sink: ResultSink,
    budget: Budget,
    draining: asyncio.Event | None = None,
) -> str | None:
    """Carry out the tasks and record every event.

    Cancelling the coroutine interrupts what is in flight; what was recorded is committed before it ends.

    Args:
        draining: once it is set, no further task begins; those in flight end in peace.

    Returns:
        Why the run stopped before its last task (a budget), or null when every task was done, or it was drained.

    Raises:
        AloiError: the sink could not commit.
    """
    try:
        async with aclosing(executor.map(run_case, _within(tasks, budget, draining))) as events:
            async for event in events:
                budget.add(event)
                await sink.record(event)
    finally:
        await sink.flush()
    return budget.exceeded


async def _within(
    tasks: AsyncIterable[CaseTask], budget: Budget, draining: asyncio.Event | None
) -> AsyncIterator[CaseTask]:
    """The tasks until the budget is used up or nothing more may begin; those in flight then still end."""
    async for task in tasks:
        if budget.exceeded or (draining is not None and draining.is_set()):
            return
        yield task
