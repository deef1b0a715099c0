"""Results and rates: pages, zones, hours and days."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from aloi.core.errors import InvalidInput, NotFound
from aloi.core.misfit import Misfit
from aloi.core.online_result import OnlineCounts
from aloi.core.online_rule import OnlineRule
from aloi.core.score import Verdict
from aloi.core.statistics import run_interval
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.service.online import results
from aloi.store import online_figures
from tests.service.traffic import HELLO, TARGET, all_graded, asked, echoing, opened, ruled, said
from tests.store.backends import BACKENDS, fresh


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    async with fresh(request, tmp_path) as address:
        context = await opened(tmp_path, address)
        await echoing(context)
        yield context
        await context.close()


def utc(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)


async def count(context: Context, rule: OnlineRule, at: datetime, **counts: int | float) -> None:
    async with context.database.transaction() as tx:
        await online_figures.count(tx, rule.id, at, OnlineCounts()._replace(**counts))


async def test_results_are_filtered_by_verdict_and_time_and_paged(context: Context):
    await ruled(context)
    first, *_ = await asked(context, "hello 1", "bye", "hello 2", "fail")
    await all_graded(context)
    assert [result.execution.input for result in await said(context)] == ["fail", "hello 2", "bye", "hello 1"]
    assert [result.execution.input for result in await said(context, verdict=Verdict.PASS)] == ["hello 2", "hello 1"]
    assert len(await said(context, verdict=Verdict.ERROR)) == 1
    assert len(await said(context, since=first.created_at + timedelta(microseconds=1))) == 3
    assert [result.execution.id for result in await said(context, until=first.created_at)] == []
    page = await results.page(context, TARGET, "rule", results.ResultFilter(), 2, 3)
    assert (page.total, page.pages, [result.execution.input for result in page.items]) == (4, 2, ["hello 1"])


async def test_an_execution_tells_what_each_rule_said(context: Context):
    await ruled(context)
    await ruled(context, {"kind": "latency", "max": 60}, name="fast")
    [done] = await asked(context, "bye")
    await all_graded(context)
    found = await results.of_execution(context, done.id)
    assert [(result.rule_name, result.verdict) for result in found] == [("fast", "pass"), ("rule", "fail")]
    with pytest.raises(NotFound, match="no execution"):
        await results.of_execution(context, new_id())


async def test_days_are_those_of_the_zone(context: Context):
    rule = await ruled(context, HELLO)
    # In Kathmandu, 5 h 45 min ahead, the day begins at 18:15 UTC.
    await count(context, rule, utc(2026, 3, 10, 18, 14, 59), passed=1)
    await count(context, rule, utc(2026, 3, 10, 18, 15), failed=1)
    since, until = utc(2026, 3, 10, 6), utc(2026, 3, 11, 12)
    there = await results.rate(context, TARGET, "rule", "day", since, until, "Asia/Kathmandu")
    assert [(bucket.passed, bucket.failed) for bucket in there.buckets] == [(1, 0), (0, 1)]
    assert there.buckets[0].start == utc(2026, 3, 9, 18, 15)
    assert (there.total.passed, there.total.failed) == (1, 1)
    here = await results.rate(context, TARGET, "rule", "day", since, until)
    assert [(bucket.passed, bucket.failed) for bucket in here.buckets] == [(1, 1), (0, 0)]
    assert (here.buckets[1].rate, here.buckets[1].interval) == (None, (0.0, 1.0))


@pytest.mark.parametrize(
    ("day", "hours"),
    [((2026, 3, 29), 23), ((2026, 10, 25), 25), ((2026, 6, 1), 24)],
    ids=["spring", "autumn", "summer"],
)
async def test_days_of_daylight_saving_have_all_their_hours(context: Context, day: tuple[int, int, int], hours: int):
    rule = await ruled(context)
    for hour in range(-3, 27):
        await count(context, rule, utc(*day) + timedelta(hours=hour), passed=1)
    since = utc(*day, 6)
    found = await results.rate(context, TARGET, "rule", "day", since, since + timedelta(hours=1), "Europe/Paris")
    [bucket] = found.buckets
    assert (bucket.end - bucket.start, bucket.passed) == (timedelta(hours=hours), hours)


async def test_hours_hold_judge_noise_cost_and_what_was_left_out(context: Context):
    rule = await ruled(context)
    at = utc(2026, 3, 10, 12, 50)
    await count(context, rule, at, passed=3, failed=1, judge_variance=0.19, cost=0.5)
    await count(context, rule, at - timedelta(minutes=40), passed=1, errors=2, skipped=120, cost=0.25, unpriced=1)
    found = await results.rate(context, TARGET, "rule", "hour", utc(2026, 3, 10, 11, 30), utc(2026, 3, 10, 13))
    empty, full = found.buckets
    assert (empty.start, empty.passed, empty.rate) == (utc(2026, 3, 10, 11), 0, None)
    assert (full.passed, full.failed, full.errors, full.skipped, full.unpriced) == (4, 1, 2, 120, 1)
    assert (full.rate, full.interval, full.judge_noise, full.cost) == (0.8, run_interval(4, 5, 0.19), True, 0.75)


async def test_what_cannot_be_asked_for(context: Context):
    await ruled(context)
    with pytest.raises(Misfit, match="time zone"):
        await results.rate(context, TARGET, "rule", "day", zone="Mars/Olympus")
    with pytest.raises(InvalidInput, match="since before until"):
        await results.rate(context, TARGET, "rule", "day", utc(2026, 3, 2), utc(2026, 3, 1))
    with pytest.raises(InvalidInput, match="2,000"):
        await results.rate(context, TARGET, "rule", "hour", utc(2020, 1, 1), utc(2026, 1, 1))
    with pytest.raises(NotFound):
        await results.rate(context, TARGET, "no such", "day")
