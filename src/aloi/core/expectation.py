"""What evaluators share that hold an outcome against something expected."""

from collections.abc import Sequence

from pydantic import Field, JsonValue

from aloi.core.case import Case
from aloi.core.errors import StageFailure
from aloi.core.evaluator import EvaluationContext, OutputEvaluator
from aloi.core.json_values import read_json
from aloi.core.score import Score, scored
from aloi.core.trace import ToolCall


class ExpectingEvaluator(OutputEvaluator):
    """Base of the kinds that compare the output with any JSON value, the case's expected output unless given."""

    expected: JsonValue = Field(
        default=None, description="What the output should be: any JSON. Default: the case's expected_output."
    )

    def missing(self, case: Case) -> str | None:
        return None if self._is_given or case.expected_output is not None else "expected_output"

    def expectation(self, ctx: EvaluationContext) -> JsonValue:
        """The value to compare with. A null that is written counts as given; a case's null means there is none.

        Raises:
            StageFailure: there is none.
        """
        if lacking := self.missing(ctx.case):
            raise not_set(lacking)
        return self.expected if self._is_given else ctx.case.expected_output

    @property
    def _is_given(self) -> bool:
        return "expected" in self.model_fields_set


def comparable(expected: JsonValue, output: JsonValue) -> JsonValue:
    """The output as it is compared: for a JSON (non-text) expectation, text that holds JSON is read first."""
    if isinstance(expected, str) or not isinstance(output, str):
        return output
    try:
        return read_json(output)
    except ValueError:
        return output


def not_set(name: str) -> StageFailure:
    """The failure of an evaluator whose case and spec both lack what it needs."""
    return StageFailure(
        "grade", "not_set", f"the evaluator needs {name}, which is not set; set it on the case or on it"
    )


def none_called(calls: Sequence[ToolCall], threshold: float) -> Score:
    """The score where no tool call is expected: 1 iff none was made."""
    if not calls:
        return scored(1.0, threshold, "no tool was to be called, and none was")
    return scored(0.0, threshold, f"no tool was to be called, but there were {len(calls)} calls: {names(calls)}")


def names(calls: Sequence[ToolCall], shown: int = 20) -> str:
    """The tools of the calls in order, for an explanation; `none` when there are none."""
    first = ", ".join(call.tool for call in calls[:shown])
    return (first + (", …" if len(calls) > shown else "")) or "none"
