"""Whether a version may become active: decides on the rate and its errors, never on the interval."""

from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum

from pydantic import AwareDatetime, Field

from aloi.core.errors import GateRefused
from aloi.core.spec import Value
from aloi.core.wording import count

MOST_POLICIES = 100


class Ruling(StrEnum):
    """What the figures say. `undecided`: errors, or the lack of a run, could change the answer."""

    ALLOW = "allow"
    BELOW = "below"
    UNDECIDED = "undecided"


class GatePolicy(Value):
    """The pass rate that a target must reach on a dataset."""

    threshold: float = Field(gt=0, le=1, allow_inf_nan=False, description="The least pass rate that is allowed.")
    enabled: bool = Field(default=True, description="False switches the gate off.")


class DatasetGate(GatePolicy):
    """A target's policy on one dataset."""

    dataset_id: str = Field(description="The dataset by its id; where a gate is set, its name does too.")


class Gate(Value):
    """All policies of a target; every one that is on must allow a version. A target without any lets all through."""

    policies: tuple[DatasetGate, ...] = Field(max_length=MOST_POLICIES, description="One for each dataset.")


class GateRun(Value):
    """The figures of the run that a gate looks at; they stay when the run is deleted.

    `passed`, `failed` and `errors` count trials one by one. `deleted`: whether the run itself is gone.
    """

    run_id: str
    passed: int
    failed: int
    errors: int
    finished_at: AwareDatetime
    deleted: bool = False

    @property
    def share(self) -> str:
        """`7/10 passed`, errors counted in the whole."""
        return f"{self.passed}/{self.passed + self.failed + self.errors} passed"


class Standing(StrEnum):
    """What a policy rests on: a run that counts, no complete run at all, or only runs of an older state of the dataset
    (its cases, evaluators, simulations or judge samples changed since)."""

    FOUND = "found"
    MISSING = "missing"
    STALE = "stale"


class Decision(Value):
    """A ruling with the figures it rests on."""

    ruling: Ruling
    passed: int
    failed: int
    errors: int
    threshold: float

    @property
    def reason(self) -> str:
        """The ruling in words."""
        total = self.passed + self.failed + self.errors
        if not total:
            return "undecided: there is no finished result"
        rate, needed = f"{self.passed}/{total} passed", f"the threshold is {percent_text(self.threshold)}"
        errors = count(self.errors, "error")
        if self.ruling is Ruling.UNDECIDED:
            return f"undecided: {rate}, {needed}, and {errors} could change the answer; re-run the errored cases"
        word = "allowed" if self.ruling is Ruling.ALLOW else "refused"
        return f"{word}: {rate}, {errors}, {needed}" if self.errors else f"{word}: {rate}, {needed}"


class PolicyState(DatasetGate):
    """A policy with what it says of one version, and the run that it rests on.

    `run`: where `standing` is `stale`, the latest one of the older state, which decides nothing; null where missing.
    `reason`: the decision in words, with the mend.
    """

    dataset_name: str
    standing: Standing
    decision: Decision
    run: GateRun | None
    reason: str


class GateState(Value):
    """What a target's gate says of one of its versions: allowed iff every policy that is on allows it."""

    target_id: str
    target_name: str
    version: int
    allowed: bool
    policies: tuple[PolicyState, ...]

    @property
    def target(self) -> str:
        """The target's name with the version: `support-agent@3`."""
        return f"{self.target_name}@{self.version}"

    @property
    def gate(self) -> Gate:
        """The policies as they are set, by the ids of their datasets."""
        fields = DatasetGate.model_fields
        policies = [DatasetGate(**{name: getattr(policy, name) for name in fields}) for policy in self.policies]
        return Gate(policies=tuple(sorted(policies, key=lambda policy: policy.dataset_id)))


class ActivationRefused(GateRefused):
    """A version may not become active.

    Args:
        state: what its target's gate says of it.
    """

    def __init__(self, state: GateState) -> None:
        against = (p for p in state.policies if p.enabled and p.decision.ruling is not Ruling.ALLOW)
        said = "; ".join(f"on {policy.dataset_name!r} {policy.reason}" for policy in against)
        super().__init__(f"{state.target} may not become active: {said}. An owner may override this with a reason")
        self.state = state

    def __reduce__(self) -> tuple[object, ...]:
        """So that it can be copied and sent to another process."""
        return (self.__class__, (self.state,))


class Override(Value):
    """An owner's recorded exception: who let which version pass, when, why, and what the gate said. Never changed.

    `by`: as `Principal.name`.
    """

    id: str
    target_id: str
    version: int
    reason: str
    by: str
    at: AwareDatetime
    state: GateState


class OverrideReason(Value):
    """Why a gate is not obeyed, in words."""

    reason: str = Field(min_length=1, max_length=2000, pattern=r"\S", description="Why it may pass all the same.")


def percent_text(share: float) -> str:
    """A share in percent with the digits that it was written with: 0.8 is 80%, 0.07 is 7%, 0.875 is 87.5%."""
    return f"{(Decimal(str(share)) * 100).normalize():f}%"


def decide(passed: int, failed: int, errors: int, threshold: float) -> Decision:
    """What the gate says of these counts (statistics.md 1.7).

    allow iff total > 0 and passed/total >= threshold; below iff (passed+errors)/total < threshold; else undecided.
    Quotients are compared, not products: both sides are rounded correctly, so equality is exact.
    """
    total = passed + failed + errors
    if total and passed / total >= threshold:
        ruling = Ruling.ALLOW
    elif total and (passed + errors) / total < threshold:
        ruling = Ruling.BELOW
    else:
        ruling = Ruling.UNDECIDED
    return Decision(ruling=ruling, passed=passed, failed=failed, errors=errors, threshold=threshold)


def policy_state(
    policy: DatasetGate, dataset_name: str, target: str, current: GateRun | None, older: GateRun | None
) -> PolicyState:
    """What a policy says of a version.

    Args:
        target: the version as people name it: `support-agent@3`.
        current: the latest complete run of that version on the dataset as it is now; null where there is none.
        older: the latest one on the dataset as it was; it decides nothing.
    """
    standing = Standing.FOUND if current else Standing.STALE if older else Standing.MISSING
    counts = (current.passed, current.failed, current.errors) if current else (0, 0, 0)
    decision = decide(*counts, policy.threshold)
    if current:
        reason = decision.reason + _mend(decision.ruling, current)
    elif older:
        reason = f"undecided: the dataset changed since {target} ran on it ({older.share} then); run it again"
    else:
        reason = f"undecided: {target} has no complete run on this dataset; run it on all of its cases"
    return PolicyState(
        **dict(policy),
        dataset_name=dataset_name,
        standing=standing,
        decision=decision,
        run=current or older,
        reason=reason if policy.enabled else f"off, else it would be {reason}",
    )


def _mend(ruling: Ruling, run: GateRun) -> str:
    """What can be done, where the decision's own words do not say it."""
    if ruling is Ruling.BELOW:
        return "; improve the target and run the new version"
    return ", which takes a new run, for this one was deleted" if ruling is Ruling.UNDECIDED and run.deleted else ""


def allows(policies: Iterable[PolicyState]) -> bool:
    """Whether all policies that are on allow; none at all allow everything."""
    return all(policy.decision.ruling is Ruling.ALLOW for policy in policies if policy.enabled)
