"""Tasks that run at the same time: when one fails the others are cancelled, and that failure comes out.

Not a `TaskGroup`: up to Python 3.12 one that fails leaves its own task marked as cancelled, which nobody asked for.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any


class Tasks:
    """Tasks that belong together. Start some, which may start more, then await `over`."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._is_ending = False
        self._last_ended = asyncio.Event()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin a task; nothing begins any more when one has failed."""
        if self._is_ending:
            work.close()
            return
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)

    async def over(self) -> None:
        """Wait until all are over, those that were started meanwhile too.

        Raises:
            Exception: what the task that failed first raised; the others were cancelled for it.
            CancelledError: this was cancelled, and so all tasks were.
        """
        cancel: asyncio.CancelledError | None = None
        while self._running:
            self._last_ended.clear()
            try:
                await self._last_ended.wait()
            except asyncio.CancelledError as error:
                cancel = error
                self._end_all()
        failure = cancel or self._failure
        if failure is not None:
            raise failure

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        failure = asyncio.CancelledError() if task.cancelled() else task.exception()
        if failure is not None and not self._is_ending:
            self._failure = failure
            self._end_all()
        if not self._running:
            self._last_ended.set()

    def _end_all(self) -> None:
        self._is_ending = True
        for task in self._running:
            task.cancel()
