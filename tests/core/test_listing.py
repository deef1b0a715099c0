"""Pages of lists, and receipts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.listing import Page, Saved


@pytest.mark.parametrize(("total", "size", "pages"), [(0, 20, 0), (1, 20, 1), (20, 20, 1), (21, 20, 2), (5, 1, 5)])
def test_how_many_pages(total: int, size: int, pages: int) -> None:
    assert Page[str](items=(), total=total, page=1, size=size).pages == pages


@given(st.integers(0, 1000), st.integers(1, 50))
def test_the_pages_hold_all_and_the_last_is_not_empty(total: int, size: int) -> None:
    pages = Page[int](items=(), total=total, page=1, size=size).pages
    assert (pages - 1) * size < total <= pages * size or total == pages == 0


def test_a_page_keeps_its_items() -> None:
    page = Page[Saved](
        items=(Saved(dataset_id="d", dataset_name="n", given=2, before=1, after=3),), total=1, page=1, size=20
    )
    assert Page[Saved].model_validate_json(page.model_dump_json()) == page
    assert page.items[0].unknown_columns == ()
