"""The kind `token_limit`."""

from typing import ClassVar

from pydantic import Field

from aloi.core.errors import StageFailure
from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.score import Score, passed_if


class TokenLimit(Evaluator):
    """Pass when the target used no more than so many tokens, input and output together.

    The judge's tokens do not count. A target that did not report its tokens is an error, unless what it did report is
    too much already.
    """

    kind: ClassVar[str] = "token_limit"
    reads_trace: ClassVar[bool] = True
    max: int = Field(ge=0, description="The most tokens that pass.")

    def evaluate(self, ctx: EvaluationContext) -> Score:
        usage = ctx.outcome.usage
        known = usage.tokens or 0
        if known <= self.max and (usage.input_tokens is None or usage.output_tokens is None):
            message = "the target did not report all its tokens, so they cannot be held against a limit"
            raise StageFailure("grade", "missing_evidence", message)
        return passed_if(known <= self.max, f"expected at most {self.max} tokens, got {known}")
