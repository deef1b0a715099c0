"""What the kinds share that hold an outcome against something expected."""

import pytest
from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.errors import StageFailure
from aloi.core.evaluator import EvaluationContext
from aloi.core.expectation import ExpectingEvaluator, comparable, names, none_called, not_set
from aloi.core.outcome import Outcome
from aloi.core.score import Verdict
from aloi.core.trace import ToolCall


def ctx(expected: JsonValue) -> EvaluationContext:
    return EvaluationContext(case=Case(input="x", expected_output=expected), outcome=Outcome(output="y"))


def test_what_is_written_counts_before_the_case() -> None:
    assert ExpectingEvaluator().expectation(ctx("case")) == "case"
    assert ExpectingEvaluator(expected="own").expectation(ctx("case")) == "own"
    assert ExpectingEvaluator(expected=None).expectation(ctx("case")) is None
    with pytest.raises(StageFailure, match="expected_output"):
        ExpectingEvaluator().expectation(ctx(None))


@pytest.mark.parametrize(
    ("expected", "output", "compared"),
    [
        ({}, '{"a": 1}', {"a": 1}),
        (1, "```\n1\n```", 1),
        (1, "one", "one"),
        (None, "null", None),
        ("1", "1", "1"),
        ("1", 1, 1),
        ({}, [1], [1]),
        (1, "NaN", "NaN"),
    ],
)
def test_text_is_read_for_an_expectation_that_is_no_text(
    expected: JsonValue, output: JsonValue, compared: JsonValue
) -> None:
    assert comparable(expected, output) == compared


def test_no_call_expected() -> None:
    assert none_called((), 1.0).verdict is Verdict.PASS
    called = none_called((ToolCall(tool="a"), ToolCall(tool="b")), 1.0)
    assert (called.value, called.verdict) == (0, Verdict.FAIL)
    assert "2 calls: a, b" in called.explanation


def test_names_are_cut() -> None:
    made = [ToolCall(tool=f"t{number}") for number in range(4)]
    assert names(made, 2) == "t0, t1, …"
    assert names(made[:2], 2) == "t0, t1"
    assert names([]) == "none"


def test_what_is_not_set_is_a_failure_of_grading() -> None:
    failure = not_set("calls")
    assert (failure.stage, failure.type) == ("grade", "not_set")
    assert "calls" in failure.message
