"""What an evaluator says of an outcome."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue

from aloi.core.outcome import Failure
from aloi.core.spec import JsonObject, Value
from aloi.core.usage import NO_USAGE, Usage


class Verdict(StrEnum):
    """`pass`, `fail`, or `error`: an absence of measurement, never a pass and never a fail."""

    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"


class JudgeSample(Value):
    """One of a judge's 1..5 verdicts: value in [0,1], whether it passes, the reasoning, and what else it said."""

    value: float
    passed: bool
    reasoning: str
    details: JsonObject = {}


class Score(Value):
    """Value in [0,1] (null on error), verdict and explanation of one evaluator; the rest is evidence.

    `weight` 0 informs without deciding. `samples` are a judge's single verdicts, `disagreed` is true when they are not
    all alike. `usage` is the judge's. `start_ns` is when the grading
    began, in nanoseconds since 1970-01-01 UTC (0 where that was not written down), `seconds` how long it took.
    """

    evaluator: str = ""
    kind: str = ""
    weight: float = 1.0
    value: Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)] | None = None
    verdict: Verdict
    explanation: str
    threshold: float | None = None
    details: JsonValue = None
    samples: tuple[JudgeSample, ...] = ()
    disagreed: bool = False
    failure: Failure | None = None
    usage: Usage = NO_USAGE
    start_ns: int = 0
    seconds: float = 0.0


def passed_if(passed: bool, explanation: str, details: JsonValue = None) -> Score:
    """The score of a yes-or-no evaluator: 1 and `pass`, or 0 and `fail`."""
    verdict = Verdict.PASS if passed else Verdict.FAIL
    return Score(value=1.0 if passed else 0.0, verdict=verdict, explanation=explanation, details=details)


def scored(value: float, threshold: float, explanation: str, details: JsonValue = None) -> Score:
    """The score of a graded evaluator: it passes iff value >= threshold (a threshold of 0 is a threshold)."""
    verdict = Verdict.PASS if value >= threshold else Verdict.FAIL
    return Score(value=value, verdict=verdict, explanation=explanation, threshold=threshold, details=details)


def error_score(failure: Failure, usage: Usage = NO_USAGE) -> Score:
    """The score of an evaluator that could not grade: no value, verdict `error`."""
    return Score(verdict=Verdict.ERROR, explanation=failure.message, failure=failure, usage=usage)
