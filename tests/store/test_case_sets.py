"""Several cases at once."""

from collections.abc import Sequence

from aloi.core.case import Case, CaseStatus
from aloi.core.listing import CaseFilter
from aloi.store import case_sets, cases
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import a_dataset, new_id, some_cases

CASES = (
    Case(key="a", input="Où ?", tags=("x", 'say "hi"'), expected_behavior="Tells 100%"),
    Case(key="b", input={"q": "Wo?"}, enabled=False, tags=("xy",)),
    Case(key="c", input="?", status=CaseStatus.DRAFT, expected_output={"city": "Zürich"}),
)


async def ids(tx: Connection, dataset_id: str) -> list[str]:
    return [case.id for case in await cases.listing(tx, dataset_id)]


async def test_filters(db: Database) -> None:
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=CASES)

        async def keys(wanted: CaseFilter, offset: int = 0, limit: int = 9) -> list[str]:
            found = [case.key for case in await case_sets.page(tx, dataset.id, wanted, offset, limit)]
            assert offset or len(found) == min(limit, await case_sets.count(tx, dataset.id, wanted))
            return found

        assert await keys(CaseFilter()) == ["a", "b", "c"]
        assert await keys(CaseFilter(), 1, 1) == ["b"]
        assert await keys(CaseFilter(q="0%")) == ["a"]
        assert await keys(CaseFilter(q="WO?")) == ["b"]
        assert await keys(CaseFilter(q="Zürich")) == ["c"]
        assert await keys(CaseFilter(tag="x")) == ["a"]
        assert await keys(CaseFilter(tag='say "hi"')) == ["a"]
        assert await keys(CaseFilter(enabled=False)) == ["b"]
        assert await keys(CaseFilter(status=CaseStatus.DRAFT)) == ["c"]
        assert await keys(CaseFilter(q="?", enabled=True, status=CaseStatus.READY)) == ["a"]


async def test_changes_of_those_named(db: Database) -> None:
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a", "b", "c"))
        a, b, c = await ids(tx, dataset.id)
        assert await case_sets.keys(tx, dataset.id, [b, a, new_id(), "x"]) == {a: "a", b: "b"}
        await case_sets.switch(tx, dataset.id, [a, b, "x"], enabled=False)
        await case_sets.switch(tx, dataset.id, [b, c], status=CaseStatus.DRAFT)
        found = [(case.enabled, case.status.value) for case in await cases.listing(tx, dataset.id)]
        assert found == [(False, "ready"), (False, "draft"), (True, "draft")]
        await case_sets.delete(tx, dataset.id, [a, a, new_id()])
        assert await ids(tx, dataset.id) == [b, c]


async def test_naming_none_changes_none(db: Database) -> None:
    none: Sequence[str] = []
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a"))
        before = await cases.listing(tx, dataset.id)
        await case_sets.switch(tx, dataset.id, none, enabled=False)
        await case_sets.delete(tx, dataset.id, none)
        assert await case_sets.keys(tx, dataset.id, none) == {}
        assert await cases.listing(tx, dataset.id) == before


async def test_neither_another_dataset_nor_another_workspace(db: Database) -> None:
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a"))
        other = await a_dataset(tx, "other")
        named = await ids(tx, dataset.id)
        await case_sets.delete(tx, other.id, named)
    async with db.in_workspace(new_id()).transaction() as tx:
        await case_sets.delete(tx, dataset.id, named)
        assert await case_sets.page(tx, dataset.id, CaseFilter(), 0, 9) == []
    async with db.read() as rx:
        assert await ids(rx, dataset.id) == named


async def test_which_keys_are_taken(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a", "b"))
        other = await a_dataset(tx, "other", some_cases("c"))
        assert await case_sets.present(tx, dataset.id, ["b", "c", "x"]) == {"b"}
        assert await case_sets.present(tx, other.id, []) == set()
