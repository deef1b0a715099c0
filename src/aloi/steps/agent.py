"""`agent`: an agent, written in the workflow or pinned from a saved target."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator

from aloi.core.chat import ModelSpec
from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.json_values import text_of
from aloi.core.keys import NamedKey
from aloi.core.spec import JsonObject
from aloi.core.step import Reading, Step, StepContext, Types
from aloi.core.target import Component, OpenSpan, Parked, PinnedTarget, Recorder, Target
from aloi.core.trace import COST, INPUT_TOKENS, OPERATION, OUTPUT_TOKENS
from aloi.core.usage import NO_USAGE, Usage, call_usage, known_tokens
from aloi.plugins import build
from aloi.templates import TemplateValue, readings, render

KIND = "agent"  # of the targets that may be used


class Agent(Step):
    """An agent that works on an input; the output is its answer.

    It is written here, with the fields of the target kind `agent`, or named: `support-agent@3`, or `support-agent` for
    the active version. What is named is written into the workflow when that is saved, so a later version of the agent
    changes no workflow. Its MCP servers serve interactive use only.
    """

    # What `pinned` in a definition says is kept under another name: a step's method is called so.
    model_config = ConfigDict(serialize_by_alias=True)

    kind: ClassVar[str] = "agent"
    component: ClassVar[Literal["tool", "step", "human"] | None] = "step"

    agent: str | JsonObject = Field(
        description="An agent's fields, {model: ..., tools: ...}; or a saved one: NAME, or NAME@VERSION."
    )
    input: TemplateValue = Field(
        default="{{ input }}", description="What it is given: text with {{ expressions }}, or JSON with such texts."
    )
    attachments: bool = Field(default=False, description="Whether the case's files stand behind its input.")
    version: PinnedTarget | None = Field(
        default=None,
        alias="pinned",
        description="The version that `agent` names; written here when the workflow is saved.",
    )

    @model_validator(mode="after")
    def _can_be_built(self) -> Self:
        try:
            _ = self._target
        except InvalidInput as error:
            raise ValueError(str(error)) from error
        return self

    def reads(self) -> Sequence[Reading]:
        """What the input reads."""
        return readings(self.input, ("input",))

    def arguments(self, document: JsonObject) -> JsonValue:
        """Its input: a text, or JSON."""
        return render(self.input, document)

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue:
        """Run a fresh agent on the input.

        Raises:
            StageFailure: type `not_pinned` (the workflow was never saved); or as the target kind's `invoke`.
        """
        target = self._target
        if target is None:
            message = f"the agent {self.agent!r} is not written into the workflow yet; save it, or write the agent here"
            raise StageFailure("invoke", "not_pinned", message)
        given = arguments if isinstance(arguments, (str, dict)) else text_of(arguments)
        files = ctx.invocation.attachments if self.attachments else ()
        changes = {"input": given, "state": None, "answers": {}, "attachments": files}
        invocation = ctx.invocation.model_copy(update=changes)
        recorder = _Metered(ctx.target.recorder)
        try:
            reply = await target.invoke(invocation, ctx.target._replace(recorder=recorder, keep=None))
        finally:
            ctx.spend(recorder.used())
        if isinstance(reply, Parked):
            raise StageFailure("invoke", "parked", "the agent waits for a person, which no agent does")
        return reply.output

    def answer_schema(self, types: Types) -> JsonObject | None:
        """The agent's output schema; else a text. Null while it is not known."""
        definition = self._definition
        if definition is None:
            return None
        schema = definition.get("output_schema")
        return schema if isinstance(schema, dict) else {"type": "string"}

    def components(self) -> tuple[Component, ...]:
        """The step itself, and the agent's tools by their own names."""
        return (*super().components(), *(self._target.components() if self._target else ()))

    def models(self) -> tuple[ModelSpec, ...]:
        """The agent's model."""
        return self._target.models() if self._target else ()

    def named_keys(self) -> tuple[NamedKey, ...]:
        """The variables that its MCP servers get."""
        return self._target.named_keys() if self._target else ()

    def uses_workspace(self) -> bool:
        """True: its tools work in the case's folder."""
        return True

    def takes_attachments(self) -> bool:
        """Where `attachments` says so."""
        return self.attachments

    def skipped(self) -> tuple[str, ...]:
        """The names of its MCP servers."""
        return self._target.skipped() if self._target else ()

    def references(self) -> tuple[str, ...]:
        """The name of the agent, unless its version is written here already."""
        return (self.agent,) if isinstance(self.agent, str) and self._definition is None else ()

    def pins(self) -> tuple[PinnedTarget, ...]:
        """The version that is written here."""
        return (self.version,) if self.version is not None and isinstance(self.agent, str) else ()

    def pinned(self, definitions: Mapping[str, PinnedTarget]) -> Self:
        """The same step with the version written into it, and named by its number.

        Raises:
            InvalidInput: what is named is no agent.
        """
        if not self.references():
            return self
        found = definitions[str(self.agent)]
        if found.definition.get("kind") != KIND:
            raise InvalidInput(
                f"the step {self.name} names {found.name}, a target of kind {found.definition.get('kind')}; only a "
                f"target of kind {KIND} can be used there"
            )
        fields = {**self.model_dump(exclude_unset=True), "agent": _reference(found), "pinned": found}
        return type(self).model_validate(fields)

    @property
    def _definition(self) -> JsonObject | None:
        """The agent's definition; null while it is only named. A version of another name or number does not count."""
        if isinstance(self.agent, dict):
            return {"kind": KIND, **self.agent}
        is_pinned = self.version is not None and self.agent == _reference(self.version)
        return self.version.definition if self.version is not None and is_pinned else None

    @cached_property
    def _target(self) -> Target | None:
        definition = self._definition
        if definition is None:
            return None
        if definition.get("kind") != KIND:
            raise InvalidInput(f"only a target of kind {KIND} can be used here, not {definition.get('kind')!r}")
        return build("targets", definition, Target)


def _reference(version: PinnedTarget) -> str:
    return f"{version.name}@{version.number}"


class _Metered:
    """A recorder that adds up what the model's turns used, so that it is known of an agent that fails too."""

    def __init__(self, inner: Recorder) -> None:
        self._inner = inner
        self._turns: list[JsonObject] = []

    @contextmanager
    def span(self, name: str, attributes: JsonObject | None = None) -> Generator[OpenSpan]:
        noted = dict(attributes or {})
        if noted.get(OPERATION) == "chat":
            self._turns.append(noted)
        with self._inner.span(name, attributes) as span:
            yield _Noted(span, noted)

    def used(self) -> Usage:
        return sum(map(_used, self._turns), NO_USAGE)


@dataclass(frozen=True)
class _Noted:
    """An open span whose attributes are written down a second time."""

    span: OpenSpan
    noted: JsonObject

    def set(self, attributes: JsonObject) -> None:
        self.noted.update(attributes)
        self.span.set(attributes)

    def fail(self, error: str) -> None:
        self.span.fail(error)


def _used(turn: JsonObject) -> Usage:
    cost = turn.get(COST)
    tokens = known_tokens(turn.get(INPUT_TOKENS)), known_tokens(turn.get(OUTPUT_TOKENS))
    return call_usage(*tokens, cost if isinstance(cost, (int, float)) else None)
