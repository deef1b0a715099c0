"""Runs and results to report on."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st
from pydantic import JsonValue

from aloi.core.label import Label, LabelledResult
from aloi.core.outcome import Failure, Outcome
from aloi.core.result import CaseResult, case_result
from aloi.core.run import JudgeSpec, Run, RunLimits, RunSpec, RunStatus
from aloi.core.score import JudgeSample, Score, Verdict, error_score, passed_if
from aloi.core.summary import summarise
from aloi.core.usage import Usage

STARTED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ANY_TEXT = st.text(max_size=20) | st.sampled_from(
    ["\0", "\ud800", "\x0b", "\ufffe", "]]>", "<script>alert(1)</script>", "&amp;", "a\r\nb\tc", "'\"", "=1+1", "😀"]
)

Write = Callable[[Run, AsyncIterator[LabelledResult]], AsyncIterator[str]]


def score(passed: bool, explanation: str = "because", evaluator: str = "contains", weight: float = 1.0) -> Score:
    return passed_if(passed, explanation).model_copy(
        update={"evaluator": evaluator, "kind": evaluator, "weight": weight}
    )


def answered(key: str, output: JsonValue, *scores: Score, trial: int = 0) -> CaseResult:
    outcome = Outcome(output=output, latency=1.25, usage=Usage(calls=1, input_tokens=10, output_tokens=5, cost=0.001))
    return case_result("id-" + key, key, trial, outcome, scores)


def silent(key: str, message: str = "no answer within 30 s") -> CaseResult:
    failure = Failure(stage="invoke", type="timeout", message=message)
    return case_result("id-" + key, key, 0, Outcome(failure=failure, latency=30.0), ())


def disagreed(key: str) -> CaseResult:
    samples = tuple(
        JudgeSample(value=float(passed), passed=passed, reasoning=f"reason {passed}") for passed in (True, True, False)
    )
    judged = Score(
        evaluator="behavior_judge",
        kind="behavior_judge",
        value=2 / 3,
        verdict=Verdict.PASS,
        explanation="2 of 3 samples pass",
        samples=samples,
        disagreed=True,
        usage=Usage(calls=3, input_tokens=300, output_tokens=30),
    )
    return answered(key, {"answer": "été"}, judged)


def ungraded(key: str) -> CaseResult:
    failure = Failure(stage="grade", type="bad_reply", message="judge sample 2 of 3: no verdict")
    return answered(key, "kept", error_score(failure).model_copy(update={"evaluator": "llm_judge"}))


def some() -> list[CaseResult]:
    return [
        answered("good", "Paris", score(True, "found Paris")),
        answered("bad", "Rome", score(False, "no Paris in Rome"), score(False, "long", "latency", 0)),
        silent("slow"),
        disagreed("split"),
        ungraded("odd"),
    ]


def run_of(results: Sequence[CaseResult], trials: int = 1) -> Run:
    return Run(
        id="run-1",
        spec=RunSpec(
            target_version_id="v",
            revision_id="r",
            judge=JudgeSpec(model="openai:judge", samples=3),
            limits=RunLimits(trials=trials),
        ),
        target_name="agent <1>",
        target_version=3,
        dataset_id="d",
        dataset_name="Refunds & more",
        status=RunStatus.COMPLETED,
        total=len(results),
        summary=summarise((result.row() for result in results), trials),
        created_at=STARTED,
        started_at=STARTED,
        finished_at=STARTED + timedelta(seconds=90.5),
    )


def labelled(result: CaseResult, note: str = "so it is") -> LabelledResult:
    label = Label(
        case_key=result.case_key, trial=result.trial, verdict="fail", note=note, blind=True, by="ann", at=STARTED
    )
    return LabelledResult.model_construct(**dict(result), label=label)


async def written(write: Write, run: Run, results: Sequence[CaseResult]) -> str:
    async def stream() -> AsyncIterator[LabelledResult]:
        for result in results:
            known = isinstance(result, LabelledResult)
            yield result if known else LabelledResult.model_construct(**dict(result), label=None)

    return "".join([piece async for piece in write(run, stream())])
