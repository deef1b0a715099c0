"""The gate: golden values, every branch, floats, and what the reason says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from aloi.core.gate import Decision, GatePolicy, Ruling, decide
from tests.core.statistics.golden import rows as golden

COUNTS = st.integers(0, 200)
THRESHOLDS = st.floats(0, 1, exclude_min=True)
RANK = {Ruling.BELOW: 0, Ruling.UNDECIDED: 1, Ruling.ALLOW: 2}


def rank(passed: int, failed: int, errors: int, threshold: float) -> int:
    return RANK[decide(passed, failed, errors, threshold).ruling]


def test_the_golden_rulings() -> None:
    for case in golden("gate"):
        decision = decide(case["passed"], case["failed"], case["errors"], case["threshold"])
        assert decision.ruling == case["outcome"], case


@pytest.mark.parametrize(
    ("counts", "threshold", "ruling"),
    [
        ((9, 0, 1), 0.9, Ruling.ALLOW),  # even if the error were a fail
        ((8, 1, 1), 0.95, Ruling.BELOW),  # even if the error were a pass
        ((8, 1, 1), 0.9, Ruling.UNDECIDED),
        ((0, 1, 0), 0.01, Ruling.BELOW),
        ((0, 0, 1), 1.0, Ruling.UNDECIDED),
        ((99, 1, 0), 1.0, Ruling.BELOW),
        ((7, 93, 0), 0.07, Ruling.ALLOW),  # 7 >= 0.07 * 100 is false in floats
        ((6, 93, 1), 0.07, Ruling.UNDECIDED),
        ((1, 2, 0), 1 / 3, Ruling.ALLOW),
        ((29, 71, 0), 0.29, Ruling.ALLOW),
    ],
)
def test_rulings(counts: tuple[int, int, int], threshold: float, ruling: Ruling) -> None:
    assert decide(*counts, threshold) == Decision(
        ruling=ruling, passed=counts[0], failed=counts[1], errors=counts[2], threshold=threshold
    )


@given(st.integers(1, 1000).flatmap(lambda total: st.tuples(st.integers(1, total), st.just(total))))
def test_a_rate_that_equals_the_threshold_is_allowed(rate: tuple[int, int]) -> None:
    passed, total = rate
    assert decide(passed, total - passed, 0, passed / total).ruling is Ruling.ALLOW


@given(COUNTS, COUNTS, COUNTS, THRESHOLDS)
def test_a_pass_for_a_fail_never_harms(passed: int, failed: int, errors: int, threshold: float) -> None:
    assert rank(passed + 1, failed, errors, threshold) >= rank(passed, failed + 1, errors, threshold)


@given(COUNTS, COUNTS, COUNTS, THRESHOLDS, THRESHOLDS)
def test_a_higher_threshold_never_helps(passed: int, failed: int, errors: int, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert rank(passed, failed, errors, high) <= rank(passed, failed, errors, low)


@given(COUNTS, COUNTS, st.integers(1, 200), THRESHOLDS)
def test_what_is_decided_stays_so_however_an_error_ends(
    passed: int, failed: int, errors: int, threshold: float
) -> None:
    ruling = decide(passed, failed, errors, threshold).ruling
    as_pass = decide(passed + errors, failed, 0, threshold).ruling
    as_fail = decide(passed, failed + errors, 0, threshold).ruling
    if ruling is Ruling.UNDECIDED:
        assert (as_pass, as_fail) == (Ruling.ALLOW, Ruling.BELOW)
    else:
        assert (as_pass, as_fail) == (ruling, ruling)


@given(COUNTS, COUNTS, THRESHOLDS)
def test_without_errors_only_an_empty_run_is_undecided(passed: int, failed: int, threshold: float) -> None:
    assert (decide(passed, failed, 0, threshold).ruling is Ruling.UNDECIDED) is (passed + failed == 0)


@pytest.mark.parametrize(
    ("counts", "threshold", "reason"),
    [
        ((9, 1, 0), 0.8, "allowed: 9/10 passed, the threshold is 80%"),
        ((7, 93, 0), 0.07, "allowed: 7/100 passed, the threshold is 7%"),
        ((3, 5, 0), 0.875, "refused: 3/8 passed, the threshold is 87.5%"),
        ((1, 1, 0), 1.0, "refused: 1/2 passed, the threshold is 100%"),
        ((1, 999, 0), 0.00125, "refused: 1/1000 passed, the threshold is 0.125%"),
        ((1, 9, 0), 0.29, "refused: 1/10 passed, the threshold is 29%"),
        ((9, 0, 1), 0.9, "allowed: 9/10 passed, 1 error, the threshold is 90%"),
        ((1, 7, 2), 0.9, "refused: 1/10 passed, 2 errors, the threshold is 90%"),
        (
            (8, 1, 1),
            0.9,
            "undecided: 8/10 passed, the threshold is 90%, and 1 error could change the answer; "
            "re-run the errored cases",
        ),
        ((0, 0, 0), 0.5, "undecided: there is no finished result"),
    ],
)
def test_the_reason_in_words(counts: tuple[int, int, int], threshold: float, reason: str) -> None:
    assert decide(*counts, threshold).reason == reason


@pytest.mark.parametrize("threshold", [0, -0.1, 1.01, float("nan"), float("inf"), "most", None])
def test_a_threshold_is_a_share_above_0(threshold: object) -> None:
    with pytest.raises(ValidationError, match="threshold"):
        GatePolicy.model_validate({"threshold": threshold})


def test_a_policy_is_on_unless_switched_off() -> None:
    assert GatePolicy(threshold=1).enabled
    assert not GatePolicy(threshold=0.5, enabled=False).enabled
