"""Runs and results made by hand."""

from datetime import UTC, datetime, timedelta

from aloi.core.outcome import Failure, Outcome
from aloi.core.result import CaseResult, case_result
from aloi.core.run import JudgeSpec, Run, RunLimits, RunSpec, RunStatus
from aloi.core.score import JudgeSample, Score, Verdict, passed_if
from aloi.core.summary import summarise
from aloi.core.usage import Usage

RUN_ID = "01a22bad-96b0-7ceb-b83d-77281053263f"
START = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
JUDGE = JudgeSpec(model="openai:judge", samples=3)


def passing(key: str, trial: int = 0) -> CaseResult:
    return made_result(key, passed_if(True, "it is there"), trial)


def failing(key: str, explanation: str = "it is not there", trial: int = 0) -> CaseResult:
    return made_result(key, passed_if(False, explanation), trial)


def erring(key: str, message: str = "no answer within 5 s", kind: str = "timeout") -> CaseResult:
    outcome = Outcome(failure=Failure(stage="invoke", type=kind, message=message), latency=5.0)
    return case_result(key, key, 0, outcome, ())


def judged(key: str, *votes: bool) -> CaseResult:
    samples = tuple(JudgeSample(value=float(vote), passed=vote, reasoning=f"it reads so: {vote}") for vote in votes)
    passed = sum(votes) * 2 > len(votes)
    score = Score(
        value=sum(votes) / len(votes),
        verdict=Verdict.PASS if passed else Verdict.FAIL,
        explanation="as the samples say",
        samples=samples,
        disagreed=len(set(votes)) > 1,
        usage=Usage(calls=len(votes), input_tokens=100, output_tokens=10),
    )
    return made_result(key, score)


def made_result(key: str, score: Score, trial: int = 0) -> CaseResult:
    usage = Usage(calls=1, input_tokens=1000, output_tokens=234, cost=0.0123)
    named = score.model_copy(update={"evaluator": "contains", "kind": "contains"})
    return case_result(key, key, trial, Outcome(output="an answer", usage=usage, latency=1.25), (named,))


def made_run(
    *results: CaseResult,
    status: RunStatus = RunStatus.COMPLETED,
    trials: int = 1,
    total: int | None = None,
    skipped: tuple[str, ...] = (),
    reason: str | None = None,
) -> Run:
    limits = RunLimits(trials=trials)
    return Run(
        id=RUN_ID,
        spec=RunSpec(target_version_id="v", revision_id="r", judge=JUDGE, limits=limits),
        target_name="support-agent",
        target_version=3,
        dataset_id="d",
        dataset_name="Refunds",
        status=status,
        reason=reason,
        total=len(results) if total is None else total,
        skipped=skipped,
        summary=summarise([result.row() for result in results], trials) if results else None,
        created_at=START,
        started_at=START,
        finished_at=START + timedelta(seconds=75),
    )
