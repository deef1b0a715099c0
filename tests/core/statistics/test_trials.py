import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import (
    Interval,
    estimate_trials,
    judge_variance,
    mean_defined,
    pass_at_k,
    pass_hat_k,
    run_interval,
    trials_interval,
    trials_judge_variance,
    wilson_interval,
)
from tests.core.statistics.golden import TOLERANCE, rows

group_lists = st.lists(st.lists(st.integers(0, 1), max_size=6), max_size=30)


@st.composite
def draws(draw: st.DrawFn) -> tuple[int, int, int]:
    """Trials, passes and k."""
    trials = draw(st.integers(1, 60))
    return trials, draw(st.integers(0, trials)), draw(st.integers(1, trials))


def test_repeated_trials_agree_with_numerical_inversion() -> None:
    for row in rows("repeated_trials_interval"):
        estimate = estimate_trials(row["groups"])
        assert estimate.rate == pytest.approx(row["mean"], abs=TOLERANCE), row
        assert estimate.se == pytest.approx(row["se"], abs=TOLERANCE), row
        assert estimate.effective_cases == pytest.approx(row["n_eff"], abs=TOLERANCE), row
        assert estimate.interval == pytest.approx((row["lo"], row["hi"]), abs=TOLERANCE), row
        assert trials_interval(row["groups"]) == estimate.interval


def test_an_effective_number_between_cases_and_trials() -> None:
    groups = [
        [1, 1, 1, 0, 1],
        [1, 1, 1, 1, 1],
        [0, 1, 0, 0, 0],
        [1, 1, 1, 1, 0],
        [0, 0, 0],
        [1, 1, 1, 1],
        [1, 0, 1, 1, 0],
        [1, 1, 1, 1, 1],
    ]
    estimate = estimate_trials(groups)  # scipy 1.17.1: the quantiles, and brentq on the score equation
    assert estimate.effective_cases == pytest.approx(8.154676072351693, abs=TOLERANCE)
    assert estimate.interval == pytest.approx((0.3480553385663609, 0.8898660128330503), abs=TOLERANCE)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=300))
def test_one_trial_is_wilson_to_the_last_bit(verdicts: list[int]) -> None:
    assert trials_interval([[verdict] for verdict in verdicts]) == wilson_interval(sum(verdicts), len(verdicts))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), min_size=1, max_size=100))
def test_one_trial_with_judge_noise_is_the_run_interval(cases: list[tuple[int, int]]) -> None:
    noise = [judge_variance(votes, 3) for votes, _ in cases]
    groups = [[verdict] for _, verdict in cases]
    interval = trials_interval(groups, trials_judge_variance([[w] for w in noise]))
    assert interval == run_interval(sum(verdict for _, verdict in cases), len(cases), math.fsum(noise))


@given(group_lists, st.floats(0, 0.1))
def test_noise_never_narrows_and_the_rate_is_inside(groups: list[list[int]], noise: float) -> None:
    plain, noisy = estimate_trials(groups), estimate_trials(groups, noise)
    assert 0 <= noisy.interval.low <= plain.interval.low
    assert plain.interval.high <= noisy.interval.high <= 1
    if plain.rate is not None:
        assert plain.interval.low <= plain.rate <= plain.interval.high


@given(group_lists)
def test_the_effective_number_lies_between_cases_and_trials(groups: list[list[int]]) -> None:
    cases, trials = sum(bool(group) for group in groups), sum(map(len, groups))
    assert cases <= estimate_trials(groups).effective_cases <= trials


def test_repeating_the_same_verdict_adds_no_case() -> None:
    assert trials_interval([[1] * 5, [0] * 5, [1] * 5]) == wilson_interval(2, 3)


def test_cases_without_a_decided_trial_count_for_nothing() -> None:
    assert trials_interval([[1], [], [0]]) == wilson_interval(1, 2)
    assert estimate_trials([[], []]) == (None, None, 0, Interval(0.0, 1.0))
    assert estimate_trials([]) == (None, None, 0, Interval(0.0, 1.0))


def test_one_case_is_one_case_however_often_tried() -> None:
    estimate = estimate_trials([[1, 1, 0, 1]])
    assert (estimate.rate, estimate.se, estimate.effective_cases) == (0.75, None, 1)


def test_a_trial_is_a_pass_or_a_fail() -> None:
    with pytest.raises(InvalidInput, match=r"groups\[1\] holds 2"):
        trials_interval([[1], [2]])


def test_the_noise_of_trials_by_hand() -> None:
    assert trials_judge_variance([[0.1, 0.2], [], [0.3]]) == pytest.approx((0.3 / 4 + 0.3) / 4)
    assert trials_judge_variance([[], []]) == trials_judge_variance([]) == 0.0
    with pytest.raises(InvalidInput, match="w is -"):
        trials_judge_variance([[-0.1]])


def test_pass_at_k_and_pass_hat_k_agree_with_the_hypergeometric() -> None:
    for row in rows("pass_k"):
        arguments = row["n"], row["c"], row["k"]
        assert pass_at_k(*arguments) == pytest.approx(row["pass_at_k"], abs=TOLERANCE), row
        assert pass_hat_k(*arguments) == pytest.approx(row["pass_hat_k"], abs=TOLERANCE), row


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_at_one_draw_both_are_the_rate(case: tuple[int, int]) -> None:
    trials, passes = case
    assert pass_at_k(trials, passes, 1) == pass_hat_k(trials, passes, 1) == passes / trials


@given(draws())
def test_any_pass_is_likelier_than_all_passes(case: tuple[int, int, int]) -> None:
    trials, passes, k = case
    any_pass, all_pass = pass_at_k(trials, passes, k), pass_hat_k(trials, passes, k)
    assert any_pass is not None and all_pass is not None
    assert 0 <= all_pass <= any_pass <= 1


def test_fewer_trials_than_draws_are_undefined() -> None:
    assert pass_at_k(2, 2, 3) is None
    assert pass_hat_k(0, 0, 1) is None


@pytest.mark.parametrize(("trials", "passes", "k"), [(3, 4, 1), (3, -1, 1), (-1, 0, 1), (3, 1, 0), (3, 1, -1)])
def test_impossible_draws_are_refused(trials: int, passes: int, k: int) -> None:
    for call in (pass_at_k, pass_hat_k):
        with pytest.raises(InvalidInput):
            call(trials, passes, k)


def test_the_mean_over_cases_leaves_out_the_undefined() -> None:
    assert mean_defined([1.0, None, 0.5]) == 0.75
    assert mean_defined([None]) is None
