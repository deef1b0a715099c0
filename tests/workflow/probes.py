"""Steps that do what a test says, and one invocation of a flow of them."""

from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal

from pydantic import JsonValue, PrivateAttr

from aloi.core.flow.graph import flow_of
from aloi.core.simulation import NO_STAND_INS, StandIns
from aloi.core.spec import JsonObject
from aloi.core.step import Reading, Step, StepContext, Waiting
from aloi.core.target import HttpReply, HttpRequest, Invocation, Question, TargetContext
from aloi.core.tool import ToolContext
from aloi.tracing.recorder import Recording
from aloi.workflow.engine import Shared, Surroundings, run
from aloi.workflow.progress import Keep, Progress

Work = Callable[[StepContext], Coroutine[Any, Any, JsonValue | Waiting]]


class Probe(Step):
    """Does what a function says."""

    kind: ClassVar[str] = "probe"
    component: ClassVar[Literal["tool", "step", "human"] | None] = "tool"
    refers: tuple[str, ...] = ()
    tool: str | None = None
    _work: Work = PrivateAttr()

    def reads(self) -> Sequence[Reading]:
        return [Reading(("refers", index), ("steps", name)) for index, name in enumerate(self.refers)]

    def arguments(self, document: JsonObject) -> JsonValue:
        steps = document["steps"]
        assert isinstance(steps, dict)
        return {name: steps[name] for name in self.refers}  # so that a step that runs too early breaks

    def tool_name(self) -> str | None:
        return self.tool

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue | Waiting:
        return await self._work(ctx)


async def its_path(ctx: StepContext) -> JsonValue:
    """Work that gives the step's path."""
    return ctx.path


def probe(name: str, *refers: str, work: Work = its_path, **fields: Any) -> Probe:
    made = Probe(name=name, refers=refers, **fields)
    made._work = work
    return made


def fails(error: BaseException, times: int = 1_000) -> Work:
    """Work that fails so many times, then gives the path."""
    left = [times]

    async def work(ctx: StepContext) -> JsonValue:
        left[0] -= 1
        if left[0] >= 0:
            raise error
        return ctx.path

    return work


async def asks(ctx: StepContext) -> JsonValue | Waiting:
    """Work that needs a person's answer."""
    if ctx.path in ctx.answers:
        return ctx.answers[ctx.path]
    return Waiting((Question(step=ctx.path, text="Well?"),))


class NoHttp:
    """A door through which nothing goes."""

    async def send(self, request: HttpRequest) -> HttpReply:
        raise AssertionError(request.url)


def no_chat(spec: object) -> Any:
    raise AssertionError(spec)


def target_context(recorder: Recording, stand_ins: StandIns = NO_STAND_INS, keep: Keep | None = None) -> TargetContext:
    tools = ToolContext(workspace="", now=lambda: datetime.now(UTC))
    return TargetContext(chat=no_chat, http=NoHttp(), recorder=recorder, tools=tools, stand_ins=stand_ins, keep=keep)


class Ran:
    """One invocation of steps: what they gave by name, who is asked, and the spans."""

    def __init__(
        self,
        steps: Sequence[Step],
        answers: dict[str, JsonValue] | None = None,
        state: JsonObject | None = None,
        stand_ins: StandIns = NO_STAND_INS,
        keep: Keep | None = None,
    ) -> None:
        self.flow = flow_of(steps)
        self.recorder = Recording()
        self.document: JsonObject = {"input": "given", "steps": {}}
        self.progress = Progress(state, keep)
        self.questions: tuple[Question, ...] = ()
        invocation = Invocation(input="given", state=state, answers=answers or {})
        self.shared = Shared(target_context(self.recorder, stand_ins, keep), invocation, self.progress)

    async def done(self) -> "Ran":
        self.questions = await run(self.flow, self.document, self.shared, Surroundings())
        return self

    @property
    def outputs(self) -> Any:
        return self.document["steps"]
