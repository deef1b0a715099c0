"""`workflow`: named steps that depend on each other."""

from collections.abc import Mapping
from typing import ClassVar, Self

from pydantic import Field, JsonValue, PrivateAttr, model_validator

from aloi.core.chat import ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.flow.checks import Scope, faults_of
from aloi.core.flow.graph import flow_of
from aloi.core.flow.schemas import misfit as schema_misfit
from aloi.core.keys import NamedKey
from aloi.core.spec import JsonObject
from aloi.core.step import Fault, Flow
from aloi.core.target import Component, Invocation, Parked, PinnedTarget, Reply, Target, TargetContext
from aloi.core.trace import OPERATION
from aloi.llm.schema_fit import AnySchema, misfit
from aloi.templates import TemplateValue, readings, render, schema_of
from aloi.workflow.building import built, components, pinned, refuse, span_seconds
from aloi.workflow.describing import with_steps
from aloi.workflow.engine import Shared, Surroundings, run
from aloi.workflow.progress import Progress


class Workflow(Target):
    """Named steps that depend on each other: model calls, agents, tools, HTTP, transforms, branches, maps, people.

    Expressions see {{ input }} and {{ steps.NAME }}. A step runs as soon as every step that it refers to is over. A
    step that fails ends the execution; one that asks a person parks it until somebody answers.
    """

    kind: ClassVar[str] = "workflow"

    input_schema: AnySchema | None = Field(default=None, description="JSON schema of the input; null for anything.")
    steps: tuple[JsonObject, ...] = Field(
        min_length=1, description="The steps, each {name, kind, ...}; the order of the list does not matter."
    )
    output: TemplateValue = Field(
        default=None, description="The output: a value with expressions. Default: the last step's output."
    )
    output_schema: AnySchema | None = Field(default=None, description="JSON schema of the output; null for anything.")

    _flow: Flow = PrivateAttr()

    @classmethod
    def describe(cls) -> JsonObject:
        """As every kind, with what each kind of step may say in the schema."""
        described = super().describe()
        return {**described, "schema": with_steps(described["schema"])}

    @model_validator(mode="after")
    def _build(self) -> Self:
        self._flow = flow_of(built(self.steps))
        scope = Scope(self.input_schema)
        faults = faults_of(self._flow, scope, readings(self.output, ("output",)))
        reason = schema_misfit(schema_of(self._result, scope), self.output_schema)
        if reason:
            place = ("output_schema",) if self.output is None else ("output",)
            faults.append(Fault(place, f"the output {reason} by output_schema"))
        refuse(faults)
        # The class says what holds of every workflow: neither.
        vars(self).update(
            runs_code=any(step.runs_code() for step in self._flow.steps),
            uses_workspace=any(step.uses_workspace() for step in self._flow.steps),
        )
        return self

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply | Parked:
        """Run the steps that are not over yet, and give the output; or park, when people must answer first.

        Raises:
            StageFailure: stage `invoke`; type `bad_input`, `bad_output`, `template`, or as the step that failed.
        """
        with ctx.recorder.span("invoke_workflow", {OPERATION: "invoke_workflow"}):
            await self._check(self.input_schema, invocation.input, "input")
            progress = Progress(invocation.state, ctx.keep)
            document: JsonObject = {"input": invocation.input, "steps": {}}
            questions = await run(self._flow, document, Shared(ctx, invocation, progress), Surroundings())
            if questions:
                return Parked(state=progress.state(), questions=questions, usage=progress.usage)
            output = self._output(document)
            await self._check(self.output_schema, output, "output")
            return Reply(output=output, usage=progress.usage)

    async def _check(self, schema: JsonObject | None, value: JsonValue, what: str) -> None:
        fault = await misfit(schema, value) if schema is not None else None
        if fault:
            message = f"the workflow's {what} does not fit its {what}_schema: {fault}"
            raise StageFailure("invoke", f"bad_{what}", message)

    @property
    def _result(self) -> JsonValue:
        """The output, as an expression."""
        return self.output if self.output is not None else f"{{{{ steps.{self._flow.steps[-1].name} }}}}"

    def _output(self, document: JsonObject) -> JsonValue:
        try:
            return render(self._result, document)
        except StageFailure as error:
            raise StageFailure("invoke", error.type, f"the output: {error.message}") from error

    def components(self) -> tuple[Component, ...]:
        """Its steps that can be simulated, and the tools of its agents."""
        return components(self._flow.steps)

    def models(self) -> tuple[ModelSpec, ...]:
        """The models of its steps, each once."""
        found = [model for step in self._flow.steps for model in step.models()]
        return tuple(model for number, model in enumerate(found) if model not in found[:number])

    def named_keys(self) -> tuple[NamedKey, ...]:
        """The variables that its steps name."""
        return tuple(key for step in self._flow.steps for key in step.named_keys())

    def files(self) -> tuple[str, ...]:
        """The files that its steps read."""
        return tuple(name for step in self._flow.steps for name in step.files())

    def refuses_attachments(self) -> str | None:
        """It takes files where a step does."""
        if any(step.takes_attachments() for step in self._flow.steps):
            return None
        return "no prompt or agent step of this workflow takes them (`attachments: true`)"

    def span_seconds(self) -> float | None:
        """The longest that one of its steps says; a run waits only for those that were carried out."""
        return span_seconds(self._flow.steps)

    def references(self) -> tuple[str, ...]:
        """The agents that its steps name, each once."""
        return tuple(dict.fromkeys(name for step in self._flow.steps for name in step.references()))

    def pinned(self, definitions: Mapping[str, PinnedTarget]) -> Self:
        """The same workflow with those agents written into its steps.

        Raises:
            InvalidInput: one of them is no agent.
        """
        if not self.references():
            return self
        specs = pinned(self.steps, self._flow.steps, definitions)
        return type(self).model_validate({**self.model_dump(exclude_unset=True), "steps": specs})

    def pins(self) -> tuple[PinnedTarget, ...]:
        """The agents that are written into its steps under their names."""
        return tuple(pin for step in self._flow.steps for pin in step.pins())

    def skipped(self) -> tuple[str, ...]:
        """What a run leaves out of its steps (connectors of agents)."""
        return tuple(name for step in self._flow.steps for name in step.skipped())
