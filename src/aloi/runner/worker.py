"""What is done with one task, wherever it is done."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from aloi.runner.grade import Grader
from aloi.runner.invoke import Invoker
from aloi.runner.task import CaseEvent, CaseTask, Graded, Invoked


@dataclass(frozen=True)
class Worker:
    """Invokes the target, unless that was done before, then grades."""

    invoker: Invoker
    grader: Grader

    async def run_case(self, task: CaseTask) -> AsyncGenerator[CaseEvent, None]:
        """The events of one task. The outcome is given out before grading starts."""
        outcome = task.outcome
        if outcome is None:
            outcome = await self.invoker.invoke(task)
            yield Invoked(task.place, outcome)
        yield Graded(task.place, await self.grader.grade(task, outcome))
