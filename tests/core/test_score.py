"""Scores: the makers, and the range of values."""

import pytest
from pydantic import ValidationError

from aloi.core.outcome import Failure
from aloi.core.score import Score, Verdict, error_score, passed_if, scored
from aloi.core.usage import Usage


def test_yes_or_no() -> None:
    assert (passed_if(True, "x").value, passed_if(True, "x").verdict) == (1, Verdict.PASS)
    assert (passed_if(False, "x").value, passed_if(False, "x").verdict) == (0, Verdict.FAIL)
    assert passed_if(True, "x").threshold is None


@pytest.mark.parametrize(
    ("value", "threshold", "verdict"),
    [(0.5, 0.5, Verdict.PASS), (0.49, 0.5, Verdict.FAIL), (0, 0, Verdict.PASS), (1, 1, Verdict.PASS)],
)
def test_a_threshold_is_reached_by_equality_and_0_is_one(value: float, threshold: float, verdict: Verdict) -> None:
    score = scored(value, threshold, "x")
    assert (score.verdict, score.threshold) == (verdict, threshold)


def test_an_error_has_no_value() -> None:
    failure = Failure(stage="grade", type="timeout", message="too slow")
    score = error_score(failure, Usage(calls=1))
    assert (score.value, score.verdict, score.explanation) == (None, Verdict.ERROR, "too slow")
    assert (score.failure, score.usage.calls) == (failure, 1)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf")])
def test_values_outside_0_to_1_are_refused(value: float) -> None:
    with pytest.raises(ValidationError):
        Score(value=value, verdict=Verdict.PASS, explanation="x")
