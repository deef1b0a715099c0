"""One step by itself, as the engine runs it: rendered over a document, run in a context, its failure caught."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import JsonValue

from aloi.core.errors import StageFailure
from aloi.core.spec import JsonObject
from aloi.core.step import Flow, Step, StepContext, Waiting
from aloi.core.target import Invocation, TargetContext
from aloi.core.tool import ToolContext
from aloi.core.trace import Trace
from aloi.core.usage import NO_USAGE, Usage
from aloi.llm.models import Models
from aloi.plugins import build
from aloi.tracing.recorder import Recording
from aloi.workflow.evidence import Evidence

S = TypeVar("S", bound=Step)
ENVIRON = {"TOKEN": "t0p-secret-token", "OPENAI_API_KEY": "sk-not-a-real-key"}


def step(kind: type[S], **fields: Any) -> S:
    """A step of that kind, built from its definition as a workflow builds it."""
    built = build("steps", {"kind": kind.kind, "name": "one", **fields}, Step)
    assert isinstance(built, kind)
    return built


async def at_once(seconds: float) -> None:
    """Waiting takes no time, since nothing here is about waiting."""


async def never_inside(flow: Flow, more: JsonObject, at: str, output: Callable[[JsonObject], JsonValue]) -> JsonValue:
    """No step here has others inside."""
    raise AssertionError("there are no steps inside")


@dataclass
class StepCalls:
    """Runs steps on one registry of models. `document` is what expressions see."""

    models: Models
    workspace: str = ""
    document: JsonObject = field(default_factory=lambda: JsonObject(input="Hi there", steps={}))
    recorder: Recording = field(default_factory=Recording)
    used: Usage = NO_USAGE

    async def run(self, one: Step, answers: Mapping[str, JsonValue] | None = None) -> JsonValue | Waiting:
        arguments = one.arguments(self.document)
        return await one.run(arguments, self.context(answers or {}))

    async def failure(self, one: Step, answers: Mapping[str, JsonValue] | None = None) -> StageFailure:
        """How it fails; no secret shows in that, nor in what was recorded."""
        try:
            output = await self.run(one, answers)
        except StageFailure as failure:
            assert failure.stage == "invoke"
            assert_no_secret(failure.message, self.trace)
            return failure
        raise AssertionError(f"it did not fail: {output!r}")

    def context(self, answers: Mapping[str, JsonValue]) -> StepContext:
        tools = ToolContext(workspace=self.workspace, now=lambda: datetime.now(UTC))
        target = TargetContext(
            chat=self.models.chat,
            http=self.models.http,
            recorder=self.recorder,
            tools=tools,
            agent_model=self.models.agent_model,
            cost=self.models.cost,
            environ=ENVIRON,
        )
        return StepContext(
            evidence=Evidence(),
            target=target,
            invocation=Invocation(input="Hi there", case_key="case-1", trial=2),
            path="one",
            document=self.document,
            answers=answers,
            spend=self._spend,
            inside=never_inside,
        )

    @property
    def trace(self) -> Trace:
        return self.recorder.trace()

    def _spend(self, usage: Usage) -> None:
        self.used += usage


def assert_no_secret(message: str, trace: Trace) -> None:
    """Neither a failure nor a trace shows a secret of the environment."""
    shown = message + trace.model_dump_json()
    assert [secret for secret in ENVIRON.values() if secret in shown] == []
