"""Runs the steps of a workflow: each as soon as those that it waits for are over.

What the engine adds to a step: its span, its stand-in, its deadline, its retries, and its place in the order. A step
that fails ends the invocation; those in flight are cancelled. A step that waits for people holds up only what follows
it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.step import Flow, Step, StepContext, Waiting
from aloi.core.target import Invocation, Question, TargetContext
from aloi.workflow.evidence import Evidence
from aloi.workflow.parallel import Tasks
from aloi.workflow.progress import Progress
from aloi.workflow.trying import carried_out, record_skipped


@dataclass(frozen=True)
class Shared:
    """What all flows of one invocation share."""

    ctx: TargetContext
    invocation: Invocation
    progress: Progress
    evidence: Evidence = field(default_factory=Evidence)


@dataclass(frozen=True)
class Surroundings:
    """Where a flow stands: what the paths of its steps begin with, and what was skipped around it."""

    at: str = ""
    skipped: frozenset[str] = frozenset()


async def run(flow: Flow, document: JsonObject, shared: Shared, around: Surroundings) -> tuple[Question, ...]:
    """Run the steps of a flow that are not over yet; their outputs come to stand in `document["steps"]`.

    Args:
        document: what expressions see: `{"input": ..., "steps": {}}`. It is filled while the steps end.

    Returns:
        What people must answer before the rest can run; empty when every step is over.

    Raises:
        StageFailure: a step failed (stage `invoke`); the message names it.
    """
    running = _Running(flow, document, shared, around)
    for step in flow.steps:
        if not flow.waits[step.name]:
            running.tasks.start(running.chain(step))
    await running.tasks.over()
    return tuple(running.questions)


@dataclass
class _Running:
    flow: Flow
    document: JsonObject
    shared: Shared
    around: Surroundings
    questions: list[Question] = field(default_factory=list[Question])
    tasks: Tasks = field(default_factory=Tasks)

    def __post_init__(self) -> None:
        self._left = {name: len(before) for name, before in self.flow.waits.items()}
        self._outputs = cast(JsonObject, self.document["steps"])
        self._skipped = set(self.around.skipped)

    async def chain(self, step: Step) -> None:
        """Run a step, and behind it what it alone held up; what else has become ready gets tasks of its own."""
        following: Step | None = step
        while following is not None:
            is_over = await self._run(following)
            ready = self._ready_after(following) if is_over else []
            following = ready[0] if ready else None
            for other in ready[1:]:
                self.tasks.start(self.chain(other))

    def _ready_after(self, step: Step) -> list[Step]:
        ready: list[Step] = []
        for name in self.flow.followers[step.name]:
            self._left[name] -= 1
            if not self._left[name]:
                ready.append(self.flow.by_name[name])
        return ready

    async def _run(self, step: Step) -> bool:
        """Run a step unless it is over already. False when it waits for people."""
        path = self.around.at + step.name
        progress = self.shared.progress
        if path in progress.outputs:
            self._outputs[step.name] = progress.outputs[path]
            return True
        if path in progress.skipped or self._is_left_out(step):
            self._skip(step, path)
            return True
        output = await carried_out(step, self._context(path))
        if isinstance(output, Waiting):
            self.questions.extend(output.questions)
            return False
        self._outputs[step.name] = output
        await progress.finished(path, output, _items(step, path, output))
        return True

    def _is_left_out(self, step: Step) -> bool:
        """Whether its branches went other ways, or all that it depends on was skipped."""
        for name, wanted in step.when.items():
            ways = (wanted,) if isinstance(wanted, str) else wanted
            if self._outputs.get(name) not in ways:
                return True
        mentioned = self.flow.mentions[step.name]
        return bool(mentioned) and self._skipped.issuperset(mentioned)

    def _skip(self, step: Step, path: str) -> None:
        self._outputs[step.name] = None
        self._skipped.add(step.name)
        if path not in self.shared.progress.skipped:
            record_skipped(step, self._context(path))
            self.shared.progress.left_out(path)

    def _context(self, path: str) -> StepContext:
        shared = self.shared
        return StepContext(
            target=shared.ctx,
            invocation=shared.invocation,
            path=path,
            document=self.document,
            answers=shared.invocation.answers,
            evidence=shared.evidence,
            spend=shared.progress.spend,
            inside=self._inside,
        )

    async def _inside(
        self, flow: Flow, more: JsonObject, at: str, output: Callable[[JsonObject], JsonValue]
    ) -> JsonValue | Waiting:
        """One round of the steps inside of a step; a round that was over before gives what it gave then."""
        progress = self.shared.progress
        if at in progress.outputs:
            return progress.outputs[at]
        document: JsonObject = {**self.document, **more, "steps": dict(self._outputs)}
        questions = await run(flow, document, self.shared, Surroundings(f"{at}.", frozenset(self._skipped)))
        if questions:
            return Waiting(questions)
        result = output(document)
        await progress.finished(at, result, [f"{at}.{step.name}" for step in flow.steps])
        return result


def _items(step: Step, path: str, output: JsonValue) -> list[str]:
    """The paths of the rounds of a step with others inside, which need not be kept when the step itself is over."""
    if step.flow() is None or not isinstance(output, list):
        return []
    return [f"{path}[{index}]" for index in range(len(output))]
