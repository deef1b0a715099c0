"""The kind `contains`."""

from typing import ClassVar

from pydantic import Field, JsonValue

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, OutputEvaluator
from aloi.core.expectation import not_set
from aloi.core.json_values import fold, shortened, text_of
from aloi.core.score import Score, passed_if


class Contains(OutputEvaluator):
    """Pass when the output contains the text.

    A structured output is searched as its JSON text, with non-ASCII characters kept. Texts are compared after NFC.
    """

    kind: ClassVar[str] = "contains"
    text: str | None = Field(
        default=None, min_length=1, description="What to look for. Default: the case's expected_output if it is text."
    )
    ignore_case: bool = Field(default=False, description="Search without regard to case.")
    negate: bool = Field(default=False, description="Pass when the output does not contain it.")

    def missing(self, case: Case) -> str | None:
        if self.text is not None or case.expected_output is None:
            return None if self.text else "expected_output"
        is_text = isinstance(case.expected_output, str) and case.expected_output != ""
        return None if is_text else "an expected_output that is text and not empty"

    def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score:
        if lacking := self.missing(ctx.case):
            raise not_set(lacking)
        wanted = self.text or str(ctx.case.expected_output)
        found = fold(wanted, self.ignore_case) in fold(text_of(output), self.ignore_case)
        says = "contains" if found else "does not contain"
        where = f" at {self.target_path}" if self.target_path else ""
        explanation = f"the output{where} {says} {shortened(wanted)}; it reads {shortened(text_of(output))}"
        return passed_if(found != self.negate, explanation)
