"""The kind `latency`."""

from typing import ClassVar

from pydantic import Field

from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.score import Score, passed_if


class Latency(Evaluator):
    """Pass when the target answered within so many seconds, retries included."""

    kind: ClassVar[str] = "latency"
    max: float = Field(gt=0, allow_inf_nan=False, description="The most seconds that pass.")

    def evaluate(self, ctx: EvaluationContext) -> Score:
        seconds = ctx.outcome.latency
        return passed_if(seconds <= self.max, f"expected at most {self.max:g} s, got {seconds:.3f} s")
