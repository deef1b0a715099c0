"""Whether a version may become active: decides on the rate and its errors, never on the interval."""

from enum import StrEnum

from pydantic import Field

from aloi.core.spec import Value


class Ruling(StrEnum):
    """What the figures say. `undecided`: errors, or the lack of a run, could change the answer."""

    ALLOW = "allow"
    BELOW = "below"
    UNDECIDED = "undecided"


class GatePolicy(Value):
    """The pass rate that a target must reach on a dataset."""

    threshold: float = Field(gt=0, le=1, allow_inf_nan=False)
    enabled: bool = True


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
        rate = f"{self.passed}/{total} passed"
        needed = f"the threshold is {self.threshold:.0%}" if self.threshold * 100 % 1 == 0 else f"{self.threshold:g}"
        if self.ruling is Ruling.ALLOW:
            return f"allowed: {rate}, {needed}"
        if self.ruling is Ruling.BELOW:
            return f"refused: {rate}, {needed}"
        noun = "error" if self.errors == 1 else "errors"
        return f"undecided: {rate}, {self.errors} {noun} could change the answer; re-run the errored cases"


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
