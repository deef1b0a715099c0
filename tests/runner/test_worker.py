"""One task: the outcome goes out first, then what others sent of it, then the result."""

from typing import Any, ClassVar

import pytest

from aloi.core.binding import Binding
from aloi.core.evaluator import Evaluator, bound
from aloi.core.outcome import Outcome
from aloi.core.run import RunLimits
from aloi.core.target import Invocation, Reply, Target, TargetContext
from aloi.core.usage import Usage
from aloi.runner.budget import Budget
from aloi.runner.grade import Grader
from aloi.runner.invoke import Invoker
from aloi.runner.task import CaseEvent, CaseTask, Completed, Graded, Invoked, Place
from aloi.runner.worker import Worker
from tests.runner.stand_ins import Equals, case, context, task

SPENT = Usage(calls=1, input_tokens=60, output_tokens=40, unpriced=1)


class Elsewhere(Target):
    """Answers with its input; spans of it may come within five seconds."""

    kind: ClassVar[str] = "elsewhere"

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        return Reply(output=invocation.input, shows_tools=False)

    def span_seconds(self) -> float | None:
        return 5.0


class Here(Elsewhere):
    """The same in this process."""

    kind: ClassVar[str] = "here"

    def span_seconds(self) -> float | None:
        return None


class Reading(Equals):
    """The same as `Equals`, by the trace."""

    kind: ClassVar[str] = "reading"
    reads_trace: ClassVar[bool] = True


class Sent:
    """Evidence that came: what was expected and waited for, and what it makes of an outcome."""

    def __init__(self) -> None:
        self.expected: list[tuple[str, float]] = []
        self.awaited: list[float] = []

    async def expect(self, trace_id: str, seconds: float) -> None:
        self.expected.append((trace_id, seconds))

    async def completed(self, outcome: Outcome, seconds: float) -> Outcome:
        self.awaited.append(seconds)
        return outcome.model_copy(update={"usage": SPENT})


def build(spec: Any) -> Evaluator:
    return Reading() if spec["kind"] == "reading" else Equals()


async def events(evaluator: str, target: Target, sent: Sent, given: CaseTask | None = None) -> list[CaseEvent]:
    grader = Grader(bindings=bound([Binding.model_validate({"kind": evaluator})], build), build=build)
    worker = Worker(Invoker(target, context, 2.0, evidence=sent), grader, sent)
    return [event async for event in worker.run_case(given or task(0, "input 0"))]


async def test_what_came_replaces_the_outcome_before_it_is_graded() -> None:
    sent = Sent()
    invoked, completed, graded = await events("reading", Elsewhere(), sent)
    assert isinstance(invoked, Invoked) and isinstance(completed, Completed) and isinstance(graded, Graded)
    assert invoked.outcome.trace is not None
    assert sent.expected == [(invoked.outcome.trace.trace_id, 7.0)]
    assert sent.awaited == [5.0]
    assert (invoked.outcome.usage, completed.outcome.usage, completed.added) == (Usage(), SPENT, SPENT)
    assert graded.result.outcome == completed.outcome


@pytest.mark.parametrize(("evaluator", "target"), [("equals", Elsewhere()), ("reading", Here())])
async def test_nothing_is_waited_for_in_vain(evaluator: str, target: Target) -> None:
    sent = Sent()
    assert [type(event) for event in await events(evaluator, target, sent)] == [Invoked, Graded]
    assert sent.awaited == []
    assert len(sent.expected) == (target.kind == "elsewhere")


async def test_an_outcome_that_was_stored_is_completed_without_invoking() -> None:
    sent = Sent()
    stored = CaseTask(Place(0, 0), case(0, "input 0"), Outcome(output="input 0"))
    assert [type(event) for event in await events("reading", Elsewhere(), sent, stored)] == [Completed, Graded]
    assert sent.expected == []


async def test_a_budget_counts_what_spans_tell_once() -> None:
    budget = Budget(RunLimits(max_tokens=150))
    for event in await events("reading", Elsewhere(), Sent()):
        budget.add(event)
    assert budget.exceeded is None
    budget.add(Completed(Place(1, 0), Outcome(output="x"), SPENT))
    assert budget.exceeded is not None
