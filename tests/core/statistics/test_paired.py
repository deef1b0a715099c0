import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import Interval, mcnemar, paired_difference
from tests.core.statistics.golden import TOLERANCE, rows, section
from tests.core.statistics.tango import tango_interval

counts = st.integers(0, 300)
tables = st.tuples(counts, counts, counts, counts)
noises = st.floats(0, 0.25)


def test_paired_figures_agree_with_independent_implementations() -> None:
    for row in rows("paired"):
        table = row["a"], row["b"], row["c"], row["d"]
        test = mcnemar(row["b"], row["c"])
        assert test.exact == pytest.approx(row["mcnemar_exact"], abs=TOLERANCE), row
        assert test.mid_p == pytest.approx(row["mcnemar_midp"], abs=TOLERANCE), row
        assert (row["b"] - row["c"]) / sum(table) == pytest.approx(row["diff"], abs=TOLERANCE), row
        assert paired_difference(*table) == pytest.approx(row["newcombe10"], abs=TOLERANCE), row
        assert tango_interval(*table) == pytest.approx(row["tango"], abs=1e-8), row


def test_paired_figures_agree_with_published_ones() -> None:
    for row in section("paired_published"):
        table, unit = row["table"], 10.0 ** -row["dp"]
        test = mcnemar(table[1], table[2])
        assert test.exact == pytest.approx(row["mcnemar_exact"], abs=5e-5), row
        assert test.mid_p == pytest.approx(row["mcnemar_midp"], abs=5e-5), row
        assert paired_difference(*table) == pytest.approx(row["newcombe10"], abs=0.51 * unit), row
        assert tango_interval(*table) == pytest.approx(row["tango"], abs=0.51 * unit), row


def test_judge_noise_agrees_with_an_independent_implementation() -> None:
    for row in rows("newcombe10_incl_judge_noise"):
        interval = paired_difference(row["a"], row["b"], row["c"], row["d"], row["v_first"] + row["v_second"])
        assert interval == pytest.approx((row["lo"], row["hi"]), abs=TOLERANCE), row


@given(tables, noises, noises)
def test_intervals_are_nested_in_the_noise_and_stay_inside(
    table: tuple[int, int, int, int], first: float, second: float
) -> None:
    inner, outer = paired_difference(*table, min(first, second)), paired_difference(*table, max(first, second))
    assert -1 <= outer.low <= inner.low <= inner.high <= outer.high <= 1


@given(tables, noises)
def test_the_difference_is_inside(table: tuple[int, int, int, int], noise: float) -> None:
    assume(sum(table) > 0)
    low, high = paired_difference(*table, noise)
    assert low <= (table[1] - table[2]) / sum(table) <= high


@given(tables, noises)
def test_swapping_the_runs_turns_the_interval_round(table: tuple[int, int, int, int], noise: float) -> None:
    a, b, c, d = table
    low, high = paired_difference(a, b, c, d, noise)
    assert paired_difference(a, c, b, d, noise) == pytest.approx((-high, -low), abs=1e-12)


@given(tables, noises)
def test_swapping_pass_and_fail_turns_the_interval_round(table: tuple[int, int, int, int], noise: float) -> None:
    a, b, c, d = table
    low, high = paired_difference(a, b, c, d, noise)
    assert paired_difference(d, c, b, a, noise) == pytest.approx((-high, -low), abs=1e-12)


@given(st.tuples(*[st.integers(20, 300)] * 4))
def test_newcombe_and_tango_are_close_on_full_tables(table: tuple[int, int, int, int]) -> None:
    assert paired_difference(*table) == pytest.approx(tango_interval(*table), abs=0.03)


def test_no_pair_gives_the_whole_range() -> None:
    assert paired_difference(0, 0, 0, 0) == paired_difference(0, 0, 0, 0, 0.1) == Interval(-1.0, 1.0)


def test_a_million_pairs_narrow_the_interval_to_a_tenth_of_a_point() -> None:
    low, high = paired_difference(400_000, 100_000, 99_000, 401_000)
    assert low < 0.001 < high
    assert high - low < 0.002


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_p_values_lie_in_range_and_do_not_mind_the_order(b: int, c: int) -> None:
    test = mcnemar(b, c)
    assert 0 < test.mid_p <= test.exact <= 1
    assert test == mcnemar(c, b)


@given(st.integers(0, 2000))
def test_as_many_better_as_worse_has_its_closed_form(b: int) -> None:
    test = mcnemar(b, b)
    assert test.exact == 1.0
    expected = 1 - math.comb(2 * b, b) / 4**b if b else 1.0
    assert test.mid_p == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("changes", [1, 4, 5, 6, 40])
def test_changes_all_one_way_have_a_closed_form(changes: int) -> None:
    assert mcnemar(changes, 0) == (2 / 2**changes, 1 / 2**changes)


def test_a_hundred_thousand_changes_do_not_overflow() -> None:
    assert mcnemar(50_000, 50_000).exact == 1.0
    # Two sided normal tail with the continuity correction, at z = 1.99 (mid-p: without it, at z = 2).
    assert mcnemar(49_684, 50_316).mid_p == pytest.approx(math.erfc(632 / math.sqrt(2 * 100_000)), rel=1e-3)
    assert 0 < mcnemar(100_000, 0).mid_p < 1e-300
    assert 0 < mcnemar(0, 100_000).exact < 1e-300


@pytest.mark.parametrize("place", range(4))
def test_negative_counts_are_refused(place: int) -> None:
    table = [1, 1, 1, 1]
    table[place] = -1
    with pytest.raises(InvalidInput, match="is -1"):
        paired_difference(table[0], table[1], table[2], table[3])


def test_impossible_arguments_are_refused() -> None:
    with pytest.raises(InvalidInput, match="b is -1"):
        mcnemar(-1, 0)
    with pytest.raises(InvalidInput, match="c is -1"):
        mcnemar(0, -1)
    with pytest.raises(InvalidInput, match="extra_variance"):
        paired_difference(1, 1, 1, 1, -0.1)
