"""The figures of a stretch of time."""

from datetime import UTC, datetime, timedelta

import pytest

from aloi.core.online_result import OnlineCounts, bucket_of
from aloi.core.statistics import run_interval, wilson_interval

START = datetime(2026, 11, 30, tzinfo=UTC)
END = START + timedelta(hours=1)


def test_nothing_decided_has_no_rate():
    bucket = bucket_of(START, END, [OnlineCounts(errors=2, skipped=3)])
    assert (bucket.rate, bucket.interval, bucket.errors, bucket.skipped) == (None, (0.0, 1.0), 2, 3)
    assert bucket.cost is None


def test_parts_add_up_and_errors_decide_nothing():
    parts = [
        OnlineCounts(passed=3, failed=1, errors=5, cost=0.5),
        OnlineCounts(passed=4, cost=None, unpriced=2, gone=1),
    ]
    bucket = bucket_of(START, END, parts)
    assert (bucket.passed, bucket.failed, bucket.errors, bucket.gone) == (7, 1, 5, 1)
    assert bucket.rate == 7 / 8
    assert bucket.interval == wilson_interval(7, 8)
    assert (bucket.cost, bucket.unpriced, bucket.judge_noise) == (0.5, 2, False)


def test_judge_noise_widens_the_interval():
    bucket = bucket_of(START, END, [OnlineCounts(passed=8, failed=2, judge_variance=0.4)])
    assert bucket.judge_noise
    assert bucket.interval == run_interval(8, 10, 0.4)
    assert bucket.interval.low < wilson_interval(8, 10).low


@pytest.mark.parametrize("cost", [None, 0.25])
def test_costs_that_are_not_known_are_not_zero(cost: float | None):
    assert OnlineCounts(cost=cost).plus(OnlineCounts()).cost == cost
