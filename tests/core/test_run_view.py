"""Runs and results as they are shown."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aloi.core.outcome import Outcome
from aloi.core.result import case_result
from aloi.core.run import Progress, Run, RunSpec, RunStatus
from aloi.core.run_view import ShownCase, ShownTarget, final_progress, live_figures, result_event, result_view, run_view
from aloi.core.score import Score, Verdict
from aloi.core.statistics import run_interval
from aloi.core.summary import summarise
from aloi.core.usage import Usage

NOW = datetime(2026, 1, 2, tzinfo=UTC)
TARGET = ShownTarget(id="t", kind="openai")
USED = Usage(calls=1, input_tokens=5, output_tokens=2, cost=0.25)
RESULT = case_result(
    "id",
    "key",
    1,
    Outcome(output={"a": "é"}, usage=USED, latency=0.5),
    [
        Score(evaluator="e", kind="llm_judge", value=1.0, verdict=Verdict.PASS, explanation="x" * 5000, usage=USED),
        Score(evaluator="f", kind="llm_judge", weight=0, value=0, verdict=Verdict.FAIL, explanation="", disagreed=True),
    ],
)


def a_run(**more: Any) -> Run:
    spec = RunSpec(target_version_id="v", revision_id="r")
    fields: dict[str, Any] = {"target_name": "bot", "target_version": 3, "dataset_id": "d", "dataset_name": "data"}
    return Run(id="run", spec=spec, **fields, created_at=NOW, total=4, status=RunStatus.RUNNING, **more)


def test_a_live_run_has_provisional_figures() -> None:
    progress = Progress(total=4, passed=2, failed=1, errors=1)
    shown = run_view(a_run(holder="somebody"), TARGET, progress)
    assert (shown.provisional, shown.rate, shown.interval) == (True, 2 / 3, run_interval(2, 3))
    assert (shown.interrupted, shown.target_id, shown.target_kind, shown.progress) == (False, "t", "openai", progress)
    assert run_view(a_run(), TARGET, progress).interrupted


def test_a_finished_run_has_those_of_its_summary() -> None:
    summary = summarise([RESULT.row()])
    run = a_run(summary=summary)
    shown = run_view(run, TARGET, final_progress(run, summary))
    assert (shown.provisional, shown.rate, shown.interval) == (False, summary.rate, summary.interval)
    assert shown.progress == Progress(total=4, passed=1, tokens=14, cost=0.5)


def test_nothing_decided_is_no_rate() -> None:
    figures = live_figures(Progress(total=4, errors=2))
    assert (figures.rate, figures.interval) == (None, (0.0, 1.0))


def test_a_row_has_texts_of_bounded_length() -> None:
    row = result_view(RESULT, ShownCase(name="Name", input={"q": "y" * 9000}))
    assert (row.case_name, row.trial, row.output) == ("Name", 1, '{"a": "é"}')
    assert len(row.input) == len(row.scores[0].explanation) == 4001
    assert (row.usage, row.judge_usage, row.latency) == (USED, USED, 0.5)


@pytest.mark.parametrize(("weight", "disagreed"), [(0.0, False), (1.0, True)])
def test_only_judges_that_count_disagree(weight: float, disagreed: bool) -> None:
    scores = [score.model_copy(update={"weight": weight}) for score in RESULT.scores]
    result = RESULT.model_copy(update={"scores": tuple(scores)})
    assert result_view(result, ShownCase()).disagreed is disagreed


def test_a_row_has_what_a_person_said() -> None:
    assert result_view(RESULT, ShownCase()).label is None
    assert result_view(RESULT, ShownCase(), "fail").label == "fail"


def test_an_event_has_both_sides_in_its_sums() -> None:
    event = result_event(7, RESULT.row())
    assert (event.seq, event.case_key, event.trial, event.verdict) == (7, "key", 1, Verdict.PASS)
    assert (event.tokens, event.cost, event.error_type) == (14, 0.5, None)
