"""A run's numbers in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.statistics import Interval, cases_for_half_width
from aloi.core.summary import Summary, summarise
from aloi.core.usage import NO_USAGE, Usage
from aloi.core.wording import (
    cost_text,
    count,
    headline,
    interval_text,
    meaning,
    money,
    percent,
    tokens_text,
    whole_percent,
)
from tests.core.made import ERROR, FAIL, PASS, row, rows, voted
from tests.core.statistics.golden import rows as golden


def run(passed: int, failed: int, errors: int = 0) -> Summary:
    return summarise(rows(*[PASS] * passed, *[FAIL] * failed, *[ERROR] * errors))


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0%"),
        (0.4385, "44%"),
        (0.4349, "43%"),
        (0.125, "13%"),
        (0.005, "1%"),
        (0.004, "0%"),
        (29 / 200, "15%"),  # its float times 100 is just below 14.5
        (57 / 200, "29%"),
        (0.996, "100%"),
        (1.0, "100%"),
    ],
)
def test_percent_is_rounded_to_nearest(share: float, text: str) -> None:
    assert percent(share) == text


@given(st.integers(1, 5000).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))))
def test_a_quotient_is_rounded_as_a_fraction(quotient: tuple[int, int]) -> None:
    part, whole = quotient
    assert whole_percent(part / whole) == (200 * part + whole) // (2 * whole)


def test_count() -> None:
    assert [count(number, "error") for number in (0, 1, 2)] == ["0 errors", "1 error", "2 errors"]


def test_the_interval_names_judge_noise() -> None:
    interval = Interval(0.4385, 1.0)
    assert interval_text(interval) == "95% CI 44–100%"
    assert interval_text(interval, judge_noise=True) == "95% CI incl. judge noise 44–100%"


def test_the_golden_headlines() -> None:
    for case in golden("display"):
        assert headline(run(case["x"], case["n"] - case["x"])) == case["text"]


@pytest.mark.parametrize(
    ("summary", "text"),
    [
        (run(7, 2, 1), "7/9 passed (95% CI 45–94%), 1 error"),
        (run(7, 2, 2), "7/9 passed (95% CI 45–94%), 2 errors"),
        (run(0, 0), "no decided case"),
        (run(0, 0, 3), "no decided case, 3 errors"),
        (
            summarise([voted([1, 1, 0], "a"), voted([1, 1, 1], "b"), voted([1, 1, 1], "c")]),
            "3/3 passed (95% CI incl. judge noise 38–100%)",
        ),
        (
            summarise([voted([1, 1, 1], "a"), voted([1, 1, 1], "b"), voted([1, 1, 1], "c")]),
            "3/3 passed (95% CI 44–100%)",
        ),
    ],
)
def test_headlines(summary: Summary, text: str) -> None:
    assert headline(summary) == text


def test_with_trials_the_rate_is_named_as_it_is_no_quotient() -> None:
    summary = summarise([row(PASS, "a", 0), row(PASS, "a", 1), row(FAIL, "b", 0), row(ERROR, "b", 1)], trials=2)
    assert headline(summary) == "2/3 trials passed, mean case rate 50% (95% CI 9–91%), 1 error"


class TestMeaning:
    def test_nothing_decided(self) -> None:
        assert meaning(run(0, 0, 2)) == "Nothing was decided, so nothing can be said of the pass rate."

    def test_it_says_how_many_more_cases_would_help(self) -> None:
        said = meaning(run(5, 5))
        assert said == (
            "The true pass rate could be as low as 24% or as high as 76% (95% confidence). "
            "About 83 more cases would narrow that to ±10 points."
        )
        assert cases_for_half_width(0.1, 0.5) == 93

    @pytest.mark.parametrize(("decided", "more"), [(92, " About 1 more case would"), (94, "")])
    def test_near_the_aim(self, decided: int, more: str) -> None:
        said = meaning(run(decided // 2, decided - decided // 2))
        assert said.removesuffix(" narrow that to ±10 points.").endswith(more or "(95% confidence).")

    def test_where_all_ended_alike_one_end_is_open(self) -> None:
        assert meaning(run(3, 0)).startswith(
            "All passed, yet the true pass rate could be as low as 44% (95% confidence)."
        )
        assert meaning(run(0, 3)).startswith(
            "None passed, yet the true pass rate could be as high as 56% (95% confidence)."
        )
        assert meaning(run(3, 0, 1)).startswith("All that were decided passed, yet ")

    def test_judge_noise_is_named(self) -> None:
        said = meaning(summarise([voted([1, 1, 0], str(index)) for index in range(3)]))
        assert said.startswith(
            "All passed, yet the true pass rate could be as low as 29% (95% confidence, judge noise included)."
        )

    def test_with_trials_no_number_of_cases_is_promised(self) -> None:
        made = [row(PASS, key, trial) for key in "ab" for trial in range(2)]
        said = meaning(summarise(made, trials=2))
        assert said == "All passed, yet the true pass rate could be as low as 34% (95% confidence)."


def test_money() -> None:
    assert [money(d) for d in (0, 0.00001, 0.01234, 1234.5)] == ["$0", "under $0.0001", "$0.0123", "$1,234.50"]


def test_what_is_not_known_is_said_so() -> None:
    assert cost_text(NO_USAGE) == "unknown"
    assert cost_text(Usage(calls=2, cost=0.5, unpriced=1)) == "at least $0.5000 (1 of 2 calls without a known price)"
    assert cost_text(Usage(calls=2, cost=0.5)) == "$0.5000"
    assert tokens_text(Usage(calls=1)) == "tokens unknown in 1 call"
    assert tokens_text(Usage(calls=2, input_tokens=1000)) == "1,000 tokens in 2 calls (1,000 in, 0 out)"
