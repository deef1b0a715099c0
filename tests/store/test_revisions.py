"""What runs froze."""

import pytest
from hypothesis import HealthCheck, given, settings
from pydantic import TypeAdapter

from aloi.core.case import CONTENT, Case, CaseStatus
from aloi.core.dataset import Dataset, DatasetRevision, case_hash, revision_hash
from aloi.core.errors import InvalidInput, NotFound
from aloi.core.simulation import Simulations
from aloi.store import cases, datasets, revisions
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import CONTAINS, NOW, a_dataset, by_id, new_id, some_cases
from tests.store.ugly import CASES, takes


async def freeze(tx: Connection, dataset: Dataset) -> DatasetRevision:
    return await revisions.freeze(tx, dataset, dataset.bindings, cases.pages(tx, dataset.id), new_id, NOW)


async def count(db: Database, table: str) -> int:
    async with db.read() as rx:
        row = await rx.fetch_one(f"SELECT count(*) FROM {table}")
    assert row is not None
    return row[0]


async def test_a_revision_holds_the_cases_that_run_in_order(db: Database):
    given = [*some_cases("a", "b"), Case(key="off", input="x", enabled=False), *some_cases("c")]
    given.append(Case(key="draft", input="x", status=CaseStatus.DRAFT))
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=given)
        revision = await freeze(tx, dataset)
        stored = [case async for case in cases.every(tx, dataset.id) if case.runs]
        assert (revision.case_count, revision.bindings) == (3, (CONTAINS,))
        assert revision.content_hash == revision_hash(map(case_hash, stored), [CONTAINS])
        assert await revisions.get(tx, revision.id) == revision
        assert await revisions.cases(tx, revision.id) == list(enumerate(stored))
        assert await revisions.cases(tx, revision.id, after_position=0, limit=1) == [(1, stored[1])]
        assert await revisions.cases(tx, revision.id, after_position=2) == []


async def test_an_equal_revision_is_shared(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a", "b"))
        first = await freeze(tx, dataset)
        case = await cases.get(tx, dataset.id, "a")
        await cases.update(tx, dataset.id, case.model_copy(update={"name": "renamed", "tags": ()}))
        assert await freeze(tx, dataset) == first
        weighted = [CONTAINS.model_copy(update={"weight": 2.0})]
        other = await revisions.freeze(tx, dataset, weighted, cases.pages(tx, dataset.id), new_id, NOW)
        assert other.id != first.id
    assert (await count(db, "dataset_revisions"), await count(db, "case_snapshots")) == (2, 2)


async def test_snapshots_are_shared_by_datasets(db: Database):
    async with db.transaction() as tx:
        await freeze(tx, await a_dataset(tx, "one", some_cases("a", "b")))
        await freeze(tx, await a_dataset(tx, "two", some_cases("b", "c")))
    assert (await count(db, "dataset_revisions"), await count(db, "case_snapshots")) == (2, 3)


async def test_editing_and_deleting_change_nothing_of_a_revision(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases("a", "b"))
        revision = await freeze(tx, dataset)
        frozen = await revisions.cases(tx, revision.id)
        case = await cases.get(tx, dataset.id, "a")
        await cases.update(tx, dataset.id, case.model_copy(update={"input": "changed", "name": "changed"}))
        assert (await freeze(tx, dataset)).id != revision.id
        await datasets.delete(tx, dataset.id)
        assert await revisions.cases(tx, revision.id) == frozen
        assert await revisions.get(tx, revision.id) == revision


async def test_a_lone_surrogate_is_refused(db: Database):
    bad = some_cases("a")[0].model_copy(update={"id": new_id(), "input": "\udfff"})
    with pytest.raises(InvalidInput, match="case 'a' cannot be stored"):
        async with db.transaction() as tx:
            await revisions.freeze(tx, await a_dataset(tx), [], by_id([bad]), new_id, NOW)
    assert await count(db, "case_snapshots") == 0


async def test_more_cases_than_a_page(db: Database):
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=some_cases(*map(str, range(1200))))
        revision = await freeze(tx, dataset)
        first = await revisions.cases(tx, revision.id, limit=1000)
        rest = await revisions.cases(tx, revision.id, after_position=first[-1][0], limit=1000)
    assert [case.key for _, case in first + rest] == [str(n) for n in range(1200)]


async def test_a_revision_that_is_not_there(db: Database):
    async with db.read() as rx:
        with pytest.raises(NotFound, match="no dataset revision"):
            await revisions.get(rx, new_id())


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=CASES)
async def test_any_content_round_trips(db: Database, case: Case):
    running = case.model_copy(update={"id": new_id(), "enabled": True})
    async with db.read() as rx:
        if not takes(rx, case.key, case.name):
            return
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, new_id())
        revision = await revisions.freeze(tx, dataset, [], by_id([running]), new_id, NOW)
        [(position, found)] = await revisions.cases(tx, revision.id)
    kept = {*CONTENT, "id", "name", "tags"}
    assert position == 0 and found.model_dump(include=kept) == running.model_dump(include=kept)


SIMULATED = TypeAdapter[Simulations](Simulations).validate_python(
    {
        "lookup": {"kind": "static", "answers": [{"output": None, "when": [{"path": "$.id", "equals": None}]}]},
        "mail": {"kind": "generated", "description": "Ça part."},
    }
)


async def test_simulations_are_frozen_with_the_cases(db: Database):
    async with db.transaction() as tx:
        plain = await a_dataset(tx, given=some_cases("a"))
        case = await cases.get(tx, plain.id, "a")
        await cases.update(tx, plain.id, case.model_copy(update={"simulations": SIMULATED}))
        dataset = plain.model_copy(update={"simulations": SIMULATED})
        await datasets.update(tx, dataset)
        assert (await datasets.get(tx, dataset.id)).simulations == SIMULATED
        assert (await cases.get(tx, dataset.id, "a")).simulations == SIMULATED
        revision = await freeze(tx, dataset)
        assert await freeze(tx, await datasets.get(tx, dataset.id)) == revision
        assert (await freeze(tx, plain)).id != revision.id
        await datasets.update(tx, plain)
        assert (await revisions.get(tx, revision.id)).simulations == SIMULATED
        assert (await revisions.case(tx, revision.id, "a")).simulations == SIMULATED
