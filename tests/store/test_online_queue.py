"""Who grades what: claims, budgets, and what ends them."""

from datetime import datetime, timedelta

import pytest

from aloi.core.online_result import OnlineCounts
from aloi.core.online_rule import OnlineRule
from aloi.store import online_figures, online_queue, online_rules
from aloi.store.connection import Connection
from aloi.store.database import Database
from aloi.store.online_queue import Claim, Claimed, Waiting
from tests.store.online import stored_rule
from tests.store.samples import NOW, new_id

AT = NOW.replace(microsecond=0)
LATER = AT + timedelta(minutes=3)


async def wait(tx: Connection, rule: OnlineRule, number: int, due_at: datetime = AT) -> list[str]:
    """Let so many executions wait, of which each came a second after the other; their ids."""
    ids = [new_id() for _ in range(number)]
    waiting = [
        Waiting(rule.id, execution_id, AT - timedelta(hours=1), due_at + timedelta(seconds=place))
        for place, execution_id in enumerate(ids)
    ]
    await online_queue.put(tx, waiting)
    return ids


async def claim(tx: Connection, rule: OnlineRule, at: datetime, most: int = 10) -> list[Claimed]:
    await online_queue.lock(tx)
    return await online_queue.claim(tx, rule, Claim(new_id(), at, at + timedelta(minutes=3)), most)


@pytest.fixture
async def rule(db: Database) -> OnlineRule:
    return await stored_rule(db, most_per_day=5)


async def test_only_what_is_due_is_claimed_the_oldest_first(db: Database, rule: OnlineRule):
    async with db.transaction() as tx:
        ids = await wait(tx, rule, 4)
        found = await claim(tx, rule, AT + timedelta(seconds=2), 2)
        assert [one.execution_id for one in found] == ids[:2]
        assert [one.tries for one in found] == [1, 1]
        assert [one.execution_id for one in await claim(tx, rule, AT + timedelta(seconds=2))] == ids[2:3]
        assert await claim(tx, rule, AT + timedelta(seconds=2)) == []


async def test_a_claim_that_is_over_is_taken_over_and_costs_no_budget(db: Database, rule: OnlineRule):
    async with db.transaction() as tx:
        ids = await wait(tx, rule, 5)
        first = await claim(tx, rule, AT + timedelta(seconds=9))
        again = await claim(tx, rule, AT + timedelta(minutes=4))
        assert [one.execution_id for one in again] == [one.execution_id for one in first] == ids
        assert [one.tries for one in again] == [2] * 5
        assert not await online_queue.finish(tx, first[0]), "who was late has lost it"
        assert await online_queue.finish(tx, again[0])
        assert not await online_queue.finish(tx, again[0])
        assert (await online_rules.used(tx, [rule.id], AT.date()))[rule.id].graded == 5


async def test_what_is_beyond_the_budget_is_left_out_and_counted_by_when_it_began(db: Database, rule: OnlineRule):
    async with db.transaction() as tx:
        await wait(tx, rule, 7)
        assert len(await claim(tx, rule, LATER)) == 5
        assert await claim(tx, rule, LATER) == []
        used = (await online_rules.used(tx, [rule.id], AT.date()))[rule.id]
        assert (used.graded, used.skipped) == (5, 2)
        [(start, counts)] = (await online_figures.between(tx, [rule.id], AT - timedelta(days=1), LATER))[rule.id]
        assert (start, counts.skipped) == (AT - timedelta(hours=1), 2)
        await wait(tx, rule, 1)
        assert len(await claim(tx, rule, AT + timedelta(days=1, minutes=1))) == 6, "five late ones, and a new one"


async def test_what_was_left_out_is_left_out_once_whatever_comes_of_it_later(db: Database, rule: OnlineRule):
    async with db.transaction() as tx:
        ids = await wait(tx, rule, 7)
        assert len(await claim(tx, rule, LATER)) == 5
        for late in (LATER, LATER + timedelta(minutes=5)):
            again = [Waiting(rule.id, execution_id, AT, late) for execution_id in ids[5:]]
            await online_queue.put(tx, again)
            assert (await online_rules.waiting(tx, [rule.id]))[rule.id] == 5
        assert {one.execution_id for one in await claim(tx, rule, LATER + timedelta(minutes=9))} == set(ids[:5])
        assert (await online_rules.used(tx, [rule.id], AT.date()))[rule.id].skipped == 2
        await claim(tx, rule, LATER + timedelta(hours=1))
        left = await tx.fetch("SELECT 1 FROM online_queue")
        assert len(left) == 5, "they are not remembered for ever"


async def test_what_is_put_off_waits_and_what_is_given_back_was_not_tried(db: Database, rule: OnlineRule):
    async with db.transaction() as tx:
        await wait(tx, rule, 2)
        first, second = await claim(tx, rule, AT + timedelta(seconds=5))
        assert await online_queue.put_off(tx, first, LATER)
        await online_queue.give_back(tx, [second], AT)
        [found] = await claim(tx, rule, AT + timedelta(seconds=5))
        assert (found.execution_id, found.tries) == (second.execution_id, 1)
        [found] = await claim(tx, rule, LATER)
        assert (found.execution_id, found.tries) == (first.execution_id, 2)
        assert not await online_queue.put_off(tx, first, LATER)


async def test_what_is_given_back_uses_no_budget_however_often(db: Database, rule: OnlineRule):
    async with db.transaction() as tx:
        await wait(tx, rule, 5)
        for _ in range(3):
            found = await claim(tx, rule, LATER)
            assert len(found) == 5
            await online_queue.give_back(tx, found, AT)
            await online_queue.give_back(tx, found, AT)
        assert (await online_rules.used(tx, [rule.id], AT.date()))[rule.id].graded == 0
        assert len(await claim(tx, rule, LATER)) == 5
        used = (await online_rules.used(tx, [rule.id], AT.date()))[rule.id]
        assert (used.graded, used.skipped) == (5, 0)


async def test_one_that_was_tried_before_keeps_its_place_in_the_budget_when_it_is_given_back(
    db: Database, rule: OnlineRule
):
    async with db.transaction() as tx:
        await wait(tx, rule, 1)
        [first] = await claim(tx, rule, AT)
        await online_queue.put_off(tx, first, AT)
        await online_queue.give_back(tx, await claim(tx, rule, AT), AT)
        [found] = await claim(tx, rule, AT)
        assert found.tries == 2
        assert (await online_rules.used(tx, [rule.id], AT.date()))[rule.id].graded == 1


async def test_once_the_money_is_spent_not_even_what_was_begun_goes_on_until_the_next_day(db: Database):
    rule = await stored_rule(db, cost_per_day=1.0)
    async with db.transaction() as tx:
        [execution_id] = await wait(tx, rule, 1)
        [begun] = await claim(tx, rule, AT)
        await online_queue.put_off(tx, begun, AT)
        await online_figures.count_day(tx, rule.id, AT.date(), cost=1.0)
        await wait(tx, rule, 1)
        assert await claim(tx, rule, AT) == []
        assert await online_queue.due_rules(tx, AT + timedelta(seconds=1), 9) == [], "nothing is looked at all the time"
        tomorrow = AT.replace(hour=0, minute=0, second=0) + timedelta(days=1)
        assert await claim(tx, rule, tomorrow - timedelta(seconds=1)) == []
        assert [one.execution_id for one in await claim(tx, rule, tomorrow)] == [execution_id]
        used = (await online_rules.used(tx, [rule.id], AT.date()))[rule.id]
        assert (used.graded, used.skipped) == (1, 1)


async def test_calls_of_which_no_price_is_known_end_a_budget_in_dollars(db: Database):
    rule, free = await stored_rule(db, cost_per_day=1.0), await stored_rule(db, name="free")
    async with db.transaction() as tx:
        for one in (rule, free):
            await wait(tx, one, 2)
            assert len(await claim(tx, one, AT)) == 1
            await online_figures.count(tx, one.id, AT, OnlineCounts(unpriced=1))
        late = AT + timedelta(seconds=1)
        assert await claim(tx, rule, late) == []
        assert len(await claim(tx, free, late)) == 1
        await wait(tx, rule, 1)
        assert len(await claim(tx, rule, AT + timedelta(days=1))) == 2, "the one that was begun, and a new one"


async def test_an_execution_waits_once_for_a_rule(db: Database, rule: OnlineRule):
    async with db.transaction() as tx:
        [execution_id] = await wait(tx, rule, 1)
        await online_queue.put(tx, [Waiting(rule.id, execution_id, AT, AT - timedelta(days=9))])
        assert (await online_rules.waiting(tx, [rule.id])) == {rule.id: 1}
        assert len(await claim(tx, rule, AT)) == 1


async def test_rules_that_are_due_the_one_that_waits_longest_first(db: Database, rule: OnlineRule):
    other = await stored_rule(db, name="other")
    off = await stored_rule(db, name="off", enabled=False)
    async with db.transaction() as tx:
        await wait(tx, rule, 1, AT)
        await wait(tx, other, 1, AT - timedelta(seconds=1))
        await wait(tx, off, 1, AT - timedelta(seconds=2))
        assert [due.rule.id for due in await online_queue.due_rules(tx, AT, 9)] == [other.id, rule.id]
        assert [due.rule.id for due in await online_queue.due_rules(tx, AT, 1)] == [other.id]
        assert await online_queue.due_rules(tx, AT - timedelta(minutes=1), 9) == []


async def test_a_rule_takes_what_waits_with_it(db: Database, rule: OnlineRule):
    async with db.transaction() as tx:
        await wait(tx, rule, 3)
        await online_rules.delete(tx, rule)
        assert await tx.fetch("SELECT 1 FROM online_queue") == []
