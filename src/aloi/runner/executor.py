"""The seam between the path of a run and where its work is done."""

from collections.abc import AsyncGenerator, AsyncIterable, Callable
from typing import Protocol

from aloi.runner.task import CaseEvent, CaseTask

RunCase = Callable[[CaseTask], AsyncGenerator[CaseEvent, None]]


class Executor(Protocol):
    """Carries out tasks somewhere, several at once, and gives back their events as they come."""

    def map(self, run_case: RunCase, tasks: AsyncIterable[CaseTask]) -> AsyncGenerator[CaseEvent, None]:
        """Work on the tasks in order until they end. Closing the iterator interrupts what is in flight."""
        ...
