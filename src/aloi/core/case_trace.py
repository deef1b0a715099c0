"""The whole trace of a case's result: the case, within it the target's execution, and what each evaluator did."""

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.identity import content_hash
from aloi.core.json_values import text_of
from aloi.core.outcome import Outcome
from aloi.core.result import CaseResult
from aloi.core.score import JudgeSample, Score
from aloi.core.spec import JsonObject
from aloi.core.trace import OPERATION, Span, Trace, usage_attributes

# What the spans are that stand around those of the target.
CASE, EXECUTION, EVALUATOR, SAMPLE = "aloi.case", "aloi.execution", "aloi.evaluator", "aloi.judge_sample"
PREFIX = "aloi.result."
SECOND = 1_000_000_000
# Evaluators that began so much later graded an earlier answer: nothing happened in between. Spans of a service that
# runs elsewhere are waited for less long.
MOST_GAP = 180 * SECOND
MOST_TEXT = 2000  # characters of an input and an output: the result itself has all of them


def case_trace(result: CaseResult, case: Case) -> Trace:
    """The trace that begins at the case: the spans of the outcome's trace stand below the execution's.

    An execution begins with its first span and takes the outcome's latency. Where it was not written down when an
    evaluator began, it is put behind the execution. Where an earlier answer was graded, the time between is left out,
    and told on the case's span.
    """
    trace = result.outcome.trace or Trace(trace_id="", shows_tools=False)
    root, execution = _id(result, CASE), _id(result, EXECUTION)
    start, end = _times(result.outcome, result.scores)
    gap = _gap(result.scores, end)
    graded = [span for index, score in enumerate(result.scores) for span in _graded(result, index, score, end, gap)]
    around = Span(
        span_id=root,
        name=f"case {result.case_key}",
        start_ns=start,
        end_ns=max((span.end_ns for span in graded), default=end),
        attributes=_case_attributes(result, gap),
        error=None if result.failure is None else result.failure.message,
    )
    known = {span.span_id for span in trace.spans}
    below = (
        span if span.parent_id in known else span.model_copy(update={"parent_id": execution}) for span in trace.spans
    )
    return trace.model_copy(
        update={"spans": (around, _execution(result, case, (root, execution), (start, end)), *below, *graded)}
    )


def target_trace(trace: Trace) -> Trace | None:
    """The target's own trace, taken out of that of a case; null where it gave none."""
    if not trace.trace_id:
        return None
    root, execution, *rest = trace.spans
    graded = {span.span_id for span in rest if span.parent_id == root.span_id}
    own = (span for span in rest if span.span_id not in graded and span.parent_id not in graded)
    spans = (
        span.model_copy(update={"parent_id": None}) if span.parent_id == execution.span_id else span for span in own
    )
    return trace.model_copy(update={"spans": tuple(spans)})


def _id(result: CaseResult, *part: str | int) -> str:
    """An id that is the same each time the trace is made."""
    return content_hash([PREFIX, result.case_id, result.case_key, result.trial, *part])[:16]


def _times(outcome: Outcome, scores: Sequence[Score]) -> tuple[int, int]:
    """When the execution began and ended; 0 where nothing says when that was."""
    length = round(outcome.latency * SECOND)
    spans = outcome.trace.spans if outcome.trace is not None else ()
    begun = min((span.start_ns for span in spans), default=None)
    if begun is None:
        graded = min((score.start_ns for score in scores if score.start_ns), default=length)
        begun = max(0, graded - length)
    return begun, begun + length


def _gap(scores: Sequence[Score], end: int) -> int:
    """For how many nanoseconds nothing happened between an execution that was over long ago and its grading."""
    first = min((score.start_ns for score in scores if score.start_ns), default=end)
    return first - end if first - end > MOST_GAP else 0


def _case_attributes(result: CaseResult, gap: int) -> JsonObject:
    told: JsonObject = {
        OPERATION: CASE,
        f"{PREFIX}case": result.case_key,
        f"{PREFIX}trial": result.trial,
        f"{PREFIX}verdict": result.verdict.value,
        f"{PREFIX}score": result.score,
    }
    if result.not_applicable:
        told[f"{PREFIX}not_applicable"] = list(result.not_applicable)
    if result.carried_over:
        told[f"{PREFIX}carried_over"] = True
    if gap:
        told[f"{PREFIX}graded_seconds_later"] = round(gap / SECOND)
    return told


def _execution(result: CaseResult, case: Case, ids: tuple[str, str], times: tuple[int, int]) -> Span:
    root, own = ids
    outcome = result.outcome
    return Span(
        span_id=own,
        parent_id=root,
        name="execution",
        start_ns=times[0],
        end_ns=times[1],
        attributes={
            OPERATION: EXECUTION,
            f"{PREFIX}input": _cut(case.input),
            f"{PREFIX}output": _cut(outcome.output),
            f"{PREFIX}latency": outcome.latency,
            **usage_attributes(outcome.usage),
        },
        error=None if outcome.failure is None else outcome.failure.message,
    )


def _cut(value: JsonValue) -> JsonValue:
    """The value, or the beginning of its text where it is long."""
    text = text_of(value)
    return value if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}…"


def _graded(result: CaseResult, index: int, score: Score, end: int, gap: int) -> Iterator[Span]:
    """The span of an evaluator, then those of its judge's samples, of which it is not known when each was made."""
    own = _id(result, EVALUATOR, index)
    start = score.start_ns - gap if score.start_ns else end
    times = start, start + round(score.seconds * SECOND)
    yield Span(
        span_id=own,
        parent_id=_id(result, CASE),
        name=f"evaluator {score.evaluator or score.kind}",
        start_ns=times[0],
        end_ns=times[1],
        attributes={
            OPERATION: EVALUATOR,
            f"{PREFIX}evaluator": score.evaluator or score.kind,
            f"{PREFIX}kind": score.kind,
            f"{PREFIX}weight": score.weight,
            **_verdict(score.verdict.value, score.value, score.explanation),
            f"{PREFIX}threshold": score.threshold,
            **({f"{PREFIX}disagreed": True} if score.disagreed else {}),
            **usage_attributes(score.usage),
        },
        error=None if score.failure is None else score.failure.message,
    )
    for number, sample in enumerate(score.samples, 1):
        yield _sample(_id(result, SAMPLE, index, number), own, (number, len(score.samples)), sample, times)


def _sample(own: str, parent: str, which: tuple[int, int], sample: JudgeSample, times: tuple[int, int]) -> Span:
    verdict = "pass" if sample.passed else "fail"
    return Span(
        span_id=own,
        parent_id=parent,
        name=f"sample {which[0]} of {which[1]}",
        start_ns=times[0],
        end_ns=times[1],
        attributes={
            OPERATION: SAMPLE,
            f"{PREFIX}sample": which[0],
            f"{PREFIX}samples": which[1],
            **_verdict(verdict, sample.value, sample.reasoning),
        },
    )


def _verdict(verdict: str, value: float | None, explanation: str) -> JsonObject:
    return {f"{PREFIX}verdict": verdict, f"{PREFIX}value": value, f"{PREFIX}explanation": explanation}
