"""What came of one case in a run."""

import math
from collections.abc import Sequence

from pydantic import Field

from aloi.core.outcome import Failure, Outcome
from aloi.core.score import Score, Verdict
from aloi.core.spec import Value
from aloi.core.statistics import judge_variance
from aloi.core.usage import NO_USAGE, Usage


class CaseResult(Value):
    """Verdict and score of one trial of a case, with the outcome and the scores they come from.

    `score` is null when no evaluator gave a value. `not_applicable` names the bound evaluators that lack what they
    need in the case's definition. `carried_over` is true when the result was taken over from the run that this one
    retries.
    """

    case_id: str
    case_key: str
    trial: int = 0
    verdict: Verdict
    score: float | None = None
    outcome: Outcome
    scores: tuple[Score, ...] = ()
    not_applicable: tuple[str, ...] = ()
    failure: Failure | None = None
    carried_over: bool = False

    def row(self) -> "ResultRow":
        """What the statistics need of it."""
        judged = [score for score in self.scores if score.samples and score.weight > 0]
        usage = sum((score.usage for score in self.scores), NO_USAGE)
        return ResultRow(
            case_id=self.case_id,
            case_key=self.case_key,
            trial=self.trial,
            verdict=self.verdict,
            score=self.score,
            answered=self.outcome.failure is None,
            latency=self.outcome.latency,
            usage=self.outcome.usage,
            judge_usage=usage,
            simulation_usage=self.outcome.simulation_usage,
            judged=bool(judged),
            disagreed=any(score.disagreed for score in judged),
            judge_variance=max((score_variance(score) for score in judged), default=0.0),
            not_applicable=len(self.not_applicable),
            error_type=self.failure.type if self.failure else None,
            carried_over=self.carried_over,
        )


class ResultRow(Value):
    """One result without its texts: what the numbers of a run and a comparison are made of.

    `answered`: whether the target gave an answer; `latency`, in seconds, is only told of answers. `judge_variance`: w
    of the case (statistics.md 1.4), the largest over its judges. `case_hash`: what was asked and how it was graded; it
    tells whether two runs can be compared on this case. `simulation_usage`: what writing simulated answers used.
    """

    case_id: str
    case_key: str
    trial: int = 0
    verdict: Verdict
    score: float | None = None
    answered: bool = True
    latency: float = 0.0
    usage: Usage = NO_USAGE
    judge_usage: Usage = NO_USAGE
    simulation_usage: Usage = NO_USAGE
    judged: bool = False
    disagreed: bool = False
    judge_variance: float = Field(default=0.0, ge=0)
    not_applicable: int = 0
    error_type: str | None = None
    carried_over: bool = False
    case_hash: str = ""

    @property
    def judge_side(self) -> Usage:
        """What the judges used, with what writing simulated answers used: the same model does both."""
        return self.judge_usage + self.simulation_usage


def score_variance(score: Score) -> float:
    """w of one judge's score: the variance of its majority verdict over fresh panels."""
    return judge_variance(sum(sample.passed for sample in score.samples), len(score.samples))


def case_verdict(scores: Sequence[Score]) -> Verdict:
    """Over the scores of weight > 0: any error -> error; else any fail -> fail; else pass; nothing graded -> error."""
    verdicts = {score.verdict for score in scores if score.weight > 0}
    for verdict in (Verdict.ERROR, Verdict.FAIL, Verdict.PASS):
        if verdict in verdicts:
            return verdict
    return Verdict.ERROR


def case_score(scores: Sequence[Score]) -> float | None:
    """The weighted mean of the values that exist; null when there is none."""
    valued = [(score.value, score.weight) for score in scores if score.value is not None and score.weight > 0]
    # Weights as shares of the largest: the very large and the very small neither overflow nor vanish.
    largest = max((weight for _, weight in valued), default=1.0)
    shares = [(value, weight / largest) for value, weight in valued]
    total = math.fsum(share for _, share in shares)
    return min(1.0, math.fsum(value * share for value, share in shares) / total) if valued else None


def case_failure(outcome: Outcome, scores: Sequence[Score]) -> Failure | None:
    """Why a case is an error: its invoke failure, else the first failed evaluator's, else that nothing graded it."""
    if outcome.failure is not None:
        return outcome.failure
    deciding = [score for score in scores if score.weight > 0]
    if not deciding:
        return Failure(stage="grade", type="nothing_graded", message="no evaluator of weight above 0 graded this case")
    return next((_failure_of(score) for score in deciding if score.verdict is Verdict.ERROR), None)


def _failure_of(score: Score) -> Failure:
    """An evaluator of the user's own may give the verdict `error` with nothing but an explanation."""
    return score.failure or Failure(stage="grade", type="error", message=score.explanation)


def case_result(
    case_id: str,
    case_key: str,
    trial: int,
    outcome: Outcome,
    scores: Sequence[Score],
    not_applicable: Sequence[str] = (),
) -> CaseResult:
    """The result that an outcome and its scores amount to. An outcome that failed is an error, whatever the scores."""
    verdict = Verdict.ERROR if outcome.failure is not None else case_verdict(scores)
    return CaseResult(
        case_id=case_id,
        case_key=case_key,
        trial=trial,
        verdict=verdict,
        score=case_score(scores),
        outcome=outcome,
        scores=tuple(scores),
        not_applicable=tuple(not_applicable),
        failure=case_failure(outcome, scores) if verdict is Verdict.ERROR else None,
    )
