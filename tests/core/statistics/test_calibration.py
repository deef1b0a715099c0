import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import (
    Interval,
    Z,
    cohen_kappa,
    cohen_kappa_interval,
    cohen_kappa_standard_error,
    corrected_pass_rate,
    judge_rates,
    wilson_interval,
)
from tests.core.statistics.golden import TOLERANCE, rows

counts = st.integers(0, 200)


@st.composite
def calibrations(draw: st.DrawFn) -> tuple[int, int, int, int, int, int]:
    """x, n, tp, m1, tn, m0."""
    n, m1, m0 = draw(counts), draw(counts), draw(counts)
    return (
        draw(st.integers(0, n)),
        n,
        draw(st.integers(0, m1)),
        m1,
        draw(st.integers(0, m0)),
        m0,
    )


def test_judge_against_human_agrees_with_sklearn_statsmodels_and_scipy() -> None:
    for row in rows("judge_vs_human"):
        table = row["tp"], row["fp"], row["fn"], row["tn"]
        rates = judge_rates(*table)
        se, interval = cohen_kappa_standard_error(*table), cohen_kappa_interval(*table)
        assert cohen_kappa(*table) == pytest.approx(row["kappa"], abs=TOLERANCE), row
        if row["kappa_se"] is None:
            assert (se, interval) == (None, None), row
        else:
            assert se == pytest.approx(row["kappa_se"], abs=TOLERANCE), row
            assert interval == pytest.approx((row["lo"], row["hi"]), abs=TOLERANCE), row
        values = rates.tpr.value, rates.tnr.value, rates.ppv.value
        assert values == pytest.approx((row["tpr"], row["tnr"], row["ppv"]), abs=TOLERANCE), row
        assert rates.tpr.interval == pytest.approx(row["tpr_ci"], abs=TOLERANCE), row
        assert rates.tnr.interval == pytest.approx(row["tnr_ci"], abs=TOLERANCE), row
        assert (rates.tpr.total, rates.tnr.total) == (row["tp"] + row["fn"], row["tn"] + row["fp"]), row


def test_rates_of_no_case_are_none() -> None:
    rates = judge_rates(3, 0, 1, 0)
    assert rates.tnr == (None, Interval(0.0, 1.0), 0)
    assert rates.tpr == (0.75, wilson_interval(3, 4), 4)


@pytest.mark.parametrize("table", [(0, 0, 0, 0), (10, 0, 0, 0), (0, 0, 0, 10)])
def test_kappa_is_undefined_when_chance_agrees_always(table: tuple[int, int, int, int]) -> None:
    assert cohen_kappa(*table) is None
    assert cohen_kappa_standard_error(*table) is None
    assert cohen_kappa_interval(*table) is None


@pytest.mark.parametrize("table", [(8, 2, 0, 0), (0, 0, 3, 7), (5, 0, 3, 0), (0, 10, 0, 0), (7, 3, 0, 0)])
def test_kappa_has_no_interval_when_one_side_always_says_the_same(table: tuple[int, int, int, int]) -> None:
    assert cohen_kappa(*table) == 0.0
    assert cohen_kappa_standard_error(*table) is None
    assert cohen_kappa_interval(*table) is None


@given(counts, counts, counts, counts)
def test_kappa_is_at_most_one_and_does_not_mind_who_is_who(tp: int, fp: int, fn: int, tn: int) -> None:
    tables = (tp, fp, fn, tn), (tp, fn, fp, tn), (tn, fn, fp, tp)
    kappa, turned, mirrored = (cohen_kappa(*table) for table in tables)
    assert kappa == turned == mirrored
    if kappa is not None:
        assert -1 <= kappa <= 1
    se, turned_se, mirrored_se = (cohen_kappa_standard_error(*table) for table in tables)
    if se is not None:
        assert se == pytest.approx(turned_se, abs=1e-7) == pytest.approx(mirrored_se, abs=1e-7)
        assert kappa is not None
        assert cohen_kappa_interval(*tables[0]) == (kappa - Z * se, kappa + Z * se)


def test_the_corrected_rate_agrees_with_the_reference() -> None:
    for row in rows("rogan_gladen"):
        result = corrected_pass_rate(row["x"], row["n"], row["tp"], row["m1"], row["tn"], row["m0"])
        assert result.status == row["status"], row
        assert result.rate == pytest.approx(row["est"], abs=TOLERANCE), row
        assert result.raw == pytest.approx(row["raw"], abs=TOLERANCE), row
        assert result.interval == pytest.approx((row["lo"], row["hi"]), abs=TOLERANCE), row


@given(calibrations())
def test_the_corrected_rate_is_a_rate_or_says_why_not(case: tuple[int, int, int, int, int, int]) -> None:
    result = corrected_pass_rate(*case)
    if result.status != "ok":
        assert (result.rate, result.raw, result.interval) == (None, None, None)
    else:
        assert result.rate is not None and 0 <= result.rate <= 1
        assert result.interval is not None
        assert 0 <= result.interval.low < result.interval.high <= 1


def test_a_perfect_judge_corrects_nothing() -> None:
    result = corrected_pass_rate(70, 100, 50, 50, 50, 50)
    assert result.rate == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("case", "status"),
    [
        ((0, 0, 9, 10, 9, 10), "no decided case"),
        ((1, 2, 0, 0, 9, 10), "no human labels"),
        ((1, 2, 9, 10, 0, 0), "no human labels"),
        ((1, 2, 5, 10, 5, 10), "the judge is no better than chance"),
        ((1, 2, 1, 10, 1, 10), "the judge is no better than chance"),
        ((1, 2, 1, 1, 1, 100), "the judge is no better than chance"),
        ((0, 1000, 500, 500, 250, 500), "calibration inconsistent with this run"),
        ((1000, 1000, 250, 500, 500, 500), "calibration inconsistent with this run"),
    ],
)
def test_what_cannot_be_corrected_says_why(case: tuple[int, int, int, int, int, int], status: str) -> None:
    assert corrected_pass_rate(*case) == (None, None, None, status)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(InvalidInput, match="fp is -1"):
        cohen_kappa(1, -1, 1, 1)
    with pytest.raises(InvalidInput, match="tn is -1"):
        judge_rates(1, 1, 1, -1)
    for case in ((3, 2, 1, 1, 1, 1), (1, 2, 3, 1, 1, 1), (1, 2, 1, 1, 3, 1)):
        with pytest.raises(InvalidInput):
            corrected_pass_rate(*case)
