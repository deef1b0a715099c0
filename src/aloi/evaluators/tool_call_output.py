"""The kind `tool_call_output`."""

from typing import ClassVar

from pydantic import Field, JsonValue

from aloi.core.case import Case
from aloi.core.difference import listed
from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.expectation import none_called, not_set
from aloi.core.json_values import json_equal, read_json, shortened, text_of
from aloi.core.matching import maximum_matching
from aloi.core.score import Score, scored
from aloi.core.spec import Value
from aloi.core.trace import ToolCall


class ExpectedOutput(Value):
    """What a tool should return."""

    tool: str = Field(min_length=1, description="The tool's name; case counts.")
    output: JsonValue = Field(description="What it should return: any JSON.")


class ToolCallOutput(Evaluator):
    """Score how many of the expected tool results came back.

    Each actual call stands for at most one expected result; the order does not count. Results are compared as JSON
    where both are JSON (text that holds JSON is read), else as text. The value is matched / expected results. An empty
    list means that no tool should be called.
    """

    kind: ClassVar[str] = "tool_call_output"
    reads_trace: ClassVar[bool] = True
    outputs: tuple[ExpectedOutput, ...] | None = Field(
        default=None, description="The expected results. When unset, it applies to cases whose criteria give them."
    )
    threshold: float = Field(default=1.0, ge=0, le=1, description="The least value that passes.")

    def missing(self, case: Case) -> str | None:
        return "outputs" if self.outputs is None else None

    def evaluate(self, ctx: EvaluationContext) -> Score:
        if self.outputs is None:
            raise not_set("outputs")
        actual = ctx.trajectory.tool_calls
        if not self.outputs:
            return none_called(actual, self.threshold)
        matching = maximum_matching(
            [[i for i, call in enumerate(actual) if _fits(wanted, call)] for wanted in self.outputs]
        )
        matched = sum(other is not None for other in matching)
        explanation = f"{matched} of {len(self.outputs)} expected tool results came back"
        unmatched = [wanted for wanted, other in zip(self.outputs, matching, strict=True) if other is None]
        if unmatched:
            taken = set(matching)
            free = [call for index, call in enumerate(actual) if index not in taken]
            explanation += "; " + listed(_reason(wanted, free) for wanted in unmatched)
        return scored(matched / len(self.outputs), self.threshold, explanation, {"matched": list[JsonValue](matching)})


def _fits(wanted: ExpectedOutput, call: ToolCall) -> bool:
    return wanted.tool == call.tool and same_result(wanted.output, call.output)


def same_result(a: JsonValue, b: JsonValue) -> bool:
    """JSON equality where both are JSON or text that holds JSON; else equality of their texts."""
    try:
        return json_equal(_read(a), _read(b))
    except ValueError:
        return json_equal(text_of(a), text_of(b))


def _read(value: JsonValue) -> JsonValue:
    return read_json(value) if isinstance(value, str) else value


def _reason(wanted: ExpectedOutput, free: list[ToolCall]) -> str:
    got = [shortened(call.output) for call in free if call.tool == wanted.tool]
    returned = f"got {', '.join(got[:3])}" if got else "no further call of it"
    return f"{wanted.tool}: expected {shortened(wanted.output)}, {returned}"
