"""Traces that invocations of ours are sent with."""

from datetime import UTC, datetime, timedelta

from aloi.store import expected
from aloi.store.database import Database

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
ONE, OTHER = "ab" * 16, "cd" * 16


async def test_what_is_expected_and_until_when(db: Database):
    async with db.transaction() as tx:
        await expected.expect(tx, ONE, AT)
    async with db.read() as rx:
        assert await expected.until(rx, [ONE, OTHER]) == {ONE: AT}
        assert await expected.until(rx, []) == {}


async def test_what_was_expected_long_ago_is_forgotten(db: Database):
    async with db.transaction() as tx:
        await expected.expect(tx, ONE, AT)
        await expected.expect(tx, OTHER, AT + timedelta(hours=1))
        await expected.forget(tx, AT + timedelta(minutes=1))
    async with db.read() as rx:
        assert set(await expected.until(rx, [ONE, OTHER])) == {OTHER}
