"""What came of grading production: single results, and the rate over time."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from aloi import recurrence
from aloi.core.errors import InvalidInput, NotFound
from aloi.core.listing import Page
from aloi.core.misfit import Misplaced, pointer
from aloi.core.online_result import BucketSize, OnlineBucket, OnlineCounts, OnlineRate, OnlineResult, bucket_of
from aloi.core.schedule import FIRST_YEAR, LAST_YEAR
from aloi.core.usage import NO_USAGE
from aloi.service.checks import refuse
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.store import execution_pages, online_figures, online_rules, targets
from aloi.store import online_results as stored
from aloi.store.connection import Connection
from aloi.store.online_results import ResultFilter, ResultRow

MOST_COUNTED = 10_000
MOST_BUCKETS = 2000
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# How far back a rate goes where nobody says.
SHOWN = {"hour": timedelta(hours=48), "day": timedelta(days=30)}


async def page(
    context: Context, target: str, ref: str, wanted: ResultFilter, number: int, size: int
) -> Page[OnlineResult]:
    """A page, counted from 1, of a rule's results, newest executions first.

    `total` is exact up to 10,000; 10,001 stands for more than that.

    Raises:
        NotFound: there is no such rule.
    """
    async with context.database.read() as rx:
        rule = await online_rules.get(rx, (await targets.get(rx, target)).id, ref)
        rows = await stored.page(rx, rule.id, wanted, (number - 1) * size, size)
        items = await _with_executions(rx, rows)
        total = await stored.count(rx, rule.id, wanted, MOST_COUNTED + 1)
    return Page(items=tuple(items), total=total, page=number, size=size)


async def of_execution(context: Context, execution_id: str) -> list[OnlineResult]:
    """What the rules said of an execution, by their names.

    Raises:
        NotFound: there is no such execution.
    """
    async with context.database.read() as rx:
        if not await execution_pages.entries(rx, [execution_id]):
            raise NotFound(
                f"there is no execution {execution_id:.100}; those of a deleted run or target are gone with it"
            )
        return await _with_executions(rx, await stored.of_execution(rx, execution_id))


async def _with_executions(rx: Connection, rows: Sequence[ResultRow]) -> list[OnlineResult]:
    entries = await execution_pages.entries(rx, [row.execution_id for row in rows])
    return [
        OnlineResult(
            rule_id=row.rule_id,
            rule_name=row.rule_name,
            execution=entries[row.execution_id],
            created_at=row.created_at,
            graded_at=row.graded_at,
            verdict=row.verdict,
            score=row.score,
            scores=row.grading.scores,
            failure=row.grading.failure,
            usage=sum((score.usage for score in row.grading.scores), NO_USAGE),
        )
        for row in rows
        if row.execution_id in entries
    ]


async def rate(
    context: Context,
    target: str,
    ref: str,
    size: BucketSize,
    since: datetime | None = None,
    until: datetime | None = None,
    zone: str = "UTC",
) -> OnlineRate:
    """How a rule's rate went, by the hour or the day of a time zone, whole ones.

    Args:
        since, until: null for the last 48 hours or 30 days, up to now.
        zone: an IANA name.

    Raises:
        NotFound: there is no such rule.
        InvalidInput: there is no such zone, it would end before it begins, or it has too many hours or days.
    """
    for name, given in (("since", since), ("until", until)):
        if given is not None and not FIRST_YEAR < given.year < LAST_YEAR:
            refuse([Misplaced(pointer((name,)), f"its year must lie between {FIRST_YEAR} and {LAST_YEAR}")])
    last = until or now()
    edges = list(_edges(size, since or last - SHOWN[size], last, _zone(zone)))
    async with context.database.read() as rx:
        rule = await online_rules.get(rx, (await targets.get(rx, target)).id, ref)
        found = (await online_figures.between(rx, [rule.id], edges[0], edges[-1]))[rule.id]
    buckets = tuple(_buckets(edges, found))
    total = bucket_of(edges[0], edges[-1], [counts for _, counts in found])
    return OnlineRate(bucket=size, zone=zone, total=total, buckets=buckets)


def _zone(name: str) -> ZoneInfo:
    try:
        return recurrence.zone(name)
    except InvalidInput as error:
        refuse([Misplaced(pointer(("zone",)), str(error))])
        raise


def _edges(size: BucketSize, since: datetime, until: datetime, zone: ZoneInfo) -> Iterator[datetime]:
    """Where the buckets begin, and where the last one ends; in UTC."""
    length = HOUR if size == "hour" else DAY
    if until <= since:
        raise InvalidInput(f"the rate would begin at {since} and end at {until}; give since before until")
    if (until - since) / length > MOST_BUCKETS:
        raise InvalidInput(f"at most {MOST_BUCKETS:,} buckets are shown at once; ask for less time, or by the day")
    local = since.astimezone(zone)
    if size == "hour":
        edge = local.replace(minute=0, second=0, microsecond=0).astimezone(UTC)
        while edge < until:
            yield edge
            edge += HOUR
        yield edge
        return
    day = local.date()
    while (edge := datetime.combine(day, time.min, zone).astimezone(UTC)) < until:
        yield edge
        day += DAY
    yield edge


def _buckets(edges: Sequence[datetime], found: Sequence[tuple[datetime, OnlineCounts]]) -> Iterator[OnlineBucket]:
    """One for each stretch between two edges; what was found is in order."""
    place = 0
    for start, end in pairwise(edges):
        inside: list[OnlineCounts] = []
        while place < len(found) and found[place][0] < end:
            inside.append(found[place][1])
            place += 1
        yield bucket_of(start, end, inside)
