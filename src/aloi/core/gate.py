"""Whether a version may become active: decides on the rate and its errors, never on the interval."""

from decimal import Decimal
from enum import StrEnum

from pydantic import Field

from aloi.core.spec import Value
from aloi.core.wording import count


class Ruling(StrEnum):
    """What the figures say. `undecided`: errors, or the lack of a run, could change the answer."""

    ALLOW = "allow"
    BELOW = "below"
    UNDECIDED = "undecided"


class GatePolicy(Value):
    """The pass rate that a target must reach on a dataset."""

    threshold: float = Field(gt=0, le=1, allow_inf_nan=False, description="The least pass rate that is allowed.")
    enabled: bool = Field(default=True, description="False switches the gate off.")


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
        rate, needed = f"{self.passed}/{total} passed", f"the threshold is {_percent(self.threshold)}"
        errors = count(self.errors, "error")
        if self.ruling is Ruling.UNDECIDED:
            return f"undecided: {rate}, {needed}, and {errors} could change the answer; re-run the errored cases"
        word = "allowed" if self.ruling is Ruling.ALLOW else "refused"
        return f"{word}: {rate}, {errors}, {needed}" if self.errors else f"{word}: {rate}, {needed}"


def _percent(share: float) -> str:
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
