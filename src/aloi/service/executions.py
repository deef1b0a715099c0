"""Executions: listing and reading them; `harvesting` makes cases of them."""

from aloi.core.execution import Execution, ExecutionEntry, ExecutionFilter
from aloi.core.listing import Page
from aloi.service.context import Context
from aloi.store import execution_pages, targets
from aloi.store import executions as stored


async def listing(context: Context, page: int, size: int, wanted: ExecutionFilter) -> Page[ExecutionEntry]:
    """A page of executions, newest first; `total` is exact up to 10,000, one more stands for more than that.

    Raises:
        NotFound: the target that the filter names is not there.
    """
    async with context.database.read() as rx:
        if wanted.target_id is not None:
            wanted = wanted._replace(target_id=(await targets.get(rx, wanted.target_id)).id)
        return await execution_pages.page(rx, page, size, wanted)


async def get(context: Context, execution_id: str) -> Execution:
    """An execution with its trace.

    Raises:
        NotFound: there is none of that id.
    """
    async with context.database.read() as rx:
        return await stored.get(rx, execution_id)
