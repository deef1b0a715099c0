"""Writing the audit log."""

import pytest

from aloi.core.errors import Conflict
from aloi.service import audit
from aloi.service.clock import now
from aloi.service.context import Context


async def test_an_entry_names_who_acts(context: Context) -> None:
    began = now()
    ann = context.acting_as(context.principal.model_copy(update={"name": "ann@example.org"}))
    for acting in (context, ann):
        async with acting.database.transaction() as tx:
            await audit.record(acting, tx, action="thing.add", kind="thing", id="7", name="T", after={"a": 1})
    first, second = (await audit.listing(context)).items
    assert (first.actor, second.actor) == ("ann@example.org", "local")
    assert (first.action, first.object_kind, first.object_id, first.object_name) == ("thing.add", "thing", "7", "T")
    assert (first.before, first.after) == (None, {"a": 1})
    assert began <= second.at <= first.at <= now()


async def test_what_is_undone_leaves_no_entry(context: Context) -> None:
    with pytest.raises(Conflict):
        async with context.database.transaction() as tx:
            await audit.record(context, tx, action="thing.add", kind="thing", id="7", name="T")
            raise Conflict("no")
    assert (await audit.listing(context)).total == 0


async def test_pages_and_filters_are_passed_on(context: Context) -> None:
    for number in range(3):
        async with context.database.transaction() as tx:
            await audit.record(context, tx, action=f"thing.{number}", kind="thing", id="7", name=f"T{number}")
    page = await audit.listing(context, page=2, size=2)
    assert ([entry.object_name for entry in page.items], page.total) == (["T0"], 3)
    assert (await audit.listing(context, q="t1")).total == 1
    assert (await audit.listing(context, action="thing.2")).total == 1
