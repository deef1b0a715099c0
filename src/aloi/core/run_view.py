"""Runs and their results as they are shown: what lists and pages need, without texts of any length."""

from pydantic import AwareDatetime, Field

from aloi.core.case import Case
from aloi.core.case_trace import case_trace, target_trace
from aloi.core.json_values import text_of
from aloi.core.label import Label, LabelVerdict
from aloi.core.outcome import Failure
from aloi.core.result import CaseResult, ResultRow
from aloi.core.run import Progress, Run, RunSpec, RunStatus
from aloi.core.score import Score, Verdict
from aloi.core.spec import JsonObject, Value
from aloi.core.statistics import Interval, run_interval
from aloi.core.summary import Summary
from aloi.core.trace import Trace
from aloi.core.usage import Usage, add_known

# Characters of an input, an answer or a reasoning in a list; the result itself has all of it.
SHOWN = 4000


class RunView(Value):
    """A run as it is shown.

    `interrupted`: it should be going on and nobody works on it. `rate` and `interval` are the summary's once there is
    one. Before, `provisional` is true and they are over the results that are committed, without the judge's noise; the
    interval is (0, 1) while nothing is decided.
    """

    id: str
    target_id: str
    target_name: str
    target_kind: str
    target_version: int
    dataset_id: str
    dataset_name: str
    spec: RunSpec
    status: RunStatus
    interrupted: bool
    reason: str | None
    total: int
    skipped: tuple[str, ...]
    progress: Progress
    rate: float | None
    interval: Interval
    provisional: bool
    summary: Summary | None
    started_by: str
    schedule_id: str | None
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    finished_at: AwareDatetime | None


class LiveFigures(Value):
    """How far a run is, with the rate and the interval of what is committed, without the judge's noise."""

    progress: Progress
    rate: float | None
    interval: Interval


class ScoreView(Value):
    """What one evaluator said, without its evidence. `explanation` is a judge's reasoning too."""

    evaluator: str
    kind: str
    weight: float
    value: float | None
    verdict: Verdict
    threshold: float | None
    explanation: str
    disagreed: bool


class ResultView(Value):
    """A result in a list: long texts are cut, there is no trace.

    `output` is the answer's text, null when there is none. `usage` is the target's, `judge_usage` the judges' and that
    of simulated answers. `label` is what a person said of it, null where nobody did.
    """

    case_id: str
    case_key: str
    case_name: str
    trial: int
    input: str
    output: str | None
    verdict: Verdict
    score: float | None
    scores: tuple[ScoreView, ...]
    disagreed: bool
    latency: float
    usage: Usage
    judge_usage: Usage
    not_applicable: tuple[str, ...]
    failure: Failure | None
    carried_over: bool
    label: LabelVerdict | None


class ResultEvent(Value):
    """A result as it is told to who follows a run. `tokens` and `cost` are of the target and the judges together."""

    seq: int
    case_id: str
    case_key: str
    trial: int
    verdict: Verdict
    score: float | None
    disagreed: bool
    latency: float
    tokens: int | None
    cost: float | None
    error_type: str | None
    carried_over: bool


class RunPage(RunView):
    """A run with its first results; `results_total` counts all of them."""

    results: tuple[ResultView, ...]
    results_total: int


class CaseDetail(Value):
    """Everything of one result: scores with their samples, the trace, and the case as the run froze it.

    `trace` begins at the case: below it stands the target's execution, with the spans of the target, and a span for
    each evaluator. It has all that the outcome's own trace has, which is null here.
    `execution_id`: the execution that the answer is from; that of the earlier run where it was carried over. `label`:
    what a person said of it, null where nobody did.
    """

    result: CaseResult
    case: Case
    execution_id: str
    label: Label | None
    trace: Trace

    @property
    def whole_result(self) -> CaseResult:
        """The result with the target's own trace in its outcome."""
        outcome = self.result.outcome.model_copy(update={"trace": target_trace(self.trace)})
        return self.result.model_copy(update={"outcome": outcome})


class ShownCase(Value):
    """What of a frozen case is shown beside its result."""

    name: str = ""
    input: str | JsonObject = Field(default="")


class ShownTarget(Value):
    """What of a target is shown beside its runs."""

    id: str
    kind: str


def case_detail(result: CaseResult, case: Case, execution_id: str, label: Label | None) -> CaseDetail:
    """Everything of a result whose outcome has its trace."""
    outcome = result.outcome.model_copy(update={"trace": None})
    return CaseDetail(
        result=result.model_copy(update={"outcome": outcome}),
        case=case,
        execution_id=execution_id,
        label=label,
        trace=case_trace(result, case),
    )


def run_view(run: Run, target: ShownTarget, progress: Progress) -> RunView:
    """The run as it is shown, with its target and how far it is."""
    summary = run.summary
    live = live_figures(progress)
    return RunView(
        id=run.id,
        target_id=target.id,
        target_name=run.target_name,
        target_kind=target.kind,
        target_version=run.target_version,
        dataset_id=run.dataset_id,
        dataset_name=run.dataset_name,
        spec=run.spec,
        status=run.status,
        interrupted=run.interrupted,
        reason=run.reason,
        total=run.total,
        skipped=run.skipped,
        progress=progress,
        rate=summary.rate if summary else live.rate,
        interval=summary.interval if summary else live.interval,
        provisional=summary is None,
        summary=summary,
        started_by=run.started_by,
        schedule_id=run.spec.schedule_id,
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
    )


def live_figures(progress: Progress) -> LiveFigures:
    """The rate so far; with several trials, of the trials counted one by one."""
    decided = progress.passed + progress.failed
    rate = progress.passed / decided if decided else None
    return LiveFigures(progress=progress, rate=rate, interval=run_interval(progress.passed, decided))


def final_progress(run: Run, summary: Summary) -> Progress:
    """How far a run is that has a summary, without another look at its results."""
    return Progress(
        total=run.total,
        passed=summary.passed,
        failed=summary.failed,
        errors=summary.errors,
        tokens=add_known(summary.usage.tokens, summary.judge_usage.tokens) or 0,
        cost=add_known(summary.usage.cost, summary.judge_usage.cost),
    )


def result_view(result: CaseResult, case: ShownCase, label: LabelVerdict | None = None) -> ResultView:
    """A result in a list, with the name and the input of its case, and its label."""
    output = result.outcome.output
    return ResultView(
        case_id=result.case_id,
        case_key=result.case_key,
        case_name=case.name,
        trial=result.trial,
        input=_cut(text_of(case.input)),
        output=None if output is None else _cut(text_of(output)),
        verdict=result.verdict,
        score=result.score,
        scores=tuple(map(_score_view, result.scores)),
        disagreed=any(score.disagreed for score in result.scores if score.weight > 0),
        latency=result.outcome.latency,
        usage=result.outcome.usage,
        judge_usage=sum((score.usage for score in result.scores), result.outcome.simulation_usage),
        not_applicable=result.not_applicable,
        failure=result.failure,
        carried_over=result.carried_over,
        label=label,
    )


def _score_view(score: Score) -> ScoreView:
    return ScoreView(
        evaluator=score.evaluator,
        kind=score.kind,
        weight=score.weight,
        value=score.value,
        verdict=score.verdict,
        threshold=score.threshold,
        explanation=_cut(score.explanation),
        disagreed=score.disagreed,
    )


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def result_event(seq: int, row: ResultRow) -> ResultEvent:
    """A result that was just committed, as number `seq` of its run."""
    return ResultEvent(
        seq=seq,
        case_id=row.case_id,
        case_key=row.case_key,
        trial=row.trial,
        verdict=row.verdict,
        score=row.score,
        disagreed=row.disagreed,
        latency=row.latency,
        tokens=add_known(row.usage.tokens, row.judge_side.tokens),
        cost=add_known(row.usage.cost, row.judge_side.cost),
        error_type=row.error_type,
        carried_over=row.carried_over,
    )
