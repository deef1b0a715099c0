"""What came of grading production executions: single results, and the rate over time."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple

from pydantic import AwareDatetime, Field

from aloi.core.execution import MOST_HARVESTED, ExecutionEntry
from aloi.core.outcome import Failure
from aloi.core.score import Score, Verdict
from aloi.core.spec import Value
from aloi.core.statistics import Interval, run_interval
from aloi.core.usage import Usage, add_known

BucketSize = Literal["hour", "day"]


class OnlineResult(Value):
    """What a rule said of an execution; it goes when the execution goes.

    `created_at`: when the execution began. `failure`: why the verdict is `error`. `usage`: the judges' in the last try.
    """

    rule_id: str
    rule_name: str
    execution: ExecutionEntry
    created_at: AwareDatetime
    graded_at: AwareDatetime
    verdict: Verdict
    score: float | None
    scores: tuple[Score, ...]
    failure: Failure | None
    usage: Usage


class OnlineCounts(NamedTuple):
    """Figures of some executions. `skipped`: left out for the budget; `gone`: deleted before they were graded.

    `judge_variance`: the sum of w over the decided ones (statistics.md 1.4). `cost`, `unpriced`: as in `Usage`.
    """

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    gone: int = 0
    judge_variance: float = 0.0
    cost: float | None = None
    unpriced: int = 0

    def plus(self, other: "OnlineCounts") -> "OnlineCounts":
        """The sum."""
        return OnlineCounts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.errors + other.errors,
            self.skipped + other.skipped,
            self.gone + other.gone,
            self.judge_variance + other.judge_variance,
            add_known(self.cost, other.cost),
            self.unpriced + other.unpriced,
        )


class OnlineBucket(Value):
    """The executions that began in a stretch of time, `end` not included.

    `rate`: passed over decided, null when nothing was; `interval`: its 95 % interval, "incl. judge noise" when
    `judge_noise`. An error is never a pass and never a fail. `skipped`: left out for the daily budget. `gone`: deleted
    before they were graded. `cost`: US dollars of the judges' priced calls, null when none was; `unpriced`: calls
    without a known price.
    """

    start: AwareDatetime
    end: AwareDatetime
    passed: int
    failed: int
    errors: int
    skipped: int
    gone: int
    rate: float | None
    interval: Interval
    judge_noise: bool
    cost: float | None
    unpriced: int


class OnlineRate(Value):
    """How a rule's rate went. `total` is over the whole time; `buckets` are in order, empty ones too."""

    bucket: BucketSize
    zone: str
    total: OnlineBucket
    buckets: tuple[OnlineBucket, ...]


class OnlineDrafts(Value):
    """Which graded executions become draft cases: those named, or else the newest 200 of a verdict."""

    dataset_id: str = Field(description="Name or id of the dataset.")
    execution_ids: tuple[str, ...] | None = Field(
        default=None, min_length=1, max_length=MOST_HARVESTED, description="Ids of executions that the rule graded."
    )
    verdict: Verdict = Field(default=Verdict.FAIL, description="Of this verdict, where none are named.")


def bucket_of(start: datetime, end: datetime, counts: Iterable[OnlineCounts]) -> OnlineBucket:
    """The figures of a stretch of time, from those of its parts."""
    total = OnlineCounts()
    for part in counts:
        total = total.plus(part)
    decided = total.passed + total.failed
    return OnlineBucket(
        start=start,
        end=end,
        passed=total.passed,
        failed=total.failed,
        errors=total.errors,
        skipped=total.skipped,
        gone=total.gone,
        rate=total.passed / decided if decided else None,
        interval=run_interval(total.passed, decided, total.judge_variance),
        judge_noise=total.judge_variance > 0,
        cost=total.cost,
        unpriced=total.unpriced,
    )
