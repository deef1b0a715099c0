"""Running coroutines for callers that are not async."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
START_SECONDS = 1.0


def finish(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end; on a thread of its own where a loop is running already, as in a notebook.

    Ctrl-C cancels the work either way, and is raised when that has ended.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    started: Future[asyncio.Task[T]] = Future()
    with ThreadPoolExecutor(max_workers=1) as pool:
        try:
            return pool.submit(asyncio.run, _announced(work, started)).result()
        except KeyboardInterrupt:
            with suppress(TimeoutError, RuntimeError):  # it never began, or its loop is closed: it has ended
                task = started.result(timeout=START_SECONDS)
                task.get_loop().call_soon_threadsafe(task.cancel)
            raise


async def _announced(work: Coroutine[Any, Any, T], started: Future[asyncio.Task[T]]) -> T:
    """The work as a task that another thread can get at."""
    task = asyncio.create_task(work)
    started.set_result(task)
    return await task
