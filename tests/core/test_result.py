"""Verdict and score of a case, and what its row keeps of it."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.outcome import Failure, Outcome
from aloi.core.result import case_failure, case_result, case_score, case_verdict, score_variance
from aloi.core.score import Score, Verdict, error_score
from aloi.core.statistics import judge_variance
from aloi.core.usage import Usage
from tests.core.made import ANSWER, ERROR, FAIL, PASS, TIMEOUT, sampled, score

BAD_REPLY = Failure(stage="grade", type="bad_reply", message="judge sample 2 of 3: score 7")
FAILED = Outcome(failure=TIMEOUT, latency=5.0)


class TestVerdict:
    @pytest.mark.parametrize(
        ("scores", "verdict"),
        [
            ([score(PASS)], PASS),
            ([score(PASS), score(FAIL)], FAIL),
            ([score(FAIL), score(ERROR)], ERROR),
            ([score(PASS), score(ERROR)], ERROR),
            ([], ERROR),
            ([score(PASS, weight=0)], ERROR),
            ([score(PASS), score(FAIL, weight=0)], PASS),
            ([score(PASS), score(ERROR, weight=0)], PASS),
            ([score(FAIL, weight=1e-9), score(PASS, weight=100)], FAIL),
        ],
    )
    def test_error_before_fail_before_pass(self, scores: list[Score], verdict: Verdict) -> None:
        for order in itertools.permutations(scores):
            assert case_verdict(order) is verdict


class TestScore:
    @pytest.mark.parametrize(
        ("scores", "value"),
        [
            ([], None),
            ([score(ERROR)], None),
            ([score(PASS, 0.8, weight=0)], None),
            ([score(PASS, 0.8), score(PASS, 0.4, weight=0)], 0.8),
            ([score(PASS, 1.0, weight=3), score(FAIL, 0.0)], 0.75),
            ([score(PASS, 0.6), score(ERROR)], 0.6),  # an error is never a 0
            ([score(FAIL, 0.0)], 0.0),
            ([score(PASS, 1.0, weight=1e308), score(PASS, 0.5, weight=1e308)], 0.75),
            ([score(PASS, 1.0, weight=5e-324), score(PASS, 0.5, weight=5e-324)], 0.75),
        ],
    )
    def test_the_weighted_mean_of_the_values_that_exist(self, scores: list[Score], value: float | None) -> None:
        assert case_score(scores) == value

    @given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1e6)), max_size=8))
    def test_it_lies_between_the_least_and_the_greatest(self, parts: list[tuple[float, float]]) -> None:
        found = case_score([score(PASS, value, weight) for value, weight in parts])
        values = [value for value, weight in parts if weight > 0]
        if not values:
            assert found is None
        else:
            assert found is not None
            assert min(values) - 1e-12 <= found <= min(1.0, max(values) + 1e-12)


class TestFailure:
    def test_the_outcome_comes_first(self) -> None:
        assert case_failure(FAILED, [error_score(BAD_REPLY)]) == TIMEOUT

    def test_then_the_first_evaluator_that_decides(self) -> None:
        other = Failure(stage="grade", type="other", message="other")
        informative = error_score(other).model_copy(update={"weight": 0.0})
        assert case_failure(ANSWER, [informative, score(FAIL), error_score(BAD_REPLY), error_score(other)]) == BAD_REPLY

    @pytest.mark.parametrize("scores", [[], [score(PASS, weight=0)]])
    def test_nothing_graded(self, scores: list[Score]) -> None:
        failure = case_failure(ANSWER, scores)
        assert failure is not None
        assert (failure.stage, failure.type) == ("grade", "nothing_graded")

    def test_an_error_without_a_failure_still_says_why(self) -> None:
        failure = case_failure(ANSWER, [score(ERROR)])
        assert failure == Failure(stage="grade", type="error", message="it is error")

    def test_no_error_is_no_failure(self) -> None:
        assert case_failure(ANSWER, [score(FAIL)]) is None


class TestCaseResult:
    def test_what_was_obtained_is_kept_when_grading_fails(self) -> None:
        result = case_result("id", "key", 2, ANSWER, [score(PASS, 0.5), error_score(BAD_REPLY)], ["absent"])
        assert (result.verdict, result.score, result.failure) == (ERROR, 0.5, BAD_REPLY)
        assert (result.outcome, len(result.scores), result.not_applicable) == (ANSWER, 2, ("absent",))
        assert (result.case_id, result.case_key, result.trial) == ("id", "key", 2)

    def test_a_failed_outcome_is_an_error_whatever_the_scores(self) -> None:
        result = case_result("id", "key", 0, FAILED, [score(PASS)])
        assert (result.verdict, result.failure) == (ERROR, TIMEOUT)

    @pytest.mark.parametrize("verdict", [PASS, FAIL])
    def test_a_decided_case_has_no_failure(self, verdict: Verdict) -> None:
        result = case_result("id", "key", 0, ANSWER, [score(verdict), score(ERROR, weight=0)])
        assert (result.verdict, result.failure) == (verdict, None)


class TestRow:
    def test_it_keeps_what_the_numbers_need(self) -> None:
        judge = Usage(calls=3, input_tokens=30)
        used = ANSWER.model_copy(update={"usage": Usage(calls=1, input_tokens=7)})
        scores = [sampled([1, 1, 0]).model_copy(update={"usage": judge}), score(PASS, 0.5, usage=judge)]
        row = case_result("id", "key", 1, used, scores, ["a", "b"]).row()
        assert (row.case_id, row.case_key, row.trial, row.verdict) == ("id", "key", 1, PASS)
        assert row.score == pytest.approx((2 / 3 + 0.5) / 2)
        assert (row.answered, row.latency, row.usage) == (True, 2.0, used.usage)
        assert row.judge_usage == Usage(calls=6, input_tokens=60)
        assert (row.judged, row.disagreed, row.judge_variance) == (True, True, judge_variance(2, 3))
        assert (row.not_applicable, row.error_type, row.carried_over) == (2, None, False)

    def test_simulated_answers_are_on_the_judges_side(self) -> None:
        judge, simulation = Usage(calls=3, input_tokens=30), Usage(calls=1, input_tokens=5)
        outcome = ANSWER.model_copy(update={"simulation_usage": simulation})
        row = case_result("id", "key", 0, outcome, [score(PASS, usage=judge)]).row()
        assert (row.usage, row.judge_usage, row.simulation_usage) == (ANSWER.usage, judge, simulation)
        assert row.judge_side == Usage(calls=4, input_tokens=35)

    def test_of_several_judges_the_noisiest_counts(self) -> None:
        row = case_result("id", "key", 0, ANSWER, [sampled([1, 1, 1, 1, 0]), sampled([1, 1, 0, 0, 1])]).row()
        assert row.judge_variance == judge_variance(3, 5) > judge_variance(4, 5)

    def test_a_judge_that_only_informs_adds_no_noise(self) -> None:
        row = case_result("id", "key", 0, ANSWER, [sampled([1, 1, 0], weight=0), score(PASS)]).row()
        assert (row.judged, row.disagreed, row.judge_variance) == (False, False, 0.0)

    @pytest.mark.parametrize("votes", [[1], [0, 0], [1, 1, 1]])
    def test_judges_that_agree_add_none(self, votes: list[int]) -> None:
        row = case_result("id", "key", 0, ANSWER, [sampled(votes)]).row()
        assert (row.judged, row.disagreed, row.judge_variance) == (True, False, 0.0)

    def test_of_a_failed_outcome(self) -> None:
        row = case_result("id", "key", 0, FAILED, []).row()
        assert (row.answered, row.verdict, row.score, row.error_type) == (False, ERROR, None, "timeout")

    def test_an_answer_that_could_not_be_graded_is_an_answer(self) -> None:
        row = case_result("id", "key", 0, ANSWER, [error_score(BAD_REPLY)]).row()
        assert (row.answered, row.error_type) == (True, "bad_reply")

    def test_what_was_carried_over_is_marked(self) -> None:
        result = case_result("id", "key", 0, ANSWER, [score(PASS)]).model_copy(update={"carried_over": True})
        assert result.row().carried_over


def test_the_variance_of_a_score_is_that_of_its_votes() -> None:
    assert score_variance(sampled([1, 0, 0, 1])) == judge_variance(2, 4)
    assert score_variance(score(PASS)) == 0.0
