"""Rows, scores and cases made by hand, with only what a test is about."""

from typing import Any

from aloi.core.outcome import Failure, Outcome
from aloi.core.result import ResultRow
from aloi.core.score import JudgeSample, Score, Verdict
from aloi.core.statistics import judge_variance

PASS, FAIL, ERROR = Verdict.PASS, Verdict.FAIL, Verdict.ERROR
ANSWER = Outcome(output="yes", latency=2.0)
TIMEOUT = Failure(stage="invoke", type="timeout", message="no answer within 5 s")


def row(verdict: Verdict, key: str = "c", trial: int = 0, **fields: Any) -> ResultRow:
    """One result; the key is its id too."""
    return ResultRow(case_id=key, case_key=key, trial=trial, verdict=verdict, **fields)


def rows(*verdicts: Verdict) -> list[ResultRow]:
    """One result per case, keyed `0`, `1`, ..."""
    return [row(verdict, str(number)) for number, verdict in enumerate(verdicts)]


def voted(votes: list[int], key: str = "c", trial: int = 0) -> ResultRow:
    """The result of a case whose judge voted so: 1 passes, 0 fails."""
    passing = sum(votes)
    return row(
        PASS if 2 * passing > len(votes) else FAIL,
        key,
        trial,
        judged=True,
        disagreed=0 < passing < len(votes),
        judge_variance=judge_variance(passing, len(votes)),
    )


def score(verdict: Verdict, value: float | None = None, weight: float = 1.0, **fields: Any) -> Score:
    """A score; the value is 1 for a pass and 0 for a fail unless it is given."""
    if value is None and verdict is not ERROR:
        value = 1.0 if verdict is PASS else 0.0
    return Score(verdict=verdict, value=value, weight=weight, explanation=f"it is {verdict.value}", **fields)


def sampled(votes: list[int], weight: float = 1.0) -> Score:
    """A judge's score of these votes."""
    samples = tuple(JudgeSample(value=float(vote), passed=bool(vote), reasoning="so") for vote in votes)
    passed = 2 * sum(votes) > len(votes)
    return score(
        PASS if passed else FAIL,
        sum(votes) / len(votes),
        weight,
        samples=samples,
        disagreed=len(set(votes)) > 1,
    )
