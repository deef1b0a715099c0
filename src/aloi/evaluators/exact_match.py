"""The kind `exact_match`."""

from typing import ClassVar

from pydantic import Field, JsonValue

from aloi.core.difference import differences, listed
from aloi.core.evaluator import EvaluationContext
from aloi.core.expectation import ExpectingEvaluator, comparable
from aloi.core.json_values import json_equal, shortened, text_of
from aloi.core.score import Score, passed_if


class ExactMatch(ExpectingEvaluator):
    """Pass when the output equals the expected value.

    An expected text is compared with the text of the output (so the number 4 and the text "4" are equal). Any other
    JSON is compared as JSON, and a text output is read as JSON first; it may stand in one ``` fence. JSON equality:
    1 equals 1.0, true is not 1, the order of keys is free, the order of lists counts, texts are compared after NFC.
    """

    kind: ClassVar[str] = "exact_match"
    ignore_case: bool = Field(default=False, description="Compare texts without regard to case, inside objects too.")
    strip: bool = Field(default=False, description="Ignore white space around a text that is compared with a text.")
    negate: bool = Field(default=False, description="Pass when they are not equal.")

    def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score:
        expected = self.expectation(ctx)
        actual = comparable(expected, output)
        if isinstance(expected, str):
            actual = text_of(actual)
            if self.strip:
                expected, actual = expected.strip(), actual.strip()
        equal = json_equal(expected, actual, self.ignore_case)
        return passed_if(equal != self.negate, self._explanation(equal, expected, actual))

    def _explanation(self, equal: bool, expected: JsonValue, actual: JsonValue) -> str:
        if equal:
            return f"the output equals {shortened(expected)}{', and must not' if self.negate else ''}"
        found = listed(differences(expected, actual, self.ignore_case, self.target_path or "$"))
        return f"the output differs{', as it must' if self.negate else ''}: {found}"
