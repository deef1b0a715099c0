import math

import pytest

from aloi.core.calibration import (
    RUNS_CORRECTED,
    Calibration,
    CorrectedRate,
    JudgedRun,
    JudgeTally,
    Part,
    calibration,
    corrected,
    with_exact,
)
from aloi.core.chat import ModelSpec
from aloi.core.label import LabelVerdict
from aloi.core.ruling import JudgeIdentity
from aloi.core.score import Verdict
from aloi.core.statistics import Interval, wilson_interval
from tests.cli.made import made_run

PASS, FAIL = Verdict.PASS, Verdict.FAIL
JUDGE = JudgeIdentity(
    hash="h",
    evaluator="j",
    kind="llm_judge",
    spec={"kind": "llm_judge"},
    model=ModelSpec(model="openai:judge"),
    prompt_hash="p",
    samples=3,
)


def tally(tp: int = 0, fp: int = 0, fn: int = 0, tn: int = 0, **ballots: int) -> JudgeTally:
    """`y2of3=4`: four results that two of three samples pass."""
    made = JudgeTally(JUDGE)
    cells: list[tuple[Verdict, LabelVerdict, int]] = [
        (PASS, "pass", tp),
        (PASS, "fail", fp),
        (FAIL, "pass", fn),
        (FAIL, "fail", tn),
    ]
    for judge, person, number in cells:
        made.cells[judge, person] = number
    for ballot, number in ballots.items():
        passing, _, samples = ballot.removeprefix("y").partition("of")
        made.ballots[int(passing), int(samples)] = number
    return made


def judged(passed: int, decided: int, exact: Part | None = None, others: int = 0, trials: int = 1) -> JudgedRun:
    part, rest = Part(decided, passed), exact or Part()
    whole = Part(part.decided + rest.decided + others, part.passed + rest.passed)
    return JudgedRun(made_run(trials=trials), whole, part, rest)


def rate(run: JudgedRun, tp: int = 45, fp: int = 10, fn: int = 5, tn: int = 40) -> CorrectedRate:
    return corrected(run, tp, fp, fn, tn)


def test_nothing_is_known_of_a_judge_without_labels_and_samples() -> None:
    figures = calibration(tally())
    assert (figures.labelled, figures.kappa, figures.kappa_interval) == (0, None, None)
    assert figures.sensitivity.rate is None and figures.sensitivity.interval == (0, 1)
    assert (figures.self_agreement, figures.unanimous, figures.resampled) == (None, False, 0)


def test_the_counts_are_told_with_the_rates() -> None:
    figures = calibration(tally(tp=20, fp=5, fn=10, tn=15))
    assert (figures.labelled, figures.true_passes, figures.false_passes) == (50, 20, 5)
    assert (figures.false_fails, figures.true_fails) == (10, 15)
    assert (figures.sensitivity.count, figures.sensitivity.total) == (20, 30)
    assert (figures.specificity.count, figures.specificity.total) == (15, 20)
    assert figures.kappa == pytest.approx(0.4)


def test_samples_that_always_agree() -> None:
    mixed = calibration(tally(y0of3=2, y3of3=4))
    assert (mixed.unanimous, mixed.self_agreement, mixed.disagreed, mixed.resampled) == (True, 1.0, 0, 6)
    same = calibration(tally(y3of3=4))
    assert (same.unanimous, same.self_agreement, same.fleiss_kappa) == (True, None, None)


def test_one_sample_says_nothing_of_agreement() -> None:
    figures = calibration(tally(y1of1=5, y0of1=5))
    assert (figures.resampled, figures.unanimous, figures.pairwise_agreement) == (0, False, None)


def test_samples_that_disagree() -> None:
    figures = calibration(tally(y3of3=3, y2of3=2, y1of3=1, y0of3=2))
    assert (figures.unanimous, figures.disagreed, figures.resampled) == (False, 3, 8)
    assert figures.self_agreement == pytest.approx(0.5071428571428571)
    assert figures.fleiss_kappa == pytest.approx(0.48571428571428565)
    assert figures.pairwise_agreement == pytest.approx(1 - 3 * (2 / 3) / 8)


def test_fleiss_wants_equal_numbers_of_samples() -> None:
    figures = calibration(tally(y3of3=1, y1of2=1))
    assert figures.fleiss_kappa is None
    assert figures.self_agreement is not None


def test_a_run_is_corrected() -> None:
    found = rate(judged(70, 100))
    assert (found.status, found.reason, found.decided, found.judged, found.exact) == ("ok", None, 100, 100, 0)
    assert found.rate == found.judged_rate == pytest.approx(0.7142857142857141)
    assert found.interval == found.judged_interval == pytest.approx((0.5508366463248603, 0.8861042306345767))
    assert found.observed == found.judged_observed == 0.7


@pytest.mark.parametrize(
    ("status", "found"),
    [
        ("too_few_labels", rate(judged(70, 100), tp=19, fn=0)),
        ("too_few_labels", rate(judged(70, 100), fp=0, tn=19)),
        ("too_few_labels", rate(judged(70, 100), 0, 0, 0, 0)),
        ("no_better_than_chance", rate(judged(70, 100), tp=10, fn=10, fp=10, tn=10)),
        ("inconsistent", rate(judged(0, 1000), tp=50, fn=0, fp=25, tn=25)),
        ("nothing_judged", rate(judged(0, 0, Part(3, 2)))),
        ("several_trials", rate(judged(70, 100, trials=3))),
    ],
)
def test_where_the_conditions_do_not_hold_there_is_no_number(status: str, found: CorrectedRate) -> None:
    assert found.status == status
    assert found.reason
    assert (found.rate, found.interval, found.judged_rate, found.judged_interval) == (None, None, None, None)


def test_twenty_of_each_are_enough() -> None:
    assert rate(judged(70, 100), tp=18, fn=2, fp=2, tn=18).status == "ok"


def test_where_others_judge_too_only_the_own_part_is_corrected() -> None:
    found = rate(judged(70, 100, others=10))
    assert (found.status, found.rate, found.interval) == ("not_alone", None, None)
    assert found.judged_rate == pytest.approx(0.7142857142857141)
    assert found.decided == 110


def test_the_exact_part_is_taken_as_it_is() -> None:
    found = rate(judged(70, 100, Part(50, 10)))
    assert found.judged_rate == pytest.approx(0.7142857142857141)
    assert found.rate == pytest.approx((10 + 100 * 0.7142857142857141) / 150)
    assert found.observed == pytest.approx(80 / 150)
    assert found.interval is not None and found.interval.low < 0.542 < found.interval.high


def test_the_interval_of_both_parts() -> None:
    whole, interval = with_exact(0.7, Interval(0.6, 0.8), 50, Part(50, 25))
    wilson = wilson_interval(25, 50)
    assert whole == pytest.approx(0.6)
    assert interval.low == pytest.approx(0.6 - math.hypot(0.05, 0.5 * (0.5 - wilson.low)))
    assert interval.high == pytest.approx(0.6 + math.hypot(0.05, 0.5 * (wilson.high - 0.5)))


def test_an_interval_beside_its_clipped_rate_stays_in_range() -> None:
    whole, interval = with_exact(0.0, Interval(0.1, 0.4), 10, Part(10, 0))
    assert whole == 0
    assert (interval.low, interval.high > 0.1) == (0, True)


def test_only_the_latest_runs_are_corrected() -> None:
    many = tally(tp=30, tn=30)
    many.runs = [judged(number, 100) for number in range(RUNS_CORRECTED + 5)]
    found: Calibration = calibration(many, older_runs=7)
    assert [one.observed for one in found.corrected] == [number / 100 for number in range(RUNS_CORRECTED)]
    assert found.older_runs == 7
