"""What model calls used, by source (a run or an execution), side and model: it outlives its source."""

from datetime import date
from typing import NamedTuple

from aloi.core.usage import Side, Usage
from aloi.store.codec import pack_id
from aloi.store.connection import Connection, Row

PUT = """
INSERT INTO usage
  (source_id, side, model, workspace_id, day, calls, input_tokens, output_tokens, cost, unpriced)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (source_id, side, model) DO UPDATE SET
  day = excluded.day, calls = excluded.calls, input_tokens = excluded.input_tokens,
  output_tokens = excluded.output_tokens, cost = excluded.cost, unpriced = excluded.unpriced"""
# A sum of nulls alone is null: what is not known stays so.
BY_DAY = """
SELECT day, side, model, CAST(sum(calls) AS BIGINT), CAST(sum(input_tokens) AS BIGINT),
  CAST(sum(output_tokens) AS BIGINT), sum(cost), CAST(sum(unpriced) AS BIGINT)
FROM usage WHERE workspace_id = ? AND day BETWEEN ? AND ? GROUP BY day, side, model ORDER BY day, side, model"""
# Days are counted from here.
EPOCH = date(1970, 1, 1).toordinal()


class UsedRow(NamedTuple):
    """What one model used on one day (UTC) on one side."""

    day: date
    side: Side
    model: str
    usage: Usage


async def put(tx: Connection, source_id: str, side: Side, day: date, model: str, usage: Usage) -> None:
    """Say what a source used of a model in all; said again, the later word stands. No calls at all are not stored.

    Args:
        source_id: of a run, or of an execution outside of runs.
        day: the day (UTC) that it counts for.
        model: `provider:model`; an empty text where it is not known.
    """
    if usage == Usage():
        return
    tokens = usage.input_tokens, usage.output_tokens
    placed = pack_id(source_id), side, model, tx.workspace, _number(day)
    await tx.execute(PUT, (*placed, usage.calls, *tokens, usage.cost, usage.unpriced))


async def by_day(rx: Connection, since_day: date, until_day: date) -> list[UsedRow]:
    """What was used from one day to another, both included, by day, side and model."""
    return [_used(row) for row in await rx.fetch(BY_DAY, (rx.workspace, _number(since_day), _number(until_day)))]


def _number(day: date) -> int:
    return day.toordinal() - EPOCH


def _used(row: Row) -> UsedRow:
    number, side, model, calls, input_tokens, output_tokens, cost, unpriced = row
    usage = Usage(calls=calls, input_tokens=input_tokens, output_tokens=output_tokens, cost=cost, unpriced=unpriced)
    return UsedRow(date.fromordinal(number + EPOCH), side, model, usage)
