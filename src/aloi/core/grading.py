"""Scoring one output outside of any run."""

from collections.abc import Mapping
from typing import Any, cast

from pydantic import Field, JsonValue, field_validator

from aloi.core.case import Case
from aloi.core.outcome import Outcome
from aloi.core.run import JudgeSpec
from aloi.core.spec import JsonObject, Value
from aloi.core.trace import ToolCall, trace_of_calls
from aloi.core.usage import NO_USAGE, Usage


class GradeRequest(Value):
    """One evaluator spec and what it is to grade.

    `tool_calls`: null when nothing is known of them (evaluators of tool calls are then errors), empty when none was
    made. A case without an input gets an empty one, which few evaluators look at.
    """

    evaluator: JsonObject
    output: JsonValue
    case: Case = Field(default_factory=lambda: Case(input=""))
    tool_calls: tuple[ToolCall, ...] | None = None
    latency: float = 0.0
    usage: Usage = NO_USAGE
    judge: JudgeSpec | None = None

    @field_validator("case", mode="before")
    @classmethod
    def _with_an_input(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        fields = cast(Mapping[str, Any], given)
        return fields if fields.keys() & {"input", "prompt"} else {"input": "", **fields}

    def outcome(self) -> Outcome:
        """The outcome that is graded."""
        trace = None if self.tool_calls is None else trace_of_calls("0" * 32, self.tool_calls)
        return Outcome(output=self.output, latency=self.latency, usage=self.usage, trace=trace)
