"""Datasets."""

from datetime import timedelta

import pytest

from aloi.core.dataset import Dataset
from aloi.core.errors import Conflict, NotFound
from aloi.store import cases, datasets
from aloi.store.database import Database
from tests.store.samples import CONTAINS, NOW, a_dataset, a_version, new_id, some_cases


async def test_a_dataset_comes_back_as_it_was_by_name_and_by_id(db: Database):
    dataset = Dataset(
        id=new_id(),
        name="Fragen ü",
        description="two\nlines",
        judge_samples=3,
        bindings=(CONTAINS,),
        created_at=NOW,
        updated_at=NOW,
    )
    async with db.transaction() as tx:
        await datasets.create(tx, dataset)
    async with db.read() as rx:
        assert await datasets.get(rx, "Fragen ü") == dataset
        assert await datasets.get(rx, dataset.id) == dataset
        with pytest.raises(NotFound, match="no dataset 'other'"):
            await datasets.get(rx, "other")


async def test_names_are_unique(db: Database):
    async with db.transaction() as tx:
        first = await a_dataset(tx, "one")
        second = await a_dataset(tx, "two")
        with pytest.raises(Conflict, match="'one' already"):
            await datasets.create(tx, first.model_copy(update={"id": new_id()}))
        with pytest.raises(Conflict, match="'one' already"):
            await datasets.update(tx, second.model_copy(update={"name": "one"}))


async def test_an_update_replaces_all_of_it(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx)
        changed = dataset.model_copy(update={"name": "new", "judge_samples": 5, "bindings": ()})
        await datasets.update(tx, changed)
        assert await datasets.get(tx, "new") == changed
        with pytest.raises(NotFound):
            await datasets.update(tx, dataset.model_copy(update={"id": new_id(), "name": "x"}))


async def test_the_list_counts_the_cases(db: Database):
    async with db.transaction() as tx:
        await a_dataset(tx, "b", some_cases("1", "2"))
        await a_dataset(tx, "a")
        assert [(entry.dataset.name, entry.cases) for entry in await datasets.listing(tx)] == [("a", 0), ("b", 2)]


async def test_deleting_takes_the_cases_along(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, "a", some_cases("1"))
        await datasets.delete(tx, dataset.id)
        assert await cases.listing(tx, dataset.id) == []
        with pytest.raises(NotFound):
            await datasets.delete(tx, dataset.id)


async def test_an_id_is_no_name(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, "a")
        shadow = await a_dataset(tx, dataset.id)
        assert await datasets.by_id(tx, dataset.id) == dataset
        assert await datasets.hold_by_id(tx, dataset.id) == dataset
        assert await datasets.get(tx, dataset.id) == dataset  # nobody stands in its place by taking its id for a name
        assert await datasets.hold(tx, dataset.id) == dataset
        assert await datasets.get(tx, shadow.id) == shadow
        for absent in ("a", "x", new_id()):
            with pytest.raises(NotFound):
                await datasets.by_id(tx, absent)


async def test_a_change_of_its_cases_is_noted(db: Database):
    later = NOW + timedelta(seconds=1)
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, "a")
        await datasets.touch(tx, dataset.id, later)
        assert await datasets.get(tx, "a") == dataset.model_copy(update={"updated_at": later})


async def test_of_a_target_the_oldest_first(db: Database):
    async with db.transaction() as tx:
        target_id = (await a_version(tx)).target_id
        for days, name in ((2, "b"), (1, "c"), (1, "a")):
            at = NOW + timedelta(days=days)
            own = None if name == "a" else target_id
            await datasets.create(tx, Dataset(id=new_id(), name=name, target_id=own, created_at=at, updated_at=NOW))
        assert [dataset.name for dataset in await datasets.of_target(tx, target_id)] == ["c", "b"]
        assert await datasets.of_target(tx, new_id()) == []
        assert await datasets.names(tx) == {"a", "b", "c"}
