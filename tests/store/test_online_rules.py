"""Rules, as they are stored."""

import pytest

from aloi.core.errors import Conflict, NotFound
from aloi.core.online_rule import BudgetUse, OnlineFilters
from aloi.store import datasets, online_figures, online_rules
from aloi.store.database import Database
from tests.store.online import a_rule
from tests.store.samples import NOW, a_dataset, a_version, another_workspace, new_id


async def test_what_was_stored_comes_back(db: Database) -> None:
    async with db.transaction() as tx:
        dataset = await a_dataset(tx)
        filters = OnlineFilters(status="ok", text="é😀", version=1, min_seconds=0.5)
        made = await a_rule(tx, "é😀 'x'", filters=filters, share=0.1, cost_per_day=0.25, drafts_dataset_id=dataset.id)
        named = made.model_copy(update={"drafts_dataset_name": dataset.name})
        found = [await online_rules.get(tx, made.target_id, ref) for ref in (made.id, made.name)]
        assert found == [named, named]
        changed = named.model_copy(update={"name": "other", "enabled": False, "filters": OnlineFilters()})
        await online_rules.update(tx, changed)
        assert await online_rules.get(tx, made.target_id, "other") == changed
        with pytest.raises(NotFound):
            await online_rules.get(tx, made.target_id, made.name)


async def test_names_are_those_of_a_target_and_rules_those_of_a_workspace(db: Database) -> None:
    elsewhere = await another_workspace(db)
    async with db.transaction() as tx:
        made = await a_rule(tx)
        with pytest.raises(Conflict, match="already"):
            await a_rule(tx, target_id=made.target_id)
        other = (await a_version(tx, "other bot")).target_id
        await a_rule(tx, target_id=other)
        assert await online_rules.count(tx, other, "") == 1
    async with elsewhere.read() as rx:
        with pytest.raises(NotFound):
            await online_rules.get(rx, made.target_id, made.id)
        assert await online_rules.page(rx, made.target_id, "", 0, 9) == []


async def test_what_decides_of_a_sample_is_read_of_enabled_rules_alone(db: Database) -> None:
    async with db.transaction() as tx:
        version = await a_version(tx)
        target_id = version.target_id
        await a_rule(tx, "off", target_id=target_id, enabled=False)
        every = await a_rule(tx, "every", target_id=target_id, share=0.5)
        one = await a_rule(tx, "one", target_id=target_id, filters=OnlineFilters(version=version.number))
        gone = await a_rule(tx, "gone", target_id=target_id, filters=OnlineFilters(version=99))
        found = {rule.rule_id: rule for rule in await online_rules.sampling(tx, [target_id, new_id()])}
        assert found.keys() == {every.id, one.id, gone.id}
        assert (found[every.id].share, found[every.id].version_id) == (0.5, None)
        assert (found[one.id].version_id, found[gone.id].version_id) == (version.id, None)


async def test_what_a_day_used(db: Database) -> None:
    async with db.transaction() as tx:
        rule = await a_rule(tx)
        for cost in (None, 0.5, None, 0.25):
            await online_figures.count_day(tx, rule.id, NOW.date(), graded=1, skipped=2, cost=cost)
        used = await online_rules.used(tx, [rule.id, new_id()], NOW.date())
        assert used == {rule.id: BudgetUse(graded=4, skipped=8, cost=0.75)}


async def test_the_rules_that_use_a_saved_evaluator(db: Database) -> None:
    async with db.transaction() as tx:
        saved = {"name": "greets", "spec": {"kind": "contains", "text": "hello"}, "evaluator_id": new_id()}
        await a_rule(tx, evaluators=[saved])
        await a_rule(tx, "other", target_id=(await a_version(tx, "other")).target_id)
        assert await online_rules.names_binding(tx, str(saved["evaluator_id"])) == ["rule"]
        assert await online_rules.names_binding(tx, new_id()) == []


async def test_a_dataset_that_goes_is_forgotten(db: Database) -> None:
    async with db.transaction() as tx:
        dataset = await a_dataset(tx)
        made = await a_rule(tx, drafts_dataset_id=dataset.id)
        await datasets.delete(tx, dataset.id)
        assert (await online_rules.get(tx, made.target_id, made.id)).drafts_dataset_id is None
