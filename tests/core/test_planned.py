"""How many more cases a run would need, at its own rate."""

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.planned import HALF_WIDTHS, plan
from aloi.core.run_view import RunView, ShownTarget, final_progress, run_view
from aloi.core.statistics import run_interval
from aloi.core.summary import Summary, summarise
from tests.core.made import ERROR, FAIL, PASS, row, voted
from tests.core.statistics.golden import rows as golden
from tests.core.test_run_view import a_run


def shown(summary: Summary) -> RunView:
    """A finished run with these numbers."""
    run = a_run(summary=summary)
    return run_view(run, ShownTarget(id="t", kind="openai"), final_progress(run, summary))


def of(passed: int, failed: int, errors: int = 0) -> RunView:
    """A finished run with so many results."""
    verdicts = [PASS] * passed + [FAIL] * failed + [ERROR] * errors
    return shown(summarise(row(verdict, str(index)) for index, verdict in enumerate(verdicts)))


def test_the_golden_numbers_less_what_is_there() -> None:
    for case in golden("n_for_halfwidth"):
        if case["p"] == 0.5:
            (width,) = plan(of(5, 5, 2), [case["h"]]).widths
            assert (width.cases, width.more) == (case["n"], max(0, case["n"] - 10))


def test_the_runs_own_rate_and_interval() -> None:
    found = plan(of(9, 1))
    assert (found.rate, found.assumed, found.decided, found.left_out) == (0.9, False, 10, ())
    low, high = run_interval(9, 10)
    assert found.half_width == (high - low) / 2
    assert [width.half_width for width in found.widths] == list(HALF_WIDTHS)
    assert [width.cases for width in found.widths] == [10, 17, 37, 141]
    assert [width.more for width in found.widths] == [0, 7, 27, 131]


def test_without_a_decided_case_the_most_demanding_rate_is_assumed() -> None:
    found = plan(of(0, 0, 3), [0.1])
    assert (found.rate, found.assumed, found.decided, found.half_width) == (0.5, True, 0, 0.5)
    assert found.widths[0].more == 93


def test_what_the_numbers_do_not_know_of_is_named() -> None:
    noisy = summarise([voted([1, 1, 0], "a"), voted([1, 1, 1], "b")])
    assert plan(shown(noisy)).left_out == ("judge_noise",)
    trials = summarise([row(PASS, key, trial) for key in "ab" for trial in range(3)], trials=3)
    found = plan(shown(trials))
    assert (found.left_out, found.decided) == (("trials",), 2)


def test_a_width_outside_its_range() -> None:
    with pytest.raises(InvalidInput, match="half_width"):
        plan(of(1, 1), [1.0])
