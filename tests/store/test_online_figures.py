"""The figures of rules by quarter of an hour."""

from datetime import timedelta

from aloi.core.online_result import OnlineCounts
from aloi.store import online_figures
from aloi.store.database import Database
from aloi.store.online_figures import QUARTER, quarter
from tests.store.online import a_rule
from tests.store.samples import NOW, a_version


async def test_figures_add_up_by_quarter_of_an_hour(db: Database) -> None:
    async with db.transaction() as tx:
        rule = await a_rule(tx)
        other = await a_rule(tx, target_id=(await a_version(tx, "other")).target_id)
        start = quarter(NOW)
        first = OnlineCounts(passed=1, judge_variance=0.25, unpriced=1)
        second = OnlineCounts(failed=2, errors=3, skipped=4, gone=5, cost=0.5)
        await online_figures.count(tx, rule.id, start, first)
        await online_figures.count(tx, rule.id, start + QUARTER - timedelta(microseconds=1), second)
        await online_figures.count(tx, rule.id, start + QUARTER, first)
        await online_figures.count(tx, other.id, start, second)
        found = await online_figures.between(tx, [rule.id], start, start + QUARTER)
        assert found == {rule.id: [(start, OnlineCounts(1, 2, 3, 4, 5, 0.25, 0.5, 1))]}
        both = await online_figures.between(tx, [rule.id, other.id], start, start + 2 * QUARTER)
        assert (len(both[rule.id]), len(both[other.id])) == (2, 1)
        assert await online_figures.between(tx, [], start, start) == {}


def test_a_quarter_begins_at_it() -> None:
    assert quarter(NOW).isoformat() == "2026-11-30T12:00:00+00:00"
    assert quarter(NOW + timedelta(minutes=59)) == quarter(NOW) + 3 * QUARTER
