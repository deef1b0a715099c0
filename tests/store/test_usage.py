"""What was used, by day, side and model."""

from datetime import date

from aloi.core.access import Workspace
from aloi.core.usage import Usage
from aloi.store import usage, workspaces
from aloi.store.database import Database
from aloi.store.usage import Source
from tests.store.samples import new_id

FIRST, SECOND = date(2026, 2, 28), date(2026, 3, 1)
PRICED = Usage(calls=2, input_tokens=10, output_tokens=5, cost=0.25)
UNPRICED = Usage(calls=1, input_tokens=4, unpriced=1)
UNKNOWN = Usage(calls=3, unpriced=3)


async def test_a_source_said_again_counts_once(db: Database) -> None:
    source = Source(new_id(), None)
    async with db.transaction() as tx:
        await usage.put(tx, source, "target", FIRST, "openai:m", UNPRICED)
        await usage.put(tx, source, "target", SECOND, "openai:m", PRICED)
        await usage.put(tx, source, "judge", FIRST, "openai:j", UNPRICED)
    async with db.read() as rx:
        rows = await usage.by_day(rx, FIRST, SECOND)
    assert rows == [(FIRST, "judge", "openai:j", UNPRICED), (SECOND, "target", "openai:m", PRICED)]


async def test_sums_are_of_what_is_known(db: Database) -> None:
    async with db.transaction() as tx:
        for used in (PRICED, UNPRICED, UNKNOWN):
            await usage.put(tx, Source(new_id(), None), "target", FIRST, "openai:m", used)
        await usage.put(tx, Source(new_id(), None), "target", FIRST, "openai:n", UNKNOWN)
        await usage.put(tx, Source(new_id(), None), "target", FIRST, "openai:o", Usage())
    async with db.read() as rx:
        rows = await usage.by_day(rx, FIRST, FIRST)
    total = Usage(calls=6, input_tokens=14, output_tokens=5, cost=0.25, unpriced=4)
    assert [(row.model, row.usage) for row in rows] == [("openai:m", total), ("openai:n", UNKNOWN)]


async def test_only_the_days_asked_for_of_the_own_workspace(db: Database) -> None:
    other = Workspace(id=new_id(), name="other")
    async with db.transaction() as tx:
        await workspaces.create(tx, other)
        await usage.put(tx, Source(new_id(), None), "target", SECOND, "openai:m", PRICED)
    async with db.read() as rx:
        assert await usage.by_day(rx, FIRST, FIRST) == []
        assert await usage.by_day(rx, date.min, date.max) != []
    async with db.in_workspace(other.id).read() as rx:
        assert await usage.by_day(rx, date.min, date.max) == []
