"""Pages of datasets."""

from datetime import timedelta

from aloi.core.listing import DatasetFilter
from aloi.core.run import RunStatus
from aloi.store import cases, dataset_pages, datasets, runs
from aloi.store.database import Database
from tests.store.samples import NOW, a_dataset, a_run, new_id, some_cases


async def names(db: Database, wanted: DatasetFilter, offset: int = 0, limit: int = 9) -> list[str]:
    async with db.read() as rx:
        found = [entry.name for entry in await dataset_pages.page(rx, wanted, offset, limit)]
        assert offset or len(found) == min(limit, await dataset_pages.count(rx, wanted))
    return found


async def test_the_last_changed_first(db: Database) -> None:
    async with db.transaction() as tx:
        first = await a_dataset(tx, "50% off")
        await a_dataset(tx, "500 off", some_cases("a"))
        await a_dataset(tx, "other")
        await datasets.touch(tx, first.id, NOW + timedelta(seconds=1))
    assert await names(db, DatasetFilter()) == ["50% off", "other", "500 off"]
    assert await names(db, DatasetFilter(), 1, 1) == ["other"]
    assert await names(db, DatasetFilter(q="50%")) == ["50% off"]
    assert await names(db, DatasetFilter(q="OFF")) == ["50% off", "500 off"]
    assert await names(db, DatasetFilter(name="other")) == ["other"]
    assert await names(db, DatasetFilter(target_id=new_id())) == []


async def test_what_an_entry_tells(db: Database) -> None:
    async with db.transaction() as tx:
        drafts = await a_dataset(tx, "drafts", [case.model_copy(update={"enabled": False}) for case in some_cases("a")])
    stored = await a_run(db)
    async with db.read() as rx:
        [ran] = await dataset_pages.page(rx, DatasetFilter(name=stored.dataset.name), 0, 9)
        [draft] = await dataset_pages.page(rx, DatasetFilter(name="drafts"), 0, 9)
    assert (ran.case_count, ran.runnable, ran.evaluator_count) == (3, True, 1)
    assert ran.last_run is not None
    assert (ran.last_run.id, ran.last_run.status, ran.last_run.passed) == (stored.run.id, RunStatus.PENDING, None)
    assert (draft.id, draft.case_count, draft.runnable, draft.last_run) == (drafts.id, 1, False, None)


async def test_the_newest_run_is_told(db: Database) -> None:
    stored = await a_run(db)
    newer = stored.run.model_copy(update={"id": new_id(), "created_at": NOW + timedelta(seconds=1)})
    async with db.transaction() as tx:
        await runs.insert(tx, newer)
        [entry] = await dataset_pages.page(tx, DatasetFilter(), 0, 9)
        assert entry.last_run is not None and entry.last_run.id == newer.id
        await cases.upsert_many(tx, stored.dataset.id, [], new_id, replace=True)
        [entry] = await dataset_pages.page(tx, DatasetFilter(), 0, 9)
    assert (entry.case_count, entry.runnable) == (0, False)


async def test_another_workspace_sees_none(db: Database) -> None:
    await a_run(db)
    assert await names(db.in_workspace(new_id()), DatasetFilter()) == []
