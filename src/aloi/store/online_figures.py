"""The figures of rules: by quarter of an hour for the rate over time, by day (UTC) for the budget.

They hold no text, and outlive the executions that they count.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from aloi.core.online_result import OnlineCounts
from aloi.store.codec import pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, marks
from aloi.store.usage import day_number

# Every time zone's days and hours begin with a quarter of an hour.
QUARTER = timedelta(minutes=15)
COUNTS = "passed, failed, errors, skipped, gone, judge_variance, cost, unpriced"
ADD = f"""
INSERT INTO online_buckets (rule_id, start_at, {COUNTS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (rule_id, start_at) DO UPDATE SET
  passed = online_buckets.passed + excluded.passed, failed = online_buckets.failed + excluded.failed,
  errors = online_buckets.errors + excluded.errors, skipped = online_buckets.skipped + excluded.skipped,
  gone = online_buckets.gone + excluded.gone,
  judge_variance = online_buckets.judge_variance + excluded.judge_variance,
  cost = coalesce(online_buckets.cost + excluded.cost, online_buckets.cost, excluded.cost),
  unpriced = online_buckets.unpriced + excluded.unpriced"""  # noqa: S608
ADD_DAY = """
INSERT INTO online_days (rule_id, day, graded, skipped, cost) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (rule_id, day) DO UPDATE SET
  graded = online_days.graded + excluded.graded, skipped = online_days.skipped + excluded.skipped,
  cost = coalesce(online_days.cost + excluded.cost, online_days.cost, excluded.cost)"""
BETWEEN = f"""
SELECT rule_id, start_at, {COUNTS} FROM online_buckets
WHERE rule_id IN ({{ids}}) AND start_at >= ? AND start_at < ? ORDER BY rule_id, start_at"""  # noqa: S608


async def count(tx: Connection, rule_id: str, created_at: datetime, counts: OnlineCounts) -> None:
    """Count figures of executions that began at a time."""
    await tx.execute(ADD, (pack_id(rule_id), pack_time(quarter(created_at)), *counts))


async def count_skipped(tx: Connection, rule_id: str, times: Iterable[datetime]) -> None:
    """Count executions that were left out for the budget, by when they began."""
    for start, number in sorted(Counter(map(quarter, times)).items()):
        await count(tx, rule_id, start, OnlineCounts(skipped=number))


async def count_day(
    tx: Connection, rule_id: str, day: date, *, graded: int = 0, skipped: int = 0, cost: float | None = None
) -> None:
    """Count what a rule did on a day (UTC): executions graded and left out, dollars spent."""
    if graded or skipped or cost is not None:
        await tx.execute(ADD_DAY, (pack_id(rule_id), day_number(day), graded, skipped, cost))


async def between(
    rx: Connection, rule_ids: Iterable[str], since: datetime, until: datetime
) -> dict[str, list[tuple[datetime, OnlineCounts]]]:
    """The figures of rules from a time to another (not included), by rule, then by quarter of an hour, in order."""
    found: dict[str, list[tuple[datetime, OnlineCounts]]] = {rule_id: [] for rule_id in rule_ids}
    if not found:
        return found
    params = (*map(pack_id, found), pack_time(since), pack_time(until))
    for packed, start, *counts in await rx.fetch(BETWEEN.format(ids=marks(len(found))), params):
        found[unpack_id(packed)].append((unpack_time(start), OnlineCounts(*counts)))
    return found


def quarter(time: datetime) -> datetime:
    """The beginning of the quarter of an hour that a time is in."""
    return time - timedelta(minutes=time.minute % 15, seconds=time.second, microseconds=time.microsecond)
