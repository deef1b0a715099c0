"""What became of received spans, counted by day: nothing is left out in silence."""

from datetime import date

from aloi.core.ingestion import IngestionCounts
from aloi.store.connection import Connection
from aloi.store.usage import day_number

ADD = """
INSERT INTO ingestion (workspace_id, day, spans, rejected_spans, left_out_spans, dropped_traces)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (workspace_id, day) DO UPDATE SET
  spans = ingestion.spans + excluded.spans, rejected_spans = ingestion.rejected_spans + excluded.rejected_spans,
  left_out_spans = ingestion.left_out_spans + excluded.left_out_spans,
  dropped_traces = ingestion.dropped_traces + excluded.dropped_traces"""
SINCE = """
SELECT CAST(coalesce(sum(spans), 0) AS BIGINT), CAST(coalesce(sum(rejected_spans), 0) AS BIGINT),
  CAST(coalesce(sum(left_out_spans), 0) AS BIGINT), CAST(coalesce(sum(dropped_traces), 0) AS BIGINT)
FROM ingestion WHERE workspace_id = ? AND day >= ?"""
WAITING = "SELECT CAST(coalesce(sum(spans), 0) AS BIGINT) FROM traces WHERE workspace_id = ?"


async def add(
    tx: Connection, day: date, *, spans: int = 0, rejected: int = 0, left_out: int = 0, dropped_traces: int = 0
) -> None:
    """Count for a day (UTC): spans received, those not usable, those too many; traces without work of an agent."""
    if spans or rejected or left_out or dropped_traces:
        await tx.execute(ADD, (tx.workspace, day_number(day), spans, rejected, left_out, dropped_traces))


async def since(rx: Connection, day: date) -> IngestionCounts:
    """The workspace's counts since a day (UTC)."""
    row = await rx.fetch_one(SINCE, (rx.workspace, day_number(day)))
    waiting = await rx.fetch_one(WAITING, (rx.workspace,))
    spans, rejected, left_out, dropped = row or (0, 0, 0, 0)
    return IngestionCounts(
        since=day,
        spans=spans,
        waiting_spans=waiting[0] if waiting else 0,
        rejected_spans=rejected,
        left_out_spans=left_out,
        dropped_traces=dropped,
    )
