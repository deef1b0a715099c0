"""Filters by a text."""

import pytest

from aloi.store.database import Database
from aloi.store.matching import any_contains, pattern


@pytest.mark.parametrize(
    ("text", "there"),
    [("50%_off", True), ("PRICE", True), ("!", True), ("é", True), ("", True), ("5_%", False), ("price %", False)],
)
async def test_a_text_is_found_as_it_is_in_any_of_the_columns(db: Database, text: str, there: bool):
    sql = "SELECT 1 FROM (SELECT 'nothing' AS a, 'Price! 50%_off é' AS b) t WHERE "
    async with db.read() as rx:
        assert bool(await rx.fetch(sql + any_contains("a", "b"), (pattern(text),) * 2)) == there
