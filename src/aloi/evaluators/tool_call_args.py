"""The kind `tool_call_args`."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from aloi.core.case import Case
from aloi.core.difference import Difference, differences, listed
from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.expectation import names, none_called, not_set
from aloi.core.json_values import json_equal, shortened
from aloi.core.matching import maximum_matching
from aloi.core.score import Score, scored
from aloi.core.spec import JsonObject, Value
from aloi.core.trace import ToolCall


class ExpectedCall(Value):
    """A call that should be made."""

    tool: str = Field(min_length=1, description="The tool's name; case counts.")
    args: JsonObject = Field(default_factory=dict, description="The arguments it should be given.")


class ToolCallArgs(Evaluator):
    """Score how many of the expected tool calls were made with the expected arguments.

    Each actual call stands for at most one expected call, and they are paired so that as many as possible match; the
    order does not count. Argument values are compared as JSON (1 equals 1.0; "1" is not 1). The value is matched /
    expected calls. An empty list means that no tool should be called.
    """

    kind: ClassVar[str] = "tool_call_args"
    reads_trace: ClassVar[bool] = True
    calls: tuple[ExpectedCall, ...] | None = Field(
        default=None, description="The expected calls. When unset, it applies to cases whose criteria give them."
    )
    mode: Literal["subset", "exact"] = Field(
        default="subset", description="subset: the call may have further arguments. exact: no others."
    )
    forbid_extra: bool = Field(
        default=False, description="Count calls beyond the expected ones: matched / the larger of expected and actual."
    )
    threshold: float = Field(default=1.0, ge=0, le=1, description="The least value that passes.")

    def missing(self, case: Case) -> str | None:
        return "calls" if self.calls is None else None

    def evaluate(self, ctx: EvaluationContext) -> Score:
        if self.calls is None:
            raise not_set("calls")
        actual = ctx.trajectory.tool_calls
        if not self.calls:
            return none_called(actual, self.threshold)
        fitting = [[i for i, call in enumerate(actual) if self._fits(wanted, call)] for wanted in self.calls]
        matching = maximum_matching(fitting)
        matched = sum(other is not None for other in matching)
        total = max(len(self.calls), len(actual)) if self.forbid_extra else len(self.calls)
        explanation = self._explanation(matching, matched, actual)
        return scored(matched / total, self.threshold, explanation, {"matched": list[JsonValue](matching)})

    def _fits(self, wanted: ExpectedCall, call: ToolCall) -> bool:
        return wanted.tool == call.tool and not self._differences(wanted, call)

    def _differences(self, wanted: ExpectedCall, call: ToolCall) -> list[Difference]:
        """Where the arguments of a call are not those expected; without any, the call fits."""
        given = given_args(call)
        if self.mode == "subset" and isinstance(given, dict):
            given = {key: value for key, value in given.items() if key in wanted.args}
        elif self.mode == "subset" and not wanted.args:
            return []
        return [] if json_equal(wanted.args, given) else list(differences(wanted.args, given))

    def _explanation(self, matching: Sequence[int | None], matched: int, actual: Sequence[ToolCall]) -> str:
        taken = set(matching)
        free = [call for index, call in enumerate(actual) if index not in taken]
        unmatched = [wanted for wanted, other in zip(self.calls or (), matching, strict=True) if other is None]
        parts = [f"{matched} of {len(matching)} expected calls were made"]
        if unmatched:
            parts.append(listed(self._reason(wanted, free) for wanted in unmatched))
        if self.forbid_extra and len(actual) > matched:
            parts.append(f"calls beyond those expected: {names(free)}")
        return "; ".join(parts)

    def _reason(self, wanted: ExpectedCall, free: Sequence[ToolCall]) -> str:
        """Why an expected call was not found: the free call of that tool that comes nearest, or that there is none."""
        candidates = [self._differences(wanted, call) for call in free if call.tool == wanted.tool]
        text = f"{wanted.tool}({shortened(wanted.args)})"
        if not candidates:
            return f"{text} is missing; calls left over: {names(free)}"
        return f"{text} is missing; nearest call of it, in its arguments: {listed(min(candidates, key=len))}"


def given_args(call: ToolCall) -> JsonValue:
    """The arguments as given; none at all is an empty object."""
    return {} if call.args in (None, "") else call.args
