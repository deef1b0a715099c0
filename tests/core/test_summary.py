"""The numbers of a run: golden values, sums over rows, trials, and what is null."""

import math
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.result import ResultRow
from aloi.core.statistics import (
    Interval,
    bootstrap_interval,
    judge_variance,
    mean_interval,
    run_interval,
    wilson_interval,
)
from aloi.core.summary import MOST_K, Summary, Tally, summarise
from aloi.core.usage import NO_USAGE, Usage
from tests.core.made import ERROR, FAIL, PASS, row, rows, voted
from tests.core.statistics.golden import TOLERANCE
from tests.core.statistics.golden import rows as golden

VOTES = st.lists(st.integers(0, 1), min_size=1, max_size=5)
TOKENS = st.none() | st.integers(0, 10**6)
USAGES = st.just(NO_USAGE) | st.builds(
    Usage, calls=st.integers(1, 3), input_tokens=TOKENS, output_tokens=TOKENS, cost=st.none() | st.floats(0, 10)
)


@st.composite
def results(draw: st.DrawFn) -> list[ResultRow]:
    """Results of several cases and trials, each place once; an error may keep its votes and its score."""
    places = draw(st.lists(st.sampled_from(list(product("abcdef", range(3)))), unique=True, max_size=18))
    return [draw(result(key, trial)) for key, trial in places]


@st.composite
def result(draw: st.DrawFn, key: str, trial: int) -> ResultRow:
    fields: dict[str, Any] = {
        "score": draw(st.none() | st.floats(0, 1)),
        "answered": draw(st.booleans()),
        "latency": draw(st.floats(0, 100)),
        "usage": draw(USAGES),
        "judge_usage": draw(USAGES),
        "not_applicable": draw(st.integers(0, 2)),
    }
    if draw(st.booleans()):
        fields |= {"verdict": ERROR, "error_type": draw(st.sampled_from(["timeout", "bad_reply"]))}
    return voted(draw(VOTES), key, trial).model_copy(update=fields)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every plain value of a summary with its place; floats without their last bits."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from leaves(value[key], f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{index}]")
    else:
        yield path, pytest.approx(value, rel=1e-9, abs=1e-12) if isinstance(value, float) else value


def trials(*groups: list[int]) -> list[ResultRow]:
    """The trials of cases `0`, `1`, ...: 1 passed, 0 failed, -1 is an error."""
    verdicts = {1: PASS, 0: FAIL, -1: ERROR}
    return [
        row(verdicts[found], str(key), trial) for key, group in enumerate(groups) for trial, found in enumerate(group)
    ]


class TestRateAndInterval:
    def test_judge_noise_agrees_with_numerical_inversion(self) -> None:
        for case in golden("judge_noise_interval"):
            made = [
                (voted(item["votes"], str(index)) if item["votes"] else row(item["verdict"], str(index)))
                for index, item in enumerate(case["cases"])
            ]
            summary = summarise(made)
            counts = summary.passed, summary.decided, summary.errors
            assert counts == (case["passed"], case["decided"], case["errors"])
            assert summary.interval == pytest.approx((case["lo"], case["hi"]), abs=TOLERANCE), case["name"]
            assert summary.judge_noise is case["incl_judge_noise"], case["name"]

    def test_repeated_trials_agree_with_numerical_inversion(self) -> None:
        for case in golden("repeated_trials_interval"):
            summary = summarise(trials(*case["groups"]), trials=5)
            assert summary.rate == pytest.approx(case["mean"], abs=TOLERANCE)
            assert summary.interval == pytest.approx((case["lo"], case["hi"]), abs=TOLERANCE)

    def test_errors_are_left_out_and_bounded(self) -> None:
        summary = summarise(rows(*[PASS] * 7, FAIL, FAIL, ERROR))
        assert (summary.passed, summary.failed, summary.errors) == (7, 2, 1)
        assert (summary.decided, summary.total) == (9, 10)
        assert summary.rate == 7 / 9
        assert summary.interval == wilson_interval(7, 9)
        assert summary.bounds == Interval(0.7, 0.8)

    def test_errors_alone_decide_nothing(self) -> None:
        summary = summarise(rows(ERROR, ERROR))
        assert (summary.rate, summary.interval, summary.bounds) == (None, Interval(0, 1), Interval(0, 1))
        assert (summary.errors, summary.decided, summary.total) == (2, 0, 2)

    def test_votes_of_a_case_in_error_add_no_noise(self) -> None:
        contested = voted([1, 1, 0], "a")
        assert summarise([contested]).judge_noise
        summary = summarise([contested.model_copy(update={"verdict": ERROR}), row(PASS, "b")])
        assert (summary.judge_noise, summary.interval) == (False, wilson_interval(1, 1))

    @given(st.lists(VOTES, min_size=1, max_size=40))
    def test_one_trial_is_the_run_interval_bit_for_bit(self, cases: list[list[int]]) -> None:
        made = [voted(votes, str(index)) for index, votes in enumerate(cases)]
        noise = math.fsum(judge_variance(sum(votes), len(votes)) for votes in cases)
        summary = summarise(made)
        assert summary.rate == summary.passed / len(cases)
        assert summary.interval == run_interval(summary.passed, len(cases), noise)
        assert summary.judge_noise is (noise > 0)
        assert summary.pass_at_k == ()


class TestTrials:
    def test_the_rate_is_the_mean_of_the_cases_rates_over_decided_trials(self) -> None:
        summary = summarise(trials([1, 1, 1], [0, -1, -1], [-1, -1, -1]), trials=3)
        assert (summary.passed, summary.failed, summary.errors, summary.cases) == (3, 1, 5, 3)
        assert summary.rate == 0.5
        assert summary.bounds == Interval(3 / 9, 8 / 9)

    def test_trials_of_one_case_are_not_independent_cases(self) -> None:
        assert summarise(trials([1] * 5, [1] * 5, [0] * 5), trials=5).interval == wilson_interval(2, 3)

    def test_judge_noise_is_shared_among_the_trials_of_a_case(self) -> None:
        contested = [voted([1, 1, 0], key, trial) for key in "ab" for trial in range(2)]
        one = summarise(contested[::2])
        two = summarise(contested, trials=2)
        assert (one.rate, two.rate) == (1, 1)
        # v = (2 w/2^2 + 2 w/2^2)/2^2 is half of (w + w)/2^2.
        assert two.interval == pytest.approx(run_interval(2, 2, judge_variance(2, 3)), abs=1e-15)
        assert one.interval == run_interval(2, 2, 2 * judge_variance(2, 3))

    def test_pass_at_k_is_the_mean_over_cases(self) -> None:
        summary = summarise(trials([1, 0, 0], [1, 1, 1]), trials=3)
        assert [(at.k, at.pass_at_k, at.pass_hat_k) for at in summary.pass_at_k] == [
            (1, pytest.approx(2 / 3), pytest.approx(2 / 3)),
            (2, pytest.approx((2 / 3 + 1) / 2), 0.5),
            (3, 1.0, 0.5),
        ]
        assert [at.pass_hat_k_interval for at in summary.pass_at_k] == [None, None, bootstrap_interval([0.0, 1.0])]

    def test_a_case_with_too_few_decided_trials_is_left_out(self) -> None:
        at_two = summarise(trials([1, -1], [1, 0]), trials=2).pass_at_k[1]
        assert (at_two.pass_at_k, at_two.pass_hat_k, at_two.pass_hat_k_interval) == (1.0, 0.0, None)
        nowhere = summarise(trials([1, -1], [-1, -1]), trials=2).pass_at_k[1]
        assert (nowhere.pass_at_k, nowhere.pass_hat_k, nowhere.pass_hat_k_interval) == (None, None, None)

    def test_the_bootstrap_does_not_depend_on_the_order_of_the_cases(self) -> None:
        made = trials(*[[1, 1]] * 3, *[[1, 0]] * 4)
        assert summarise(made, 2).pass_at_k == summarise(made[::-1], 2).pass_at_k

    def test_many_trials_are_not_told_for_every_k(self) -> None:
        ks = [at.k for at in summarise(trials([1] * 40), trials=40).pass_at_k]
        assert ks == [*range(1, MOST_K + 1), 40]


class TestJudge:
    @pytest.mark.parametrize(
        ("judged", "disagreed", "unstable"), [(0, 0, False), (5, 1, False), (4, 1, True), (15, 3, False), (15, 4, True)]
    )
    def test_unstable_when_more_than_a_fifth_disagree(self, judged: int, disagreed: int, unstable: bool) -> None:
        made = [voted([1, 1, int(index >= disagreed)], str(index)) for index in range(judged)]
        made += [row(PASS, f"exact {index}") for index in range(50)]
        summary = summarise(made)
        assert (summary.judged, summary.disagreed, summary.unstable) == (judged, disagreed, unstable)


class TestScoresAndLatency:
    def test_the_mean_score_is_over_cases_with_their_trials_meant_first(self) -> None:
        made = [row(PASS, "a", trial, score=value) for trial, value in enumerate([1.0, 1.0, 0.7])]
        summary = summarise([*made, row(FAIL, "b", score=0.1), row(PASS, "no score")], trials=3)
        assert summary.mean_score == pytest.approx(0.5)
        assert summary.score_interval == mean_interval([0.1, 0.9])

    def test_equal_scores_have_that_very_mean(self) -> None:
        assert summarise(row(PASS, str(index), score=0.1) for index in range(3)).mean_score == 0.1

    def test_one_case_has_no_score_interval(self) -> None:
        summary = summarise([row(PASS, score=0.4)])
        assert (summary.mean_score, summary.score_interval) == (0.4, None)

    def test_latency_is_of_answers_alone(self) -> None:
        made = [row(PASS, str(index), latency=float(seconds)) for index, seconds in enumerate([4, 1, 3, 2])]
        latency = summarise([*made, row(ERROR, "slow", answered=False, latency=300.0)]).latency
        assert latency is not None
        assert (latency.mean, latency.p50, latency.p95) == (2.5, 2.5, pytest.approx(3.85))

    def test_an_answer_that_could_not_be_graded_has_a_latency(self) -> None:
        latency = summarise([row(ERROR, latency=2.0)]).latency
        assert latency is not None and latency.mean == 2.0

    def test_without_an_answer_there_is_none(self) -> None:
        assert summarise([row(ERROR, answered=False, latency=5.0)]).latency is None


class TestTally:
    def test_nothing_gives_nulls(self) -> None:
        summary = summarise([])
        nulls = (summary.rate, summary.bounds, summary.mean_score, summary.score_interval, summary.latency)
        assert nulls == (None,) * 5
        assert (summary.interval, summary.total, summary.unstable) == (Interval(0, 1), 0, False)
        assert (summary.usage, summary.pass_at_k, summary.error_types) == (NO_USAGE, (), {})

    def test_the_commonest_error_comes_first(self) -> None:
        kinds = ["timeout", "bad_reply", "bad_reply", None]
        summary = summarise(row(ERROR, str(number), error_type=kind) for number, kind in enumerate(kinds))
        assert list(summary.error_types.items()) == [("bad_reply", 2), ("timeout", 1), ("error", 1)]

    def test_the_target_and_the_judge_are_counted_apart(self) -> None:
        one, two = Usage(calls=1, input_tokens=5, cost=0.5), Usage(calls=3, output_tokens=2)
        summary = summarise([row(PASS, key, usage=one, judge_usage=two) for key in "ab"])
        assert summary.usage == Usage(calls=2, input_tokens=10, cost=1.0)
        assert summary.judge_usage == Usage(calls=6, output_tokens=4)
        simulated = summarise([row(PASS, key, judge_usage=two, simulation_usage=one) for key in "ab"])
        assert simulated.judge_usage == Usage(calls=8, input_tokens=10, output_tokens=4, cost=1.0)

    @given(results(), st.randoms(use_true_random=False))
    def test_the_order_of_the_rows_does_not_count(self, made: list[ResultRow], random: Random) -> None:
        mixed = random.sample(made, len(made))
        assert list(leaves(summarise(mixed, 3).model_dump())) == list(leaves(summarise(made, 3).model_dump()))

    @given(results(), st.integers(0, 18))
    def test_everything_that_is_counted_is_a_sum(self, made: list[ResultRow], cut: int) -> None:
        first, second, whole = summarise(made[:cut], 3), summarise(made[cut:], 3), summarise(made, 3)
        for name in ("passed", "failed", "errors", "total", "judged", "disagreed", "not_applicable"):
            assert getattr(first, name) + getattr(second, name) == getattr(whole, name), name
        for name in ("usage", "judge_usage"):
            both = getattr(first, name) + getattr(second, name)
            assert list(leaves(both.model_dump())) == list(leaves(getattr(whole, name).model_dump()))
        assert sum(whole.error_types.values()) == whole.errors

    @given(results(), st.integers(0, 18))
    def test_a_tally_may_be_read_on_the_way(self, made: list[ResultRow], stop: int) -> None:
        tally = Tally()
        for found in made[:stop]:
            tally.add(found)
        assert tally.summary(3) == summarise(made[:stop], 3)
        for found in made[stop:]:
            tally.add(found)
        assert tally.summary(3) == summarise(made, 3)

    @given(results())
    def test_it_is_whole_and_never_nan(self, made: list[ResultRow]) -> None:
        summary = summarise(made, 3)
        assert Summary.model_validate_json(summary.model_dump_json()) == summary
        for _, value in leaves(summary.model_dump()):
            assert value == value
        if summary.rate is not None:
            assert 0 <= summary.interval.low <= summary.rate <= summary.interval.high <= 1
        else:
            assert summary.decided == 0
