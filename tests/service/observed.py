"""Traces that are received, and the executions that are made of them."""

from typing import Any

from aloi.core.execution import Execution, ExecutionFilter
from aloi.service import executions
from aloi.service.context import Context
from aloi.service.traces import observing, receiving
from aloi.service.traces.receiving import Receipt
from tests.otlp_requests import request


async def send(context: Context, *spans: dict[str, Any], **resource: Any) -> Receipt:
    """Receive spans in one request."""
    return await receiving.receive(context, request(*spans, **resource), is_json=True, is_gzip=False)


async def come_to_rest(context: Context) -> None:
    """Make every trace due that waits."""
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE traces SET due_at = first_at")


async def finish(context: Context) -> None:
    """Make executions of all that waits, as if nothing came for a while."""
    await come_to_rest(context)
    while await observing.finish_due(context):
        await come_to_rest(context)


async def all_of(context: Context) -> list[Execution]:
    """The workspace's executions, newest first, whole."""
    page = await executions.listing(context, 1, 200, ExecutionFilter())
    return [await executions.get(context, entry.id) for entry in page.items]


async def only(context: Context) -> Execution:
    """The one execution that there is."""
    [found] = await all_of(context)
    return found


async def waiting_rows(context: Context) -> int:
    """How many rows wait to become executions: of traces and of spans."""
    async with context.database.read() as rx:
        row = await rx.fetch_one("SELECT (SELECT count(*) FROM traces) + (SELECT count(*) FROM received_spans)")
    return row[0] if row else 0
