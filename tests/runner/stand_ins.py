"""Small targets, evaluators and sinks for the tests of the runner."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any, ClassVar

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.chat import ChatModel, ModelSpec
from aloi.core.errors import InvalidInput
from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.score import Score, passed_if
from aloi.core.spec import JsonObject
from aloi.core.target import HttpReply, HttpRequest, Invocation, Reply, Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.runner.invoke import Invoker
from aloi.runner.task import CaseEvent, CaseTask, Graded, Place
from aloi.tracing.recorder import Recording


class Scripted(Target):
    """A target that does what the function given to `scripted` does."""

    kind: ClassVar[str] = "scripted"
    uses_workspace: ClassVar[bool] = True
    _do: Any = None

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        return Reply(output=await self._do(invocation, ctx))


def scripted(do: Callable[[Invocation, TargetContext], Any]) -> Scripted:
    """A target whose answer is the function's."""
    target = Scripted()
    target.__pydantic_private__ = {"_do": do}
    return target


class Equals(Evaluator):
    """Pass when the output is the case's expected output."""

    kind: ClassVar[str] = "equals"

    def evaluate(self, ctx: EvaluationContext) -> Score:
        return passed_if(ctx.outcome.output == ctx.case.expected_output, "compared")


class Broken(Evaluator):
    """Raises."""

    kind: ClassVar[str] = "broken"

    async def evaluate(self, ctx: EvaluationContext) -> Score:
        await asyncio.sleep(0)
        raise ZeroDivisionError("by zero")


class Cancelling(Evaluator):
    """Raises a cancel of its own, which nobody asked for."""

    kind: ClassVar[str] = "cancelling"

    async def evaluate(self, ctx: EvaluationContext) -> Score:
        raise asyncio.CancelledError("its own")


class Hanging(Evaluator):
    """Never comes to a score."""

    kind: ClassVar[str] = "hanging"

    async def evaluate(self, ctx: EvaluationContext) -> Score:
        await asyncio.sleep(60)
        raise AssertionError("a hanging evaluator was woken")


def build(spec: Any) -> Evaluator:
    """The stand-in of a kind."""
    every: tuple[type[Evaluator], ...] = (Equals, Broken, Cancelling, Hanging)
    kinds = {evaluator.kind: evaluator for evaluator in every}
    if spec["kind"] not in kinds:
        raise InvalidInput(f"no kind {spec['kind']}")
    return kinds[spec["kind"]]()


class NoHttp:
    """Refuses to send."""

    async def send(self, request: HttpRequest) -> HttpReply:
        raise AssertionError("no HTTP in these tests")


def no_chat(spec: ModelSpec) -> ChatModel:
    """Refuses to give a model."""
    raise AssertionError("no model in these tests")


def context(recorder: Recording, workspace: str) -> TargetContext:
    """A context in which a target can do nothing outside."""
    tools = ToolContext(workspace=workspace, now=lambda: datetime.now(UTC))
    return TargetContext(chat=no_chat, http=NoHttp(), recorder=recorder, tools=tools)


def invoker(do: Callable[[Invocation, TargetContext], Any], seconds: float = 5.0) -> Invoker:
    """An invoker of a scripted target."""
    return Invoker(target=scripted(do), context=context, seconds=seconds)


def case(position: int = 0, expected: JsonValue = None, **fields: Any) -> Case:
    """A case with a key and an id made from its position."""
    given: JsonObject = {"key": f"c{position}", "id": f"id-{position}", "input": f"input {position}", **fields}
    return Case.model_validate({**given, "expected_output": expected})


def task(position: int = 0, expected: JsonValue = None, **fields: Any) -> CaseTask:
    """The first trial of such a case."""
    return CaseTask(Place(position, 0), case(position, expected, **fields))


async def stream(*tasks: CaseTask) -> AsyncIterator[CaseTask]:
    """Tasks as a plan gives them."""
    for item in tasks:
        yield item


class ListSink:
    """Keeps events; `flushed` counts how many had been recorded when it was last flushed."""

    def __init__(self) -> None:
        self.events: list[CaseEvent] = []
        self.flushed = 0

    async def record(self, event: CaseEvent) -> None:
        self.events.append(event)

    async def flush(self) -> None:
        self.flushed = len(self.events)

    @property
    def graded(self) -> list[Graded]:
        return [event for event in self.events if isinstance(event, Graded)]
