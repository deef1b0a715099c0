"""What is done with one task, wherever it is done."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from aloi.core.outcome import Outcome
from aloi.core.usage import NO_USAGE
from aloi.runner.evidence import NO_EVIDENCE, Evidence
from aloi.runner.grade import Grader
from aloi.runner.invoke import Invoker
from aloi.runner.task import CaseEvent, CaseTask, Completed, Graded, Invoked


@dataclass(frozen=True)
class Worker:
    """Invokes the target, unless that was done before, then grades.

    `evidence` brings the spans that a target sends by itself, where an evaluator of the case reads them.
    """

    invoker: Invoker
    grader: Grader
    evidence: Evidence = NO_EVIDENCE

    async def run_case(self, task: CaseTask) -> AsyncGenerator[CaseEvent, None]:
        """The events of one task. The outcome is given out before anything is waited for and before grading starts."""
        outcome = task.outcome
        if outcome is None:
            outcome = await self.invoker.invoke(task)
            yield Invoked(task.place, outcome)
        whole = await self._completed(task, outcome)
        if whole is not outcome:
            yield Completed(task.place, whole, NO_USAGE if whole.usage == outcome.usage else whole.usage)
        yield Graded(task.place, await self.grader.grade(task, whole))

    async def _completed(self, task: CaseTask, outcome: Outcome) -> Outcome:
        seconds = self.invoker.target.span_seconds()
        if seconds is None or outcome.failure is not None or not self.grader.reads_trace(task.case):
            return outcome
        return await self.evidence.completed(outcome, seconds)
