"""The gate: golden values, every branch, floats, and what the reason says."""

import pickle
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from aloi.core.gate import (
    MOST_POLICIES,
    ActivationRefused,
    DatasetGate,
    Decision,
    Gate,
    GatePolicy,
    GateRun,
    GateState,
    OverrideReason,
    PolicyState,
    Ruling,
    Standing,
    allows,
    decide,
    policy_state,
)
from tests.core.statistics.golden import rows as golden

NOW = datetime(2026, 11, 30, tzinfo=UTC)
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


DATA = DatasetGate(dataset_id="d", threshold=0.8)


def a_run(passed: int, failed: int, errors: int = 0, deleted: bool = False) -> GateRun:
    return GateRun(run_id="r", passed=passed, failed=failed, errors=errors, finished_at=NOW, deleted=deleted)


def said(current: GateRun | None, older: GateRun | None = None, policy: DatasetGate = DATA) -> PolicyState:
    return policy_state(policy, "Refunds", "bot@3", current, older)


class TestPolicyState:
    def test_a_run_that_counts_decides(self) -> None:
        state = said(a_run(9, 1), a_run(0, 10))
        assert (state.standing, state.decision, state.run) == (Standing.FOUND, decide(9, 1, 0, 0.8), a_run(9, 1))
        assert state.reason == "allowed: 9/10 passed, the threshold is 80%"

    def test_an_older_one_decides_nothing_and_is_shown(self) -> None:
        state = said(None, a_run(9, 0, 1))
        assert (state.standing, state.decision.ruling, state.run) == (Standing.STALE, Ruling.UNDECIDED, a_run(9, 0, 1))
        assert (state.decision.passed, state.decision.errors) == (0, 0)
        assert state.reason == "undecided: the dataset changed since bot@3 ran on it (9/10 passed then); run it again"

    def test_without_a_run(self) -> None:
        state = said(None)
        assert (state.standing, state.decision.ruling, state.run) == (Standing.MISSING, Ruling.UNDECIDED, None)
        assert state.reason == "undecided: bot@3 has no complete run on this dataset; run it on all of its cases"

    def test_each_reason_has_its_mend(self) -> None:
        assert said(a_run(1, 9)).reason.endswith("80%; improve the target and run the new version")
        assert said(a_run(7, 1, 2)).reason.endswith("; re-run the errored cases")
        gone = "; re-run the errored cases, which takes a new run, for this one was deleted"
        assert said(a_run(7, 1, 2, deleted=True)).reason.endswith(gone)
        assert said(a_run(1, 9, deleted=True)).reason == said(a_run(1, 9)).reason

    def test_one_that_is_off_says_so(self) -> None:
        off = DATA.model_copy(update={"enabled": False})
        assert said(a_run(1, 9), policy=off).reason.startswith("off, else it would be refused: 1/10 passed")


class TestGateState:
    @pytest.mark.parametrize(
        ("rulings", "allowed"),
        [("", True), ("a", True), ("b", False), ("u", False), ("ab", False), ("aa", True), ("aU", True), ("BU", True)],
    )
    def test_all_that_are_on_must_allow(self, rulings: str, allowed: bool) -> None:
        runs = {"a": a_run(1, 0), "b": a_run(0, 1), "u": None}
        policies = [
            said(runs[mark.lower()], policy=DatasetGate(dataset_id=str(n), threshold=1, enabled=mark.islower()))
            for n, mark in enumerate(rulings)
        ]
        assert allows(policies) is allowed

    def test_its_policies_come_back_by_the_ids_of_their_datasets(self) -> None:
        policies = [DatasetGate(dataset_id=name, threshold=0.5, enabled=name == "a") for name in "ba"]
        state = a_state(*(said(None, policy=policy) for policy in policies))
        assert state.gate == Gate(policies=tuple(reversed(policies)))
        assert state.target == "bot@3"

    def test_a_refusal_tells_all_and_can_be_sent_to_another_process(self) -> None:
        off = said(None, policy=DATA.model_copy(update={"enabled": False}))
        state = a_state(said(a_run(1, 9)), off, said(a_run(9, 1)), said(None))
        refused = ActivationRefused(state)
        assert str(refused) == (
            "bot@3 may not become active: on 'Refunds' refused: 1/10 passed, the threshold is 80%; improve the target "
            "and run the new version; on 'Refunds' undecided: bot@3 has no complete run on this dataset; run it on all "
            "of its cases. An owner may override this with a reason"
        )
        copied = pickle.loads(pickle.dumps(refused))
        assert (str(copied), copied.state) == (str(refused), state)


def a_state(*policies: PolicyState) -> GateState:
    return GateState(target_id="t", target_name="bot", version=3, allowed=allows(policies), policies=policies)


@pytest.mark.parametrize("reason", ["", " ", "\n\t", "x" * 2001, None, 1])
def test_a_reason_is_said_in_words(reason: object) -> None:
    with pytest.raises(ValidationError, match="reason"):
        OverrideReason.model_validate({"reason": reason})


def test_a_gate_has_at_most_a_hundred_policies() -> None:
    Gate(policies=(DATA,) * MOST_POLICIES)
    with pytest.raises(ValidationError, match="policies"):
        Gate(policies=(DATA,) * (MOST_POLICIES + 1))
