"""The kind `tool_call_count`."""

import operator
from collections import Counter
from collections.abc import Callable
from typing import Annotated, ClassVar, Literal

from pydantic import Field, StrictInt, field_validator, model_validator

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.expectation import not_set
from aloi.core.score import Score, scored
from aloi.core.spec import Value

Number = Annotated[StrictInt, Field(ge=0, examples=[1])]  # what a form begins with
Operator = Literal["==", "!=", "<", "<=", ">", ">="]
COMPARE: dict[Operator, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Count(Value):
    """How often a tool should be called: `{"op": ">=", "n": 1}`."""

    op: Operator = Field(examples=[">="], description="The number of calls compared with n.")
    n: Number = Field(description="A number of calls.")

    @model_validator(mode="after")
    def _can_hold(self) -> "Count":
        if self.op == "<" and self.n == 0:
            raise ValueError("fewer than 0 calls can never be; for no call write 0")
        return self

    def holds(self, calls: int) -> bool:
        """Whether this number of calls is as it should be."""
        return COMPARE[self.op](calls, self.n)


class ToolCallCount(Evaluator):
    """Score how many tools were called as often as they should be.

    The value is the satisfied / the listed counts. With `unlisted: forbid`, calls of tools that are not listed add one
    more count that is not satisfied.
    """

    kind: ClassVar[str] = "tool_call_count"
    reads_trace: ClassVar[bool] = True
    counts: dict[Annotated[str, Field(min_length=1)], Number | Count] | None = Field(
        default=None,
        description='Per tool a number of calls, or {"op": ">=", "n": 1} with one of == != < <= > >=. When unset, it '
        "applies to cases whose criteria give them.",
    )
    unlisted: Literal["ignore", "forbid"] = Field(
        default="ignore", description="Whether tools that are not listed may be called."
    )
    threshold: float = Field(default=1.0, ge=0, le=1, description="The least value that passes.")

    @field_validator("counts")
    @classmethod
    def _not_empty(cls, counts: dict[str, int | Count] | None) -> dict[str, int | Count] | None:
        if counts is not None and not counts:
            raise ValueError('it lists no tool; write e.g. {"search": 1}, or use tool_call_order with an empty list')
        return counts

    def missing(self, case: Case) -> str | None:
        return "counts" if self.counts is None else None

    def evaluate(self, ctx: EvaluationContext) -> Score:
        if self.counts is None:
            raise not_set("counts")
        made = Counter(call.tool for call in ctx.trajectory.tool_calls)
        wanted = {tool: _as_count(count) for tool, count in self.counts.items()}
        faults = [_fault(tool, count, made[tool]) for tool, count in wanted.items() if not count.holds(made[tool])]
        satisfied, listed = len(wanted) - len(faults), len(wanted)
        unlisted = {tool: number for tool, number in made.items() if tool not in wanted}
        if unlisted and self.unlisted == "forbid":
            listed += 1
            faults.append("not listed but called: " + ", ".join(f"{tool} ({n})" for tool, n in unlisted.items()))
        explanation = "; ".join([f"{satisfied} of {listed} counts are as expected", *faults])
        return scored(satisfied / listed, self.threshold, explanation, {"calls": dict(made)})


def _as_count(count: int | Count) -> Count:
    return count if isinstance(count, Count) else Count(op="==", n=count)


def _fault(tool: str, count: Count, calls: int) -> str:
    return f"{tool}: expected {count.op} {count.n} calls, got {calls}"
