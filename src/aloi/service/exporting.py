"""A run as a report in some format, read and written a page at a time."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable

from aloi.core.errors import InvalidInput
from aloi.core.result import CaseResult
from aloi.core.run import Run
from aloi.plugins import module
from aloi.service.context import Context
from aloi.service.work import summarised
from aloi.store import result_pages, runs

Write = Callable[[Run, AsyncIterator[CaseResult]], AsyncIterator[str]]
FORMATS = ("json", "csv", "junit", "html")


async def export(context: Context, ref: str, format_name: str) -> AsyncGenerator[str]:
    """See `Client.export`."""
    if format_name not in FORMATS:
        raise InvalidInput(f"there is no format {format_name!r}; the formats are: {', '.join(FORMATS)}")
    write: Write = module(f"aloi.reports.{format_name}").write
    async with context.exporting, context.database.read() as rx:
        run = await runs.get(rx, ref)
        if run.summary is None:
            run = run.model_copy(update={"summary": await summarised(rx, run)})
        async for piece in write(run, result_pages.every(rx, run.id)):
            yield piece
