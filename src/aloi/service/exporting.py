"""A run as a report in some format, read and written a page at a time."""

from collections.abc import AsyncIterator, Callable

from aloi.core.errors import InvalidInput
from aloi.core.result import CaseResult
from aloi.core.run import Run
from aloi.reports import csv, html, json, junit
from aloi.service.context import Context
from aloi.service.runs import get
from aloi.service.work import summarised
from aloi.store import result_pages

PAGE = 200
Write = Callable[[Run, AsyncIterator[CaseResult]], AsyncIterator[str]]
FORMATS: dict[str, Write] = {"json": json.write, "csv": csv.write, "junit": junit.write, "html": html.write}


async def export(context: Context, ref: str, format_name: str) -> AsyncIterator[str]:
    """See `Client.export`."""
    if format_name not in FORMATS:
        raise InvalidInput(f"there is no format {format_name!r}; the formats are: {', '.join(FORMATS)}")
    run = await get(context, ref)
    if run.summary is None:
        run = run.model_copy(update={"summary": await summarised(context, run)})
    async for piece in FORMATS[format_name](run, every_result(context, run.id)):
        yield piece


async def every_result(context: Context, run_id: str) -> AsyncIterator[CaseResult]:
    """All results of a run in order, a page of them in memory."""
    offset = 0
    while True:
        async with context.database.read() as rx:
            page = await result_pages.page(rx, run_id, offset=offset, limit=PAGE)
        for result in page.results:
            yield result
        offset += PAGE
        if offset >= page.total:
            return
