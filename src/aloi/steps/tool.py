"""`tool`: one call of a built-in tool."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, cast

from pydantic import ConfigDict, Field, JsonValue, ValidationError, field_validator

from aloi.core.errors import InvalidInput, StageFailure, ToolFailure
from aloi.core.json_values import storable, text_of
from aloi.core.spec import JsonObject, fault_text, faults_text
from aloi.core.step import Fault, Place, Reading, Step, StepContext, Types
from aloi.core.tool import Tool as BuiltIn
from aloi.plugins import build
from aloi.templates import TemplateValue, is_template, readings, render

ARGUMENTS = "arguments"


class Tool(Step):
    """One call of a built-in tool, as an agent makes it; the output is the tool's result.

    Arguments without expressions are checked when the workflow is saved, all of them when the step runs.
    """

    # What `arguments` in a definition says is kept under another name: a step's method is called so.
    model_config = ConfigDict(serialize_by_alias=True)

    kind: ClassVar[str] = "tool"
    component: ClassVar[Literal["tool", "step", "human"] | None] = "tool"

    tool: str | JsonObject = Field(
        description="A tool by name, or with its options: `{kind: file_ops, max_bytes: 1000}`."
    )
    given: TemplateValue = Field(
        default={},
        alias=ARGUMENTS,
        description="An object of the tool's arguments with {{ expressions }}, or one expression that gives it.",
    )

    @field_validator("tool")
    @classmethod
    def _tool_exists(cls, tool: str | JsonObject) -> str | JsonObject:
        try:
            _built(tool)
        except InvalidInput as error:
            raise ValueError(str(error)) from error
        return tool

    @field_validator("given")
    @classmethod
    def _object(cls, given: JsonValue) -> JsonValue:
        if not isinstance(given, dict) and not _has_expression(given):
            raise ValueError("it must be an object, {NAME: value}, or one expression that gives an object")
        return given

    def reads(self) -> Sequence[Reading]:
        """What the arguments read, each with what the tool wants there."""
        if not isinstance(self.given, dict):
            return readings(self.given, (ARGUMENTS,), {"type": "object"})
        return tuple(
            reading
            for name, value in self.given.items()
            for reading in readings(value, (ARGUMENTS, name), self._wanted(name))
        )

    def faults(self, types: Types) -> Iterator[Fault]:
        """The arguments that the tool would refuse whatever the expressions give."""
        if not isinstance(self.given, dict):
            return
        try:
            self._tool.Input.model_validate(self.given)
        except ValidationError as error:
            for fault in error.errors():
                if not _has_expression(_part(self.given, fault["loc"])):
                    yield Fault((ARGUMENTS, *fault["loc"]), fault_text(fault))

    def arguments(self, document: JsonObject) -> JsonValue:
        """The tool's arguments."""
        return render(self.given, document)

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue:
        """Call the tool; the engine records the call.

        Raises:
            StageFailure: type `bad_arguments`, or `tool_failed` when the tool cannot do it.
        """
        name = self._tool.kind
        if not isinstance(arguments, dict):
            raise StageFailure(
                "invoke", "bad_arguments", f"the arguments of {name} must be one object, {{NAME: value}}"
            )
        try:
            return storable(await self._tool.call(self._tool.Input.model_validate(arguments), ctx.target.tools))
        except ValidationError as error:
            message = f"the arguments of {name} do not fit: {faults_text(error)}"
            raise StageFailure("invoke", "bad_arguments", message) from error
        except ToolFailure as error:
            raise StageFailure("invoke", "tool_failed", f"{name} failed: {error}") from error

    def answer_schema(self, types: Types) -> JsonObject | None:
        """What the tool says of its results."""
        return self._tool.Output

    def tool_name(self) -> str | None:
        """The tool's name."""
        return self._tool.kind

    def uses_workspace(self) -> bool:
        """True: a tool works in the case's folder."""
        return True

    @cached_property
    def _tool(self) -> BuiltIn:
        return _built(self.tool)

    def _wanted(self, name: str) -> JsonObject | None:
        """The JSON schema of an argument; null when the tool has none of that name."""
        schema = cast(JsonObject, self._tool.Input.model_json_schema())
        properties = schema.get("properties")
        found = properties.get(name) if isinstance(properties, dict) else None
        if not isinstance(found, dict):
            return None
        return {**found, "$defs": schema["$defs"]} if "$defs" in schema else found


def _built(tool: str | JsonObject) -> BuiltIn:
    return build("tools", {"kind": tool} if isinstance(tool, str) else tool, BuiltIn)


def _has_expression(value: JsonValue) -> bool:
    return is_template(text_of(value))


def _part(value: JsonValue, place: Place) -> JsonValue:
    """What stands at a place, or the innermost value round it that is there, for what is missing: null."""
    for segment in place:
        try:
            value = cast(Any, value)[segment]
        except (KeyError, IndexError, TypeError):
            return None
    return value
