"""The one execution path: tasks through an executor into a sink."""

from collections.abc import AsyncIterable, AsyncIterator
from contextlib import aclosing

from aloi.runner.budget import Budget
from aloi.runner.executor import Executor, RunCase
from aloi.runner.sink import ResultSink
from aloi.runner.task import CaseTask


async def run(
    tasks: AsyncIterable[CaseTask], run_case: RunCase, executor: Executor, sink: ResultSink, budget: Budget
) -> str | None:
    """Carry out the tasks and record every event.

    Cancelling the coroutine interrupts what is in flight; what was recorded is committed before it ends.

    Returns:
        Why the run stopped before its last task (a budget), or null when every task was done.

    Raises:
        AloiError: the sink could not commit.
    """
    try:
        async with aclosing(executor.map(run_case, _within(tasks, budget))) as events:
            async for event in events:
                budget.add(event)
                await sink.record(event)
    finally:
        await sink.flush()
    return budget.exceeded


async def _within(tasks: AsyncIterable[CaseTask], budget: Budget) -> AsyncIterator[CaseTask]:
    """The tasks until the budget is used up; those in flight then still end."""
    async for task in tasks:
        if budget.exceeded:
            return
        yield task
