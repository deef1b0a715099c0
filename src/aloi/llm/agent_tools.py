"""The agent's tools as the engine wants them, each call recorded and none able to end the run."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_ai import RunContext
from pydantic_ai.exceptions import ModelRetry, ToolFailed
from pydantic_ai.tools import Tool as EngineTool
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset
from pydantic_core import SchemaValidator

from aloi.core.errors import ToolFailure
from aloi.core.spec import JsonObject, faults_text
from aloi.core.target import OpenSpan, Recorder, TargetContext
from aloi.core.tool import Tool
from aloi.core.trace import MISFIT, OPERATION, PROVENANCE, TOOL_ARGUMENTS, TOOL_CALL_ID, TOOL_NAME, TOOL_RESULT
from aloi.llm.agent_messages import arguments, as_json
from aloi.llm.secrets import masked

GIVEN = "given"  # the one argument of a tool's function: the model's arguments, whatever they are


class Unchecked:
    """Takes any arguments, for the tool checks them itself: so a bad call is recorded, and costs no retry."""

    def validate_json(self, input: str | bytes | bytearray, **_: Any) -> dict[str, JsonValue]:  # noqa: A002
        """The arguments under one key; text that is no JSON stays text."""
        text = input if isinstance(input, str) else bytes(input).decode("utf-8", "replace")
        return {GIVEN: arguments(text)}

    def validate_python(self, input: Any, **_: Any) -> dict[str, JsonValue]:  # noqa: A002
        """The arguments under one key."""
        return {GIVEN: arguments(input)}


def engine_tool(tool: Tool, ctx: TargetContext) -> EngineTool[None]:
    """One of Aloi's own tools as the engine takes it: the kind, the docstring and the arguments' schema.

    Its calls are recorded. A call that fails or is wrong tells the model why and ends nothing. A tool that is simulated
    is not called: its stand-in answers, to arguments that the tool itself would take.
    """

    async def call(run: RunContext[None], given: JsonValue) -> JsonValue:
        attributes = call_attributes(tool.kind, given, run.tool_call_id)
        if simulated := ctx.stand_ins.covers(tool.kind):
            attributes[PROVENANCE] = ctx.stand_ins.provenance(tool.kind)
        with ctx.recorder.span(f"execute_tool {tool.kind}", attributes) as span:
            try:
                checked = _checked(tool, given)
                answer = None if simulated else as_json(await tool.call(checked, ctx.tools))
            except Exception as error:
                span.fail(reason(error))
                raise ToolFailed(reason(error)) from error
            # Outside of what is told to the model: a simulation that has no answer ends the run.
            result = await _stood_in(tool, given, ctx, span) if simulated else answer
            span.set({TOOL_RESULT: result})
            return result

    made: EngineTool[None] = EngineTool.from_schema(
        call, tool.kind, inspect.getdoc(type(tool)), _schema(tool.Input), takes_ctx=True
    )
    made.function_schema.validator = cast(SchemaValidator, Unchecked())
    return made


async def _stood_in(tool: Tool, given: JsonValue, ctx: TargetContext, span: OpenSpan) -> JsonValue:
    """What the tool's stand-in answers; a fixed answer that the tool itself would never give is told on the span."""
    simulated = await ctx.stand_ins.answer(tool.kind, given, tool.Output)
    if simulated.misfit is not None:
        span.set({MISFIT: simulated.misfit})
    return simulated.output


def _checked(tool: Tool, given: JsonValue) -> BaseModel:
    if not isinstance(given, dict):
        raise ToolFailure(f"the arguments of {tool.kind} must be one JSON object that follows its schema")
    return tool.Input.model_validate(given)


@dataclass
class RecordedTools(WrapperToolset[None]):
    """Records the calls of other tools, and lets no exception of theirs end the run.

    `secrets`: what is masked in what they answer, before it is recorded and before the model sees it.
    """

    recorder: Recorder
    secrets: Mapping[str, str]

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[None], tool: ToolsetTool[None]
    ) -> Any:
        """Call a tool and record it.

        Raises:
            ToolFailed: whatever went wrong, in words for the model.
        """
        attributes = call_attributes(name, as_json(tool_args), ctx.tool_call_id)
        with self.recorder.span(f"execute_tool {name}", attributes) as span:
            try:
                result = await super().call_tool(name, tool_args, ctx, tool)
                known = as_json(result)
                shown = masked(known, self.secrets)
                span.set({TOOL_RESULT: shown})
            except Exception as error:
                words = masked(reason(error), self.secrets)
                span.fail(words)
                raise ToolFailed(words) from error
            return result if shown is known else shown


def call_attributes(name: str, given: JsonValue, call_id: str | None) -> JsonObject:
    """The attributes that an `execute_tool` span has from its start."""
    return {
        OPERATION: "execute_tool",
        TOOL_NAME: name,
        TOOL_CALL_ID: call_id,
        TOOL_ARGUMENTS: given,
        PROVENANCE: "real",
    }


def reason(error: Exception) -> str:
    """Why a call failed, in words that help the model to call better."""
    match error:
        case ToolFailure():
            return str(error)
        case ToolFailed(message=message) | ModelRetry(message=message):
            return message
        case ValidationError():
            return f"the arguments do not fit: {faults_text(error)}"
        case _:
            return f"the tool broke: {type(error).__name__}: {error}"


@cache
def _schema(arguments_type: type[BaseModel]) -> dict[str, Any]:
    schema = arguments_type.model_json_schema()
    return {key: value for key, value in schema.items() if key not in ("title", "description")}
