"""Saved evaluators in the database."""

import pytest

from aloi.core.binding import Binding
from aloi.core.dataset import Dataset
from aloi.core.errors import Conflict, NotFound
from aloi.core.listing import EvaluatorFilter
from aloi.core.saved_evaluator import SavedEvaluator
from aloi.store import datasets, evaluators, targets
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import CONTAINS, NOW, a_version, new_id


def made(name: str = "capital", kind: str = "contains", **fields: object) -> SavedEvaluator:
    given = {"id": new_id(), "name": name, "spec": {"kind": kind}, "created_at": NOW, "updated_at": NOW}
    return SavedEvaluator.model_validate({**given, **fields})


async def bind(tx: Connection, name: str, *saved: SavedEvaluator) -> Dataset:
    bindings = tuple(Binding(name=one.name, spec=one.spec, evaluator_id=one.id) for one in saved)
    dataset = Dataset(id=new_id(), name=name, bindings=(CONTAINS, *bindings), created_at=NOW, updated_at=NOW)
    await datasets.create(tx, dataset)
    return dataset


async def test_stored_changed_deleted(db: Database) -> None:
    saved = made(description="Knows it")
    async with db.transaction() as tx:
        await evaluators.create(tx, saved)
    async with db.transaction() as tx:
        assert await evaluators.get(tx, saved.id) == saved
        changed = made("city", "regex", id=saved.id)
        await evaluators.update(tx, changed)
        assert await evaluators.get(tx, saved.id) == changed
        await evaluators.delete(tx, saved.id)
        for absent in (saved.id, "x"):
            with pytest.raises(NotFound):
                await evaluators.get(tx, absent)
        with pytest.raises(NotFound):
            await evaluators.delete(tx, saved.id)
        with pytest.raises(NotFound):
            await evaluators.update(tx, saved)


async def test_a_name_is_unique(db: Database) -> None:
    async with db.transaction() as tx:
        await evaluators.create(tx, made("a"))
        other = made("b")
        await evaluators.create(tx, other)
        with pytest.raises(Conflict, match="'a'"):
            await evaluators.create(tx, made("a"))
        with pytest.raises(Conflict, match="'a'"):
            await evaluators.update(tx, made("a", id=other.id))


async def test_who_binds_it(db: Database) -> None:
    first, second = made("first"), made("second")
    async with db.transaction() as tx:
        await evaluators.lock(tx)
        for saved in (first, second):
            await evaluators.create(tx, saved)
        both = await bind(tx, "both", first, second)
        one = await bind(tx, "a one", first)
        await bind(tx, "none")
        assert (await evaluators.get(tx, first.id)).datasets == 2
        assert (await evaluators.get(tx, second.id)).datasets == 1
        assert await datasets.binding(tx, first.id) == [one, both]
        assert await datasets.binding(tx, new_id()) == []


async def test_pages(db: Database) -> None:
    async with db.transaction() as tx:
        for name, kind in (("a_1", "contains"), ("ab1", "regex"), ("c", "contains")):
            await evaluators.create(tx, made(name, kind))

        async def names(wanted: EvaluatorFilter, offset: int = 0, limit: int = 9) -> list[str]:
            return [saved.name for saved in await evaluators.page(tx, wanted, offset, limit)]

        assert await names(EvaluatorFilter()) == ["c", "ab1", "a_1"]
        assert await names(EvaluatorFilter(), 1, 1) == ["ab1"]
        assert await names(EvaluatorFilter(q="A_")) == ["a_1"]
        assert await names(EvaluatorFilter(kind="contains")) == ["c", "a_1"]
        assert await evaluators.count(tx, EvaluatorFilter(kind="contains")) == 2
        assert await evaluators.count(tx, EvaluatorFilter()) == 3


async def test_another_workspace_sees_none(db: Database) -> None:
    saved = made()
    async with db.transaction() as tx:
        await evaluators.create(tx, saved)
        bound = await bind(tx, "bound", saved)
    async with db.in_workspace(new_id()).read() as rx:
        assert await evaluators.page(rx, EvaluatorFilter(), 0, 9) == []
        assert await evaluators.count(rx, EvaluatorFilter()) == 0
        assert await datasets.binding(rx, saved.id) == []
        with pytest.raises(NotFound):
            await evaluators.get(rx, saved.id)
        with pytest.raises(NotFound):
            await datasets.by_id(rx, bound.id)


async def test_those_of_a_target(db: Database) -> None:
    """Its own, and what one of its datasets binds."""
    async with db.transaction() as tx:
        bot, other = await a_version(tx, "bot"), await a_version(tx, "other")
        mine, bound, foreign = made("mine", target_id=bot.target_id), made("bound"), made("foreign")
        for saved in (mine, bound, foreign, made("free")):
            await evaluators.create(tx, saved)
        for name, saved, version in (("data", bound, bot), ("more", foreign, other)):
            dataset = await bind(tx, name, saved)
            await datasets.update(tx, dataset.model_copy(update={"target_id": version.target_id}))

        async def names(target_id: str) -> set[str]:
            wanted = EvaluatorFilter(target_id=target_id)
            found = {saved.name for saved in await evaluators.page(tx, wanted, 0, 9)}
            assert await evaluators.count(tx, wanted) == len(found)
            return found

        assert await names(bot.target_id) == {"mine", "bound"}
        assert await names(other.target_id) == {"foreign"}
        assert await names(new_id()) == await names("x") == set()
        assert await evaluators.names(tx) == {"mine", "bound", "foreign", "free"}


async def test_it_outlives_its_target(db: Database) -> None:
    async with db.transaction() as tx:
        version = await a_version(tx)
        saved = made(target_id=version.target_id, version=4)
        await evaluators.create(tx, saved)
        await targets.delete(tx, version.target_id)
        assert await evaluators.get(tx, saved.id) == saved.model_copy(update={"target_id": None})
        with pytest.raises(NotFound, match="no target"):
            await evaluators.update(tx, saved)
