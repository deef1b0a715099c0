"""A run as a report in some format, read and written a page at a time."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable

from aloi.core.errors import InvalidInput
from aloi.core.label import LabelledResult
from aloi.core.run import Run
from aloi.plugins import module
from aloi.service.context import Context
from aloi.service.running.work import summarised
from aloi.store import labels, result_pages, runs
from aloi.store.connection import Connection

Write = Callable[[Run, AsyncIterator[LabelledResult]], AsyncIterator[str]]
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
        async for piece in write(run, _labelled(rx, run.id)):
            yield piece


async def _labelled(rx: Connection, run_id: str) -> AsyncIterator[LabelledResult]:
    """All results of a run with their labels."""
    given = await labels.every(rx, run_id)
    async for result in result_pages.every(rx, run_id):
        yield LabelledResult.model_construct(**dict(result), label=given.get((result.case_key, result.trial)))
