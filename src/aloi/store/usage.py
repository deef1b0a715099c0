"""What model calls used, by source (a run or an execution, say), side and model: it outlives its source."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from aloi.core.usage import Side, Usage
from aloi.store.codec import pack_id
from aloi.store.connection import Connection, Params, Row

PUT = """
INSERT INTO usage
  (source_id, target_id, side, model, workspace_id, day, calls, input_tokens, output_tokens, cost, unpriced)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (source_id, side, model) DO UPDATE SET
  target_id = excluded.target_id, day = excluded.day, calls = excluded.calls, input_tokens = excluded.input_tokens,
  output_tokens = excluded.output_tokens, cost = excluded.cost, unpriced = excluded.unpriced"""
# A sum of nulls alone is null: what is not known stays so.
BY_DAY = """
SELECT day, side, model, CAST(sum(calls) AS BIGINT), CAST(sum(input_tokens) AS BIGINT),
  CAST(sum(output_tokens) AS BIGINT), sum(cost), CAST(sum(unpriced) AS BIGINT)
FROM usage WHERE workspace_id = ? AND day BETWEEN ? AND ? GROUP BY day, side, model ORDER BY day, side, model"""
# Days are counted from here.
EPOCH = date(1970, 1, 1).toordinal()


class Source(NamedTuple):
    """What used something: a run, an execution outside of runs, or a grading by itself.

    `target_id`: of the target that it was used for, whose members are told of it; null for none.
    """

    id: str
    target_id: str | None


class UsedRow(NamedTuple):
    """What one model used on one day (UTC) on one side."""

    day: date
    side: Side
    model: str
    usage: Usage


async def put(tx: Connection, source: Source, side: Side, day: date, model: str, usage: Usage) -> None:
    """Say what a source used of a model in all; said again, the later word stands. No calls at all are not stored.

    Args:
        day: the day (UTC) that it counts for.
        model: `provider:model`; an empty text where it is not known.
    """
    await put_many(tx, [(source, UsedRow(day, side, model, usage))])


async def put_many(tx: Connection, used: Iterable[tuple[Source, UsedRow]]) -> None:
    """As `put`, of many sources at once."""
    rows = [_params(tx, source, row) for source, row in used if row.usage != Usage()]
    await tx.execute_many((PUT, rows))


def _params(tx: Connection, source: Source, row: UsedRow) -> Params:
    day, side, model, used = row
    tokens = used.input_tokens, used.output_tokens
    return (
        pack_id(source.id),
        None if source.target_id is None else pack_id(source.target_id),
        side,
        model,
        tx.workspace,
        day_number(day),
        used.calls,
        *tokens,
        used.cost,
        used.unpriced,
    )


async def by_day(rx: Connection, since_day: date, until_day: date) -> list[UsedRow]:
    """What was used from one day to another, both included, by day, side and model."""
    return [_used(row) for row in await rx.fetch(BY_DAY, (rx.workspace, day_number(since_day), day_number(until_day)))]


def day_number(day: date) -> int:
    """A day as the tables hold it: counted from 1970-01-01."""
    return day.toordinal() - EPOCH


def _used(row: Row) -> UsedRow:
    number, side, model, calls, input_tokens, output_tokens, cost, unpriced = row
    usage = Usage(calls=calls, input_tokens=input_tokens, output_tokens=output_tokens, cost=cost, unpriced=unpriced)
    return UsedRow(date.fromordinal(number + EPOCH), side, model, usage)
