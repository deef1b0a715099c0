"""The trace of a case's result: the case around the target's execution and what graded it."""

from typing import Any

from aloi.core.case import Case
from aloi.core.case_trace import EVALUATOR, EXECUTION, MOST_GAP, SAMPLE, SECOND, case_trace, target_trace
from aloi.core.outcome import Failure, Outcome
from aloi.core.result import CaseResult, case_result
from aloi.core.run_view import case_detail
from aloi.core.score import JudgeSample, Score, Verdict, error_score, scored
from aloi.core.trace import INPUT_TOKENS, Span, Trace
from aloi.core.usage import Usage

START = 1_700_000_000 * SECOND
CASE = Case(id="01890a5d-ac96-774b-bcce-b302099a8057", key="trip", input="Book a room")
OWN = Trace(
    trace_id="ab" * 16,
    spans=(
        Span(span_id="1" * 16, name="invoke_agent", start_ns=START, end_ns=START + 2 * SECOND),
        Span(span_id="2" * 16, parent_id="1" * 16, name="chat", start_ns=START + 1, end_ns=START + 5),
    ),
)


def result(*scores: Score, trace: Trace | None = OWN, **outcome: Any) -> CaseResult:
    given = {"output": "Booked.", "latency": 2.0, "trace": trace, **outcome}
    return case_result(CASE.id, CASE.key, 0, Outcome.model_validate(given), scores)


def judged(seconds_in: float = 2.5, **more: Any) -> Score:
    samples = (
        JudgeSample(value=0.9, passed=True, reasoning="It did."),
        JudgeSample(value=0.2, passed=False, reasoning="It did not."),
    )
    fields = {
        "evaluator": "path", "kind": "trajectory_judge", "samples": samples, "disagreed": True, "seconds": 0.5,
        "start_ns": START + round(seconds_in * SECOND), "usage": Usage(calls=2, input_tokens=30, output_tokens=4),
    }  # fmt: skip
    return scored(0.55, 0.7, "One of two.").model_copy(update={**fields, **more})


def named(trace: Trace) -> dict[str, Span]:
    return {span.name: span for span in trace.spans}


def test_it_begins_at_the_case_and_holds_the_execution_and_a_span_for_each_evaluator():
    trace = case_trace(result(judged()), CASE)
    root, execution, agent, chat, path, *samples = trace.spans
    assert (root.parent_id, root.name, root.start_ns, root.end_ns) == (None, "case trip", START, START + 3 * SECOND)
    assert root.attributes["aloi.result.verdict"] == "fail"
    assert (execution.parent_id, execution.operation, execution.end_ns) == (root.span_id, EXECUTION, START + 2 * SECOND)
    assert execution.attributes["aloi.result.input"] == "Book a room"
    assert execution.attributes["aloi.result.output"] == "Booked."
    assert (agent.parent_id, chat.parent_id) == (execution.span_id, agent.span_id)
    assert (path.parent_id, path.operation, path.end_ns - path.start_ns) == (root.span_id, EVALUATOR, SECOND // 2)
    told = {name.removeprefix("aloi.result."): value for name, value in path.attributes.items()}
    assert (told["verdict"], told["value"], told["threshold"], told["explanation"]) == (
        "fail",
        0.55,
        0.7,
        "One of two.",
    )
    assert path.attributes[INPUT_TOKENS] == 30
    assert [(span.parent_id, span.operation, span.name) for span in samples] == [
        (path.span_id, SAMPLE, "sample 1 of 2"),
        (path.span_id, SAMPLE, "sample 2 of 2"),
    ]
    assert [span.attributes["aloi.result.verdict"] for span in samples] == ["pass", "fail"]
    assert len({span.span_id for span in trace.spans}) == len(trace.spans)
    assert (trace.trace_id, trace.shows_tools) == (OWN.trace_id, True)


def test_an_evaluator_that_failed_says_so():
    failed = error_score(Failure(stage="grade", type="timeout", message="no score within 300 s"))
    trace = case_trace(result(failed.model_copy(update={"evaluator": "slow", "start_ns": START})), CASE)
    assert named(trace)["evaluator slow"].error == "no score within 300 s"
    assert named(trace)["evaluator slow"].attributes["aloi.result.verdict"] == Verdict.ERROR


def test_a_target_that_failed_says_so_and_nothing_was_graded():
    failure = Failure(stage="invoke", type="timeout", message="no answer within 60 s")
    trace = case_trace(result(output=None, failure=failure, trace=None), CASE)
    assert [span.name for span in trace.spans] == ["case trip", "execution"]
    assert {span.error for span in trace.spans} == {"no answer within 60 s"}


def test_what_was_not_timed_is_put_behind_the_execution():
    trace = case_trace(result(judged(start_ns=0, seconds=0.0)), CASE)
    path = named(trace)["evaluator path"]
    assert (path.start_ns, path.end_ns) == (START + 2 * SECOND, START + 2 * SECOND)


def test_without_a_trace_the_execution_lies_before_what_graded_it():
    trace = case_trace(result(judged(), trace=None), CASE)
    assert named(trace)["execution"].end_ns == START + round(2.5 * SECOND)
    assert named(trace)["execution"].start_ns == START + round(0.5 * SECOND)


def test_what_graded_an_earlier_answer_follows_it_at_once_and_the_case_says_so():
    later = MOST_GAP / SECOND + 3602.0
    trace = case_trace(result(judged(later), judged(later + 1, evaluator="again")), CASE)
    spans = named(trace)
    assert spans["evaluator path"].start_ns == START + 2 * SECOND
    assert spans["evaluator again"].start_ns == START + 3 * SECOND
    assert spans["case trip"].attributes["aloi.result.graded_seconds_later"] == later - 2
    assert "aloi.result.graded_seconds_later" not in case_trace(result(judged(60)), CASE).spans[0].attributes


def test_a_result_that_was_carried_over_is_marked():
    carried = result(judged()).model_copy(update={"carried_over": True})
    assert case_trace(carried, CASE).spans[0].attributes["aloi.result.carried_over"] is True


def test_long_texts_stand_there_by_their_beginnings():
    trace = case_trace(result(judged(), output="x" * 1_000_000), CASE)
    assert len(str(named(trace)["execution"].attributes["aloi.result.output"])) < 3000


def test_a_span_whose_parent_did_not_come_stands_below_the_execution():
    lone = Span(span_id="3" * 16, parent_id="9" * 16, name="lone", start_ns=START, end_ns=START)
    trace = case_trace(result(trace=OWN.model_copy(update={"spans": (lone,)})), CASE)
    assert named(trace)["lone"].parent_id == named(trace)["execution"].span_id


def test_the_targets_own_trace_can_be_taken_out_again():
    whole = result(judged(), judged(evaluator="again"))
    assert target_trace(case_trace(whole, CASE)) == OWN
    assert target_trace(case_trace(result(judged(), trace=None), CASE)) is None


def test_a_detail_holds_the_trace_once():
    whole = result(judged())
    detail = case_detail(whole, CASE, "execution", None)
    assert detail.result.outcome.trace is None
    assert detail.whole_result == whole
