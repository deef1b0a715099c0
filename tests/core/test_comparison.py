"""Run A against run B: what is matched, what is listed in which order, and what may be said."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.comparison import Change, Comparison, ConfigurationDifference, compare, conclusion
from aloi.core.result import ResultRow
from aloi.core.score import Verdict
from aloi.core.statistics import Interval, judge_variance, mcnemar, paired_difference, paired_t
from tests.core.made import ERROR, FAIL, PASS, row, voted
from tests.core.statistics.golden import TOLERANCE
from tests.core.statistics.golden import rows as golden

VERDICTS = st.sampled_from([PASS, FAIL, ERROR])


def compared(a: list[ResultRow], b: list[ResultRow]) -> Comparison:
    return compare("run-a", "run-b", a, b)


def changed(better: int, worse: int, both: int = 0, neither: int = 0) -> Comparison:
    """Two runs whose pairs changed so."""
    pairs = [(FAIL, PASS)] * better + [(PASS, FAIL)] * worse + [(PASS, PASS)] * both + [(FAIL, FAIL)] * neither
    return compared(
        [row(a, str(number)) for number, (a, _) in enumerate(pairs)],
        [row(b, str(number)) for number, (_, b) in enumerate(pairs)],
    )


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[ResultRow], list[ResultRow]]:
    """Two runs over mostly the same cases, some trials missing."""

    def one() -> list[ResultRow]:
        places = draw(st.sets(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 1))))
        return [
            row(
                draw(VERDICTS),
                key,
                trial,
                score=draw(st.none() | st.floats(0, 1)),
                judge_variance=draw(st.sampled_from([0.0, judge_variance(2, 3)])),
                case_hash=draw(st.sampled_from(["same", "same", "other"])),
            )
            for key, trial in sorted(places)
        ]

    return one(), one()


class TestPairs:
    @pytest.mark.parametrize(
        ("a", "b", "change", "why"),
        [
            (PASS, PASS, Change.UNCHANGED, None),
            (FAIL, FAIL, Change.UNCHANGED, None),
            (PASS, FAIL, Change.WORSE, None),
            (FAIL, PASS, Change.BETTER, None),
            (PASS, ERROR, Change.ERROR, "timeout"),
            (FAIL, ERROR, Change.ERROR, "timeout"),
            (ERROR, PASS, Change.NOT_COMPARABLE, "an error in A"),
            (ERROR, FAIL, Change.NOT_COMPARABLE, "an error in A"),
            (ERROR, ERROR, Change.NOT_COMPARABLE, "an error in A"),
        ],
    )
    def test_what_became_of_a_pair(self, a: Verdict, b: Verdict, change: Change, why: str | None) -> None:
        comparison = compared([row(a, score=0.25)], [row(b, score=0.5, error_type="timeout" if b is ERROR else None)])
        (pair,) = comparison.pairs
        assert (pair.change, pair.why, pair.a, pair.b) == (change, why, a, b)
        assert (pair.case_key, pair.trial, pair.score_a, pair.score_b) == ("c", 0, 0.25, 0.5)
        assert comparison.newly_in_error == (change is Change.ERROR)
        assert comparison.figures.compared == (ERROR not in (a, b))

    @pytest.mark.parametrize("b", [PASS, FAIL, ERROR])
    def test_another_case_of_the_same_key_is_not_comparable(self, b: Verdict) -> None:
        comparison = compared([row(PASS, case_hash="1")], [row(b, case_hash="2")])
        assert comparison.pairs[0].change is Change.NOT_COMPARABLE
        assert comparison.pairs[0].why == "the case's input or criteria differ"
        assert (comparison.figures.compared, comparison.newly_in_error) == (0, 0)

    def test_they_are_matched_by_key_trial_by_trial(self) -> None:
        a = [row(PASS, "x", 0), row(FAIL, "x", 1), row(PASS, "y", 0)]
        b = [row(PASS, "y", 0), row(PASS, "x", 1), row(PASS, "x", 0)]
        found = {(pair.case_key, pair.trial): pair.change for pair in compared(a, b).pairs}
        assert found == {("x", 0): Change.UNCHANGED, ("x", 1): Change.BETTER, ("y", 0): Change.UNCHANGED}

    def test_the_worst_come_first_and_new_errors_right_behind(self) -> None:
        a = {"same": PASS, "lost": ERROR, "better": FAIL, "broken": FAIL, "worse": PASS, "worse too": PASS}
        b = {"same": PASS, "lost": PASS, "better": PASS, "broken": ERROR, "worse": FAIL, "worse too": FAIL}
        comparison = compared([row(v, key) for key, v in a.items()], [row(v, key) for key, v in b.items()])
        keys = [pair.case_key for pair in comparison.pairs]
        assert keys == ["worse", "worse too", "broken", "better", "lost", "same"]

    def test_added_and_removed_cases_are_listed_and_never_counted(self) -> None:
        a = [row(PASS, "gone", trial) for trial in range(2)] + [row(PASS, "kept")]
        b = [row(PASS, "kept"), row(FAIL, "new"), row(ERROR, "newer")]
        comparison = compared(a, b)
        assert (comparison.added, comparison.removed) == (("new", "newer"), ("gone",))
        assert len(comparison.pairs) == comparison.figures.compared == 1
        assert (comparison.figures.worse, comparison.newly_in_error) == (0, 0)

    def test_a_trial_more_is_no_added_case(self) -> None:
        comparison = compared([row(PASS, "a", 0)], [row(PASS, "a", trial) for trial in range(3)])
        assert (comparison.added, comparison.removed, comparison.figures.compared) == ((), (), 1)

    @pytest.mark.parametrize(
        ("votes_a", "votes_b", "noise"),
        [
            ([1, 1, 1], [0, 0, 0], False),
            ([1, 1, 0], [0, 0, 0], True),
            ([1, 1, 1], [0, 0, 1], True),
            ([1, 1, 0], [1, 1, 1], False),
        ],
    )
    def test_a_change_where_a_judge_disagreed_may_be_noise(
        self, votes_a: list[int], votes_b: list[int], noise: bool
    ) -> None:
        (pair,) = compared([voted(votes_a)], [voted(votes_b)]).pairs
        assert pair.may_be_noise is noise

    def test_configuration_and_ids_are_kept(self) -> None:
        model = ConfigurationDifference(what="model", a="one", b="two")
        comparison = compare("x", "y", [], [], (model,))
        assert (comparison.run_a, comparison.run_b, comparison.configuration) == ("x", "y", (model,))


class TestFigures:
    def test_the_interval_and_the_test_agree_with_the_golden_tables(self) -> None:
        for case in golden("paired"):
            figures = changed(case["b"], case["c"], case["a"], case["d"]).figures
            assert (figures.compared, figures.better, figures.worse) == (case["n"], case["b"], case["c"])
            assert figures.difference == pytest.approx(case["diff"], abs=TOLERANCE)
            assert figures.interval == pytest.approx(tuple(case["newcombe10"]), abs=TOLERANCE)
            assert figures.test.mid_p == pytest.approx(case["mcnemar_midp"], abs=TOLERANCE)
            assert figures.test.exact == pytest.approx(case["mcnemar_exact"], abs=TOLERANCE)

    def test_the_noise_of_both_judges_widens_the_interval(self) -> None:
        a = [voted([1, 1, 0], "a"), voted([0, 0, 0], "b"), voted([1, 1, 0], "error in B")]
        b = [voted([0, 0, 1], "a"), voted([1, 1, 1], "b"), row(ERROR, "error in B", judge_variance=0.2)]
        figures = compared(a, b).figures
        w = judge_variance(2, 3)
        assert figures.interval == paired_difference(0, 1, 1, 0, 2 * w / 2**2)
        assert figures.judge_noise
        assert not changed(1, 1).figures.judge_noise

    def test_nothing_compared_is_null(self) -> None:
        figures = compared([row(ERROR)], [row(PASS)]).figures
        assert (figures.compared, figures.difference, figures.scores) == (0, None, None)
        assert (figures.interval, figures.test) == (Interval(-1, 1), mcnemar(0, 0))

    def test_scores_are_compared_where_both_sides_have_one(self) -> None:
        values = [(0.5, 0.75), (0.5, 0.5), (None, 1.0), (0.25, None)]
        a = [row(PASS, str(index), score=x) for index, (x, _) in enumerate(values)]
        b = [row(PASS, str(index), score=y) for index, (_, y) in enumerate(values)]
        assert compared(a, b).figures.scores == paired_t([0.25, 0.0])

    def test_trials_are_counted_one_by_one_but_tested_by_case(self) -> None:
        a = [row(PASS, key, trial, score=1.0) for key in "xy" for trial in range(5)]
        b = [row(FAIL if key == "x" else PASS, key, trial, score=0.5) for key in "xy" for trial in range(5)]
        figures = compared(a, b).figures
        assert (figures.better, figures.worse, figures.compared, figures.difference) == (0, 5, 10, -0.5)
        assert (figures.cases_better, figures.cases_worse, figures.test) == (0, 1, mcnemar(0, 1))
        assert figures.scores == paired_t([-0.5, -0.5])

    def test_a_case_with_as_many_trials_better_as_worse_did_not_change(self) -> None:
        a, b = [row(PASS, trial=0), row(FAIL, trial=1)], [row(FAIL, trial=0), row(PASS, trial=1)]
        figures = compared(a, b).figures
        assert (figures.better, figures.worse) == (1, 1)
        assert (figures.cases_better, figures.cases_worse) == (0, 0)

    @given(runs())
    def test_swapping_the_runs_mirrors_everything(self, made: tuple[list[ResultRow], list[ResultRow]]) -> None:
        there, back = compared(*made), compared(*reversed(made))
        one, other = there.figures, back.figures
        assert (one.better, one.worse, one.compared) == (other.worse, other.better, other.compared)
        assert (one.cases_better, one.cases_worse) == (other.cases_worse, other.cases_better)
        assert one.difference == (None if other.difference is None else -other.difference)
        assert one.interval == Interval(-other.interval.high, -other.interval.low)
        assert (one.test, one.judge_noise) == (other.test, other.judge_noise)
        assert (one.scores and one.scores.p) == pytest.approx(other.scores and other.scores.p)
        assert (there.added, there.removed) == (back.removed, back.added)

    @given(runs())
    def test_every_shared_place_is_one_pair(self, made: tuple[list[ResultRow], list[ResultRow]]) -> None:
        comparison, figures = compared(*made), compared(*made).figures
        a, b = ({(found.case_key, found.trial) for found in run} for run in made)
        assert len(comparison.pairs) == len(a & b)
        count = {change: sum(pair.change is change for pair in comparison.pairs) for change in Change}
        assert (figures.better, figures.worse) == (count[Change.BETTER], count[Change.WORSE])
        assert figures.compared == count[Change.BETTER] + count[Change.WORSE] + count[Change.UNCHANGED]
        assert comparison.newly_in_error == count[Change.ERROR]
        assert Comparison.model_validate_json(comparison.model_dump_json()) == comparison

    @given(runs())
    def test_with_one_trial_the_unit_is_the_pair(self, made: tuple[list[ResultRow], list[ResultRow]]) -> None:
        figures = compared(*([found for found in run if found.trial == 0] for run in made)).figures
        assert (figures.cases_better, figures.cases_worse) == (figures.better, figures.worse)
        assert figures.test == mcnemar(figures.better, figures.worse)


class TestConclusion:
    def test_nothing_compared(self) -> None:
        assert conclusion(compared([], [])) == "No case was decided in both runs, so nothing can be compared."

    @pytest.mark.parametrize(("better", "worse"), [(0, 0), (4, 0), (0, 4), (2, 2)])
    def test_below_five_changes_it_says_what_is_needed(self, better: int, worse: int) -> None:
        said = conclusion(changed(better, worse, both=30))
        assert said == "Too few verdicts changed to tell: at least 5 changes, all one way, are needed."

    @pytest.mark.parametrize(
        ("tables", "said"),
        [
            ({"better": 10, "worse": 0, "both": 20}, "B is better than A beyond what chance explains (mid-p 0.001)."),
            ({"better": 0, "worse": 10, "both": 20}, "B is worse than A beyond what chance explains (mid-p 0.001)."),
            ({"better": 6, "worse": 4, "both": 20}, "The difference may be chance (mid-p 0.549)."),
            ({"better": 3, "worse": 3}, "The difference may be chance (mid-p 0.688)."),
        ],
    )
    def test_what_is_said(self, tables: dict[str, int], said: str) -> None:
        assert conclusion(changed(**tables)) == said

    def test_where_interval_and_test_do_not_agree_neither_is_hidden(self) -> None:
        borderline = [
            (better, worse, both)
            for better in range(5, 14)
            for worse in range(4)
            for both in (0, 5, 200)
            if "Borderline" in conclusion(changed(better, worse, both))
        ]
        assert borderline
        for table in borderline:
            figures = changed(*table).figures
            assert (figures.test.mid_p <= 0.05) is not (figures.interval.low > 0 or figures.interval.high < 0)

    def test_new_errors_are_told(self) -> None:
        broken = ([row(PASS, "e")], [row(ERROR, "e")])
        assert conclusion(compared([*broken[0], row(PASS)], [*broken[1], row(PASS)])).endswith(" 1 newly in error.")

    def test_many_trials_of_one_case_prove_nothing(self) -> None:
        a = [row(PASS, key, trial) for key in "xyz" for trial in range(20)]
        b = [row(FAIL if key == "x" else PASS, key, trial) for key in "xyz" for trial in range(20)]
        assert conclusion(compared(a, b)).startswith("Too few")

    def test_cases_and_trials_that_point_apart_are_borderline(self) -> None:
        """Ten cases lose a trial each, one wins thirty: more trials pass, though most cases got worse."""
        once: list[Any] = [(f"worse {number}", 0) for number in range(10)]
        often: list[Any] = [("better", trial) for trial in range(30)]
        a = [row(PASS, *place) for place in once] + [row(FAIL, *place) for place in often]
        b = [row(FAIL, *place) for place in once] + [row(PASS, *place) for place in often]
        figures = compared(a, b).figures
        assert figures.test.mid_p < 0.05
        assert conclusion(compared(a, b)).startswith("Borderline")


class TestTrials:
    def test_the_interval_covers_what_the_cases_as_units_allow(self) -> None:
        """Five trials of each of four cases are not twenty cases."""
        a = [row(PASS, key, trial) for key in "abcd" for trial in range(5)]
        b = [row(FAIL if key == "a" else PASS, key, trial) for key in "abcd" for trial in range(5)]
        figures = compared(a, b).figures
        by_case = paired_t([-1.0, 0.0, 0.0, 0.0]).interval
        pairwise = paired_difference(15, 0, 5, 0)
        assert by_case is not None
        assert figures.interval.low == max(-1.0, by_case.low) < pairwise.low
        assert figures.interval.high == by_case.high > pairwise.high

    def test_one_case_says_nothing_of_others(self) -> None:
        a, b = [row(PASS, "a", trial) for trial in range(9)], [row(FAIL, "a", trial) for trial in range(9)]
        assert compared(a, b).figures.interval == Interval(-1.0, 1.0)

    def test_unchanged_trials_do_not_give_a_point(self) -> None:
        rows = [row(PASS, key, trial) for key in "abc" for trial in range(3)]
        interval = compared(rows, rows).figures.interval
        assert interval.low < 0 < interval.high
