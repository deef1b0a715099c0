"""The cases of a dataset."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings

from aloi.core.case import Case, CaseSource, CaseStatus
from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.store import cases
from aloi.store.database import Database
from tests.store.samples import CONTAINS, a_dataset, new_id, some_cases
from tests.store.ugly import CASES, takes

FULL = Case(
    key="full",
    name="A case",
    input={"question": "où ?", "n": 1, "deep": [None, True, 1.5]},
    expected_output=0,
    expected_behavior="It is polite",
    assertions=("says hello", "no lists"),
    evaluators=(CONTAINS.model_copy(update={"weight": 0.0}),),
    criteria={"judge": {"rubric": "r"}},
    tags=("x", "y"),
    enabled=False,
    status=CaseStatus.DRAFT,
    source=CaseSource(kind="execution", execution_id="e"),
)


async def keys(db: Database, dataset_id: str, page: int = 2) -> list[str]:
    async with db.read() as rx:
        return [case.key async for case in cases.every(rx, dataset_id, page)]


async def test_a_case_comes_back_as_it_was_with_an_id(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=[FULL])
        stored = await cases.get(tx, dataset.id, "full")
        assert stored.id and stored.model_copy(update={"id": ""}) == FULL
        assert await cases.get(tx, dataset.id, stored.id) == stored
        with pytest.raises(NotFound, match="no case 'other'"):
            await cases.get(tx, dataset.id, "other")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=CASES)
async def test_any_text_round_trips(db: Database, case: Case):
    async with db.read() as rx:
        if not takes(rx, case.key):
            return
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, new_id(), [case])
        stored = [found async for found in cases.every(tx, dataset.id)]
    assert [found.model_copy(update={"id": ""}) for found in stored] == [case]


async def test_the_order_given_is_the_order_over_pages(db: Database):
    async def later() -> AsyncIterator[Case]:
        for case in some_cases(*(f"{n % 7}-{n}" for n in range(1201))):
            yield case

    async with db.transaction() as tx:
        dataset = await a_dataset(tx)
        assert await cases.upsert_many(tx, dataset.id, later(), new_id) == 1201
    assert await keys(db, dataset.id, page=500) == [f"{n % 7}-{n}" for n in range(1201)]
    async with db.read() as rx:
        assert [case.key for case in await cases.listing(rx, dataset.id, 1199, 5)] == ["2-1199", "3-1200"]


async def test_a_known_key_keeps_its_id_and_its_place(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a", "b"))
        before = await cases.get(tx, dataset.id, "a")
        await cases.upsert_many(tx, dataset.id, [*some_cases("new"), Case(key="a", input="changed")], new_id)
        after = await cases.get(tx, dataset.id, "a")
    assert (after.id, after.input) == (before.id, "changed")
    assert await keys(db, dataset.id) == ["a", "b", "new"]


@pytest.mark.parametrize("replace", [True, False])
async def test_batches_come_by_the_ids_under_which_they_are_stored(db: Database, replace: bool):
    given = some_cases("b", "a", "c")
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a"))
        known = (await cases.get(tx, dataset.id, "a")).id
        batches = [batch async for batch in cases.stored(tx, dataset.id, given, new_id, replace)]
        pages = [page async for page in cases.pages(tx, dataset.id, 2)]
    assert [[*batch.values()] for batch in batches] == [given]
    assert [len(page) for page in pages] == [2, 1]
    stored = {case_id: case.key for page in pages for case_id, case in page.items()}
    assert {case_id: case.key for case_id, case in batches[0].items()} == stored
    assert stored[known] == "a" and all(case.id == case_id for page in pages for case_id, case in page.items())


async def test_replacing_drops_what_is_not_given_and_reorders(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a", "b", "c"))
        before = await cases.get(tx, dataset.id, "c")
        await cases.upsert_many(tx, dataset.id, some_cases("c", "d", "a"), new_id, replace=True)
        assert (await cases.get(tx, dataset.id, "c")).id == before.id
    assert await keys(db, dataset.id) == ["c", "d", "a"]


async def test_more_than_can_be_saved_at_once_stores_nothing(db: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cases, "MOST_CASES", 2)
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a", "b"))
    with pytest.raises(InvalidInput, match="at most 2 cases"):
        async with db.transaction() as tx:
            await cases.upsert_many(tx, dataset.id, some_cases("x", "y", "z"), new_id)
    assert await keys(db, dataset.id) == ["a", "b"]


@pytest.mark.parametrize("replace", [True, False])
async def test_a_key_given_twice_stores_nothing(db: Database, replace: bool):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a"))
    with pytest.raises(InvalidInput, match="case 3: the key 'x' is used twice"):
        async with db.transaction() as tx:
            await cases.upsert_many(tx, dataset.id, some_cases("x", "y", "x"), new_id, replace=replace)
    assert await keys(db, dataset.id) == ["a"]


async def test_cases_need_their_dataset(db: Database):
    async with db.transaction() as tx:
        with pytest.raises(NotFound, match="no dataset"):
            await cases.upsert_many(tx, new_id(), some_cases("a"), new_id)


async def test_a_lone_surrogate_is_refused_with_the_case_named(db: Database):
    with pytest.raises(InvalidInput, match=r"case 'bad' cannot be stored.*lone surrogates"):
        async with db.transaction() as tx:
            await a_dataset(tx, given=[*some_cases("a"), FULL.model_copy(update={"key": "bad", "name": "\ud800"})])


async def test_one_case_is_updated_and_deleted(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a", "b"))
        case = await cases.get(tx, dataset.id, "a")
        changed = FULL.model_copy(update={"id": case.id, "key": "z"})
        await cases.update(tx, dataset.id, changed)
        assert await cases.get(tx, dataset.id, "z") == changed
        with pytest.raises(Conflict, match="'b' already"):
            await cases.update(tx, dataset.id, changed.model_copy(update={"key": "b"}))
        with pytest.raises(NotFound):
            await cases.update(tx, dataset.id, changed.model_copy(update={"id": new_id(), "key": "other"}))
        await cases.delete(tx, dataset.id, case.id)
        with pytest.raises(NotFound):
            await cases.delete(tx, dataset.id, case.id)
    assert await keys(db, dataset.id) == ["b"]


async def test_one_case_is_added_behind_the_others(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("b", "c"))
        added = FULL.model_copy(update={"id": new_id(), "key": "a"})
        await cases.insert(tx, dataset.id, added)
        assert await cases.by_id(tx, dataset.id, added.id) == added
        with pytest.raises(Conflict, match="'b' already"):
            await cases.insert(tx, dataset.id, added.model_copy(update={"id": new_id(), "key": "b"}))
        with pytest.raises(NotFound, match="no dataset"):
            await cases.insert(tx, new_id(), added)
        for absent in ("a", "x", new_id()):
            with pytest.raises(NotFound):
                await cases.by_id(tx, dataset.id, absent)
    assert await keys(db, dataset.id) == ["b", "c", "a"]
