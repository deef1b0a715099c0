"""The kind `cost_limit`."""

from typing import ClassVar

from pydantic import Field

from aloi.core.errors import StageFailure
from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.score import Score, passed_if


class CostLimit(Evaluator):
    """Pass when the target's model calls cost no more than so many US dollars.

    The judge's cost does not count. Calls without a known price are an error, unless the priced ones cost too much
    already.
    """

    kind: ClassVar[str] = "cost_limit"
    reads_trace: ClassVar[bool] = True
    max: float = Field(ge=0, allow_inf_nan=False, description="The most US dollars that pass.")

    def evaluate(self, ctx: EvaluationContext) -> Score:
        usage = ctx.outcome.usage
        known = usage.cost or 0.0
        if known <= self.max and (usage.cost is None or usage.unpriced):
            message = "the price of the target's model calls is not known, so they cannot be held against a limit"
            raise StageFailure("grade", "missing_evidence", message)
        return passed_if(known <= self.max, f"expected at most ${self.max:g}, got ${known:.6g}")
