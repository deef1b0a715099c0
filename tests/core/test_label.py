from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.label import BlindResult, Label, LabelGiven, blind_result, own_label
from aloi.core.outcome import Failure, Outcome
from aloi.core.spec import JsonObject
from aloi.core.trace import Span, Trace

LABEL = Label(
    case_key="k", trial=0, verdict="pass", note="", blind=True, by="ann", at=datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
)
JUDGE = Binding.model_validate({"kind": "llm_judge", "name": "polite", "rubric": "Be polite."})
CONTAINS = Binding.model_validate({"kind": "contains", "text": "x"})


def blind(case: Case, outcome: Outcome | None = None, *rules: Binding) -> BlindResult:
    return blind_result(case, 0, outcome or Outcome(output="yes"), rules, None)


def span(name: str, parent: str | None = None, **attributes: str) -> Span:
    given: JsonObject = {key.replace("__", "."): value for key, value in attributes.items()}
    return Span(span_id=name, parent_id=parent, name=name, start_ns=0, end_ns=1, attributes=given)


def test_the_rules_in_words_are_told() -> None:
    own = {"kind": "llm_judge", "name": "own", "rubric": "Be short."}
    case = Case.model_validate({"key": "k", "input": "x", "evaluators": [own]})
    assert blind(case, None, JUDGE, CONTAINS).criteria == {"polite": "Be polite.", "own": "Be short."}


def test_a_case_replaces_them() -> None:
    case = Case.model_validate({"key": "k", "input": "x", "criteria": {"polite": {"rubric": "Be rude."}}})
    assert blind(case, None, JUDGE).criteria == {"polite": "Be rude."}


@pytest.mark.parametrize(
    "grading",
    [
        span("judge", "root", gen_ai__operation__name="evaluate"),
        span("judge", "root", openinference__span__kind="EVALUATOR"),
        span("judge", "root", gen_ai__evaluation__score__label="pass"),
        span("gen_ai.evaluation.result", "root"),
    ],
)
def test_spans_that_grade_are_left_out_with_all_below_them(grading: Span) -> None:
    below = [span("chat", grading.span_id), span("deeper", "chat")]
    kept = [span("root"), span("tool", "root", gen_ai__operation__name="execute_tool")]
    trace = Trace(trace_id="t", spans=(*reversed(below), grading, *kept))
    seen = blind(Case(key="k", input="x"), Outcome(output="yes", trace=trace)).outcome.trace
    assert seen is not None and list(seen.spans) == kept


def test_the_targets_own_failure_is_shown_and_that_of_grading_is_not() -> None:
    case = Case(key="k", input="x")
    invoke = Failure(stage="invoke", type="timeout", message="late")
    grade = Failure(stage="grade", type="unusable_verdict", message="hm")
    assert blind(case, Outcome(failure=invoke)).outcome.failure == invoke
    assert blind(case, Outcome(failure=grade)).outcome.failure is None


def test_only_the_readers_own_label_is_shown() -> None:
    assert own_label(LABEL, "ann") == LABEL
    assert own_label(LABEL, "bob") is None
    assert own_label(None, "ann") is None


@pytest.mark.parametrize("given", [{}, {"verdict": "error"}, {"verdict": "pass", "note": "x" * 10_001}])
def test_what_is_no_label(given: JsonObject) -> None:
    with pytest.raises(ValidationError):
        LabelGiven.model_validate(given)
