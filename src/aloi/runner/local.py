"""The executor that works in this process, on its event loop."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable
from contextlib import aclosing

from aloi.runner.executor import RunCase
from aloi.runner.task import CaseEvent, CaseTask

GRACE_SECONDS = 0.5


class LocalExecutor:
    """So many tasks at once as coroutines; a new one starts when one ends."""

    def __init__(self, concurrency: int) -> None:
        self._concurrency = concurrency

    async def map(self, run_case: RunCase, tasks: AsyncIterable[CaseTask]) -> AsyncGenerator[CaseEvent, None]:
        """See `Executor.map`. The first exception of a task or of the plan ends all and is raised."""
        events: asyncio.Queue[CaseEvent | None] = asyncio.Queue(maxsize=4 * self._concurrency)
        source = aiter(tasks)
        turn = asyncio.Lock()

        async def work() -> None:
            while True:
                async with turn:
                    task = await anext(source, None)
                if task is None:
                    return
                async with aclosing(run_case(task)) as stream:
                    async for event in stream:
                        await events.put(event)

        async def work_all() -> None:
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self._concurrency):
                        group.create_task(work())
            except* Exception as faults:
                # The reader is still there, so this cannot block; on a cancel it is not, and nothing is put.
                await events.put(None)
                raise faults.exceptions[0] from None
            await events.put(None)

        worker = asyncio.create_task(work_all())
        try:
            while (event := await events.get()) is not None:
                yield event
            await worker
        finally:
            worker.cancel()
            # A target that will not be interrupted is left behind: a cancel takes a second at most.
            await asyncio.wait([worker], timeout=GRACE_SECONDS)
