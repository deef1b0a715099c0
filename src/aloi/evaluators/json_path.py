"""The kind `json_path`."""

from typing import ClassVar

from pydantic import Field, JsonValue, model_validator

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, OutputEvaluator
from aloi.core.expectation import not_set
from aloi.core.json_values import json_equal, shortened
from aloi.core.paths import JsonPath
from aloi.core.score import Score, passed_if
from aloi.core.select import NotJson, select


class JsonPathMatch(OutputEvaluator):
    """Pass when a part of a JSON output equals a value, or is there at all.

    Give `path` with either `equals` or `exists`. A text output is read as JSON; text that is not JSON fails.
    """

    kind: ClassVar[str] = "json_path"
    path: JsonPath = Field(description="JSONPath (RFC 9535), e.g. $.items[0].name")
    equals: JsonValue = Field(default=None, description="Pass when some selected part equals this JSON value.")
    exists: bool | None = Field(
        default=None, description="Pass when a part is selected (true), or when none is (false)."
    )

    @model_validator(mode="after")
    def _one_test(self) -> "JsonPathMatch":
        if self._compares and self.exists is not None:
            raise ValueError("give either equals (a JSON value) or exists (true or false), not both")
        return self

    def missing(self, case: Case) -> str | None:
        return None if self._compares or self.exists is not None else "equals (a JSON value) or exists (true or false)"

    def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score:
        if lacking := self.missing(ctx.case):
            raise not_set(lacking)
        try:
            found = select(self.path, output)
        except NotJson as failure:
            return passed_if(False, failure.message)
        if self._compares:
            return self._equal(found, output)
        there = f"{self.path} selects {shortened(found[0])}" if found else f"{self.path} selects nothing"
        explanation = there if bool(found) == self.exists else f"{there} in {shortened(output)}, and should not"
        return passed_if(bool(found) == self.exists, explanation)

    def _equal(self, found: list[JsonValue], output: JsonValue) -> Score:
        wanted = shortened(self.equals)
        if any(json_equal(self.equals, value) for value in found):
            return passed_if(True, f"{self.path} is {wanted}")
        got = ", ".join(shortened(value) for value in found[:3]) + (", …" if len(found) > 3 else "")
        got = got or f"nothing, in {shortened(output)}"
        return passed_if(False, f"at {self.path}: expected {wanted}, got {got}")

    @property
    def _compares(self) -> bool:
        """Whether `equals` was given; null is a value."""
        return "equals" in self.model_fields_set
