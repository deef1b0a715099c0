"""Grading: every evaluator, faults as values, the case's verdict."""

from dataclasses import replace

from aloi.core.binding import Binding
from aloi.core.evaluator import bound
from aloi.core.outcome import Failure, Outcome
from aloi.core.score import Verdict
from aloi.runner.grade import Grader
from tests.runner.stand_ins import build, task


def grader(*specs: dict[str, object]) -> Grader:
    return Grader(bindings=bound([Binding.model_validate(spec) for spec in specs], build), build=build)


async def test_the_scores_are_signed_and_in_order() -> None:
    both = grader({"kind": "equals", "name": "first"}, {"kind": "equals", "weight": 0})
    result = await both.grade(task(expected="yes"), Outcome(output="yes"))
    assert result.verdict is Verdict.PASS
    assert [(score.evaluator, score.kind, score.weight) for score in result.scores] == [
        ("first", "equals", 1),
        ("equals", "equals", 0),
    ]
    assert all(score.seconds == round(score.seconds, 6) for score in result.scores)


async def test_an_evaluator_that_raises_is_an_error_and_the_other_scores_are_kept() -> None:
    result = await grader({"kind": "broken"}, {"kind": "equals"}).grade(task(expected="a"), Outcome(output="a"))
    assert result.verdict is Verdict.ERROR
    assert result.score == 1.0
    assert result.failure is not None
    assert (result.failure.stage, result.failure.type) == ("grade", "exception")
    assert "ZeroDivisionError: by zero" in result.failure.message
    assert [score.verdict for score in result.scores] == [Verdict.ERROR, Verdict.PASS]


async def test_an_evaluator_that_raises_a_cancel_of_its_own_is_an_error() -> None:
    result = await grader({"kind": "cancelling"}, {"kind": "equals"}).grade(task(expected="a"), Outcome(output="a"))
    assert [score.verdict for score in result.scores] == [Verdict.ERROR, Verdict.PASS]
    assert "CancelledError: its own" in result.scores[0].explanation


async def test_an_evaluator_that_hangs_is_an_error_and_the_other_scores_are_kept() -> None:
    both = replace(grader({"kind": "hanging"}, {"kind": "equals"}), seconds=0.02)
    result = await both.grade(task(expected="a"), Outcome(output="a"))
    assert [score.verdict for score in result.scores] == [Verdict.ERROR, Verdict.PASS]
    assert result.failure is not None
    assert result.failure.type == "timeout"
    assert "within 0.02 s" in result.failure.message


async def test_a_broken_evaluator_of_weight_0_decides_nothing() -> None:
    result = await grader({"kind": "broken", "weight": 0}, {"kind": "equals"}).grade(
        task(expected="a"), Outcome(output="b")
    )
    assert result.verdict is Verdict.FAIL
    assert result.score == 0.0


async def test_a_failed_outcome_is_an_error_that_nobody_grades() -> None:
    failure = Failure(stage="invoke", type="timeout", message="late")
    result = await grader({"kind": "equals"}).grade(task(expected="a"), Outcome(failure=failure))
    assert result.verdict is Verdict.ERROR
    assert result.failure == failure
    assert result.scores == ()
    assert result.score is None


async def test_nothing_of_weight_above_0_is_an_error() -> None:
    result = await grader({"kind": "equals", "weight": 0}).grade(task(), Outcome(output="a"))
    assert result.verdict is Verdict.ERROR
    assert result.failure is not None
    assert result.failure.type == "nothing_graded"


async def test_inline_evaluators_grade_their_case_alone() -> None:
    result = await grader().grade(task(expected="a", evaluators=[{"kind": "equals"}]), Outcome(output="a"))
    assert result.verdict is Verdict.PASS
