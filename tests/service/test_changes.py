"""Changes as the audit log keeps them."""

import pytest

from aloi.core.case import Case
from aloi.core.spec import JsonObject
from aloi.service import audit
from aloi.service.changes import brief, record_change
from aloi.service.context import Context

OLD = Case(id="i", key="k", input="x", tags=("a",))
NEW = OLD.model_copy(update={"tags": ("b",), "input": "y" * 501})


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (None, OLD, (None, {"key": "k", "input": "x", "tags": ["a"]})),
        (OLD, None, ({"key": "k", "input": "x", "tags": ["a"]}, None)),
        (OLD, NEW, ({"input": "x", "tags": ["a"]}, {"input": "y" * 499 + "…", "tags": ["b"]})),
    ],
)
async def test_the_fields_that_changed(context: Context, before: Case, after: Case, told: tuple[JsonObject]) -> None:
    async with context.database.transaction() as tx:
        await record_change(context, tx, "case.update", ("i", "data: k"), before, after)
    [entry] = (await audit.listing(context)).items
    assert (entry.before, entry.after) == told
    assert (entry.action, entry.object_kind, entry.object_id, entry.object_name) == (
        "case.update",
        "case",
        "i",
        "data: k",
    )


async def test_no_change_is_no_entry(context: Context) -> None:
    async with context.database.transaction() as tx:
        await record_change(context, tx, "case.update", ("i", "k"), OLD, OLD)
    assert (await audit.listing(context)).total == 0


def test_texts_are_cut_at_any_depth() -> None:
    long = "x" * 501
    cut = "x" * 499 + "…"
    assert brief({"a": [long, {"b": long}], "c": "x" * 500, "d": 1}) == {"a": [cut, {"b": cut}], "c": "x" * 500, "d": 1}
