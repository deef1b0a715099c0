"""What a workspace used of models: by day, by side, by model."""

from collections.abc import Iterable
from datetime import date, timedelta
from functools import reduce
from operator import add
from typing import TypeVar

from aloi.core.errors import InvalidInput
from aloi.core.usage import NO_USAGE, DayUsage, ModelUsage, Side, Usage, UsageReport
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.store import usage as stored

K = TypeVar("K")
DAYS = timedelta(days=29)  # a report covers the last 30 days where nobody says otherwise


async def report(context: Context, since: date | None = None, until: date | None = None) -> UsageReport:
    """What was used from one day (UTC) to another, both included; by default in the last 30 days.

    Raises:
        InvalidInput: it ends before it begins.
    """
    last = until or now().date()
    first = since or (last - DAYS if last.toordinal() > DAYS.days else last)
    if first > last:
        raise InvalidInput(f"the report would begin on {first} and end on {last}; give since before until")
    async with context.database.read() as rx:
        rows = await stored.by_day(rx, first, last)
    days: dict[tuple[date, Side], Usage] = _grouped(((row.day, row.side), row.usage) for row in rows)
    by_model = sorted(rows, key=lambda row: (row.model, row.side))
    models: dict[tuple[str, Side], Usage] = _grouped(((row.model, row.side), row.usage) for row in by_model)
    return UsageReport(
        since=first,
        until=last,
        target=_total(row.usage for row in rows if row.side == "target"),
        judge=_total(row.usage for row in rows if row.side == "judge"),
        days=tuple(DayUsage(day=day, side=side, usage=used) for (day, side), used in days.items()),
        models=tuple(ModelUsage(model=model, side=side, usage=used) for (model, side), used in models.items()),
    )


def _grouped(pairs: Iterable[tuple[K, Usage]]) -> dict[K, Usage]:
    """The sum of each key, in the order in which the keys come first."""
    sums: dict[K, Usage] = {}
    for key, used in pairs:
        sums[key] = sums.get(key, NO_USAGE) + used
    return sums


def _total(usages: Iterable[Usage]) -> Usage:
    return reduce(add, usages, NO_USAGE)
