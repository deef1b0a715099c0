"""The kind `tool_call_order`."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from rapidfuzz.distance import LCSseq

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.expectation import names, none_called, not_set
from aloi.core.score import Score, scored


class ToolCallOrder(Evaluator):
    """Score whether the tools were called in the expected order.

    subsequence: other calls may stand between; the value is the longest part of the expected order that was kept /
    its length. exact: 1 when the whole list of calls is the same, else 0. An empty list means that no tool should be
    called. Calls are ordered by start time.
    """

    kind: ClassVar[str] = "tool_call_order"
    reads_trace: ClassVar[bool] = True
    tools: tuple[Annotated[str, Field(min_length=1)], ...] | None = Field(
        default=None,
        description="Tool names in order; case counts. When unset, it applies to cases whose criteria give them.",
    )
    mode: Literal["subsequence", "exact"] = Field(
        default="subsequence", description="subsequence: other calls may stand between. exact: no others."
    )
    threshold: float = Field(default=1.0, ge=0, le=1, description="The least value that passes.")

    def missing(self, case: Case) -> str | None:
        return "tools" if self.tools is None else None

    def evaluate(self, ctx: EvaluationContext) -> Score:
        if self.tools is None:
            raise not_set("tools")
        calls = ctx.trajectory.tool_calls
        if not self.tools:
            return none_called(calls, self.threshold)
        called = [call.tool for call in calls]
        expected = [*self.tools]
        kept = LCSseq.similarity(expected, called)
        value = kept / len(expected) if self.mode == "subsequence" else float(called == expected)
        explanation = f"{kept} of {len(expected)} expected tools were called in this order"
        lost = [expected[edit.src_pos] for edit in LCSseq.editops(expected, called) if edit.tag == "delete"]
        if lost:
            explanation += f"; missing or out of place: {', '.join(lost)}"
        if lost or value < 1:
            explanation += f"; expected {', '.join(expected)}, got {names(calls)}"
        return scored(value, self.threshold, explanation)
