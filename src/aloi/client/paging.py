"""Whole lists, which clients give in pages."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from aloi.core.listing import Page

T = TypeVar("T")
PAGE = 200


async def every(read: Callable[[int, int], Awaitable[Page[T]]]) -> AsyncIterator[T]:
    """Every item of a list; `read` gives the page of a number and a size."""
    number, pages = 1, 1
    while number <= pages:
        page = await read(number, PAGE)
        for item in page.items:
            yield item
        number, pages = number + 1, page.pages
