"""Lists in pages: what a caller asks for, and what comes back."""

from typing import Annotated, NamedTuple, TypeVar

from fastapi import Depends, Query

from aloi.core.listing import Page, PageOut

T = TypeVar("T")
MOST = 200
# Far behind the last page of anything; a database takes the offset of this page with room to spare.
LAST_PAGE = 1_000_000_000


class Asked(NamedTuple):
    """Which page, counted from 1, of so many items each."""

    page: int
    size: int


def _asked(
    page: Annotated[int, Query(ge=1, le=LAST_PAGE, description="Counted from 1.")] = 1,
    size: Annotated[int, Query(ge=1, le=MOST, description="Items a page.")] = 20,
) -> Asked:
    return Asked(page, size)


Paging = Annotated[Asked, Depends(_asked)]


def paged(page: Page[T]) -> PageOut[T]:
    """A page as it is answered."""
    return PageOut(items=page.items, total=page.total, page=page.page, size=page.size, pages=page.pages)
