"""Work that is done for a caller who waits: when the caller leaves it is stopped."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

from aloi.core.errors import Conflict

T = TypeVar("T")


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What the work gives; its errors are raised.

    Raises:
        Conflict: the caller left, so that nobody hears it; the work was cancelled and has ended.
    """
    task, leaving = asyncio.create_task(work), asyncio.create_task(_left(request))
    try:
        await asyncio.wait([task, leaving], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise Conflict("the caller left before the answer came")
    finally:
        leaving.cancel()
        task.cancel()
        await asyncio.wait([task])


async def _left(request: Request) -> None:
    """Wait until the caller has left; the body was read already."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
