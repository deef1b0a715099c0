"""What is in one workspace is not there for another."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from aloi.core.errors import Conflict, NotFound
from aloi.core.run import RunStatus
from aloi.core.score import Verdict
from aloi.store import (
    cases,
    datasets,
    outcomes,
    result_feed,
    result_pages,
    results,
    runs,
    targets,
)
from aloi.store.codec import pack_id
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, Stored, a_dataset, a_run, a_version, another_workspace, new_id, some_cases

Look = Callable[[Connection, Stored], Awaitable[object]]


async def every_row(rx: Connection, stored: Stored) -> list[object]:
    return [row async for row in result_pages.rows(rx, stored.run.id)]


async def every_result(rx: Connection, stored: Stored) -> list[object]:
    return [result async for result in result_pages.every(rx, stored.run.id)]


async def every_case(rx: Connection, stored: Stored) -> list[object]:
    return [case async for case in cases.every(rx, stored.dataset.id)]


async def one_page(rx: Connection, stored: Stored) -> list[object]:
    page = await result_pages.page(rx, stored.run.id)
    return [*page.results, *range(page.total)]


async def searched_page(rx: Connection, stored: Stored) -> list[object]:
    page = await result_pages.page(rx, stored.run.id, Verdict.PASS, "answer", traces=False)
    return [*page.results, *range(page.total)]


# Each finds something in the workspace of the run, and nothing, or the NotFound, in another.
FOUND: dict[str, Look] = {
    "target by name": lambda rx, s: targets.get(rx, s.version.target_name),
    "target by id": lambda rx, s: targets.get(rx, s.version.target_id),
    "active version": lambda rx, s: targets.version(rx, s.version.target_name),
    "version by number": lambda rx, s: targets.version(rx, s.version.target_id, 1),
    "version by id": lambda rx, s: targets.version_by_id(rx, s.version.id),
    "targets": lambda rx, _: targets.listing(rx),
    "dataset by name": lambda rx, s: datasets.get(rx, s.dataset.name),
    "dataset by id": lambda rx, s: datasets.entry(rx, s.dataset.id),
    "dataset held": lambda rx, s: datasets.hold(rx, s.dataset.id),
    "datasets": lambda rx, _: datasets.listing(rx),
    "case by key": lambda rx, s: cases.get(rx, s.dataset.id, "a"),
    "case by id": lambda rx, s: cases.get(rx, s.dataset.id, s.cases[0].id),
    "cases": every_case,
    "page of cases": lambda rx, s: cases.listing(rx, s.dataset.id),
    "run by id": lambda rx, s: runs.get(rx, s.run.id),
    "run by beginning": lambda rx, s: runs.get(rx, s.run.id[:-1]),
    "latest run": lambda rx, _: runs.get(rx, "latest"),
    "runs": lambda rx, _: runs.listing(rx),
    "runs of a target": lambda rx, s: runs.listing(rx, target_id=s.version.target_id),
    "runs of a dataset": lambda rx, s: runs.listing(rx, dataset_id=s.dataset.id),
    "runs searched": lambda rx, _: runs.listing(rx, text="bot"),
    "number of runs": lambda rx, _: runs.count(rx),
    "places done": lambda rx, s: results.done(rx, s.run.id),
    "progress": lambda rx, s: results.counts(rx, s.run.id),
    "figures": every_row,
    "results": every_result,
    "page of results": one_page,
    "results searched": searched_page,
    "result by key": lambda rx, s: result_pages.one(rx, s.run.id, "a"),
    "result by id": lambda rx, s: result_pages.one(rx, s.run.id, s.cases[0].id),
    "feed": lambda rx, s: result_feed.after(rx, s.run.id, 0),
    "end of the feed": lambda rx, s: result_feed.last_seq(rx, s.run.id),
    "graded executions": lambda rx, s: outcomes.graded(rx, s.run.id),
    "ungraded executions": lambda rx, s: outcomes.ungraded(rx, s.run.id),
}
# Each changes something in the workspace of the run, and nothing in another.
CHANGES: dict[str, Look] = {
    "dataset changed": lambda tx, s: datasets.update(tx, s.dataset.model_copy(update={"name": "stolen"})),
    "dataset deleted": lambda tx, s: datasets.delete(tx, s.dataset.id),
    "cases given": lambda tx, s: cases.upsert_many(tx, s.dataset.id, some_cases("z"), new_id),
    "case changed": lambda tx, s: cases.update(tx, s.dataset.id, s.cases[0].model_copy(update={"name": "stolen"})),
    "case deleted": lambda tx, s: cases.delete(tx, s.dataset.id, s.cases[0].id),
    "status": lambda tx, s: runs.set_status(tx, s.run.id, set(RunStatus), RunStatus.FAILED),
    "lease taken": lambda tx, s: runs.claim(tx, s.run.id, "thief", NOW, NOW, lambda _: True),
    "lease renewed": lambda tx, s: runs.renew(tx, s.run.id, "me", NOW + timedelta(seconds=1)),
    "lease given back": lambda tx, s: runs.release(tx, s.run.id, "me"),
    "run deleted": lambda tx, s: runs.delete(tx, s.run.id),
    "results written": lambda tx, s: results.write(tx, s.run.id, [s.invoked(2)], [s.graded(2)]),
}
TABLES = ("targets", "datasets", "cases", "runs", "executions", "results")


async def written(db: Database) -> Stored:
    """A run that somebody works on, with a result, and an execution that has none yet."""
    stored = await a_run(db)
    async with db.transaction() as tx:
        await runs.claim(tx, stored.run.id, "me", NOW, NOW, lambda _: False)
        await results.write(tx, stored.run.id, [stored.invoked(0), stored.invoked(1)], [stored.graded(0)])
    return stored


async def content(db: Database) -> list[object]:
    async with db.read() as rx:
        return [sorted(await rx.fetch("SELECT * FROM " + table), key=repr) for table in TABLES]


@pytest.mark.parametrize("name", FOUND)
async def test_another_workspace_finds_nothing(db: Database, name: str):
    other, stored = await another_workspace(db), await written(db)
    async with db.transaction() as tx:
        assert await FOUND[name](tx, stored)
    async with other.transaction() as tx:
        try:
            found = await FOUND[name](tx, stored)
        except NotFound:
            found = None
    assert not found


@pytest.mark.parametrize("name", CHANGES)
async def test_another_workspace_changes_nothing(db: Database, name: str):
    other, stored = await another_workspace(db), await written(db)
    before = await content(db)
    try:
        async with other.transaction() as tx:
            await CHANGES[name](tx, stored)
    except NotFound:
        pass
    assert await content(db) == before
    async with db.transaction() as tx:
        await CHANGES[name](tx, stored)
    assert await content(db) != before


async def test_nothing_is_carried_over_from_another_workspace(db: Database):
    other, stored = await another_workspace(db), await written(db)
    theirs = await a_run(other)
    async with other.transaction() as tx:
        assert await results.carry(tx, stored.run.id, theirs.run.id, set(Verdict)) == 0


async def test_each_workspace_has_its_own_names(db: Database):
    other = await another_workspace(db)
    for where in (db, other):
        async with where.transaction() as tx:
            await a_version(tx, "bot")
            await a_dataset(tx, "questions")
    async with db.read() as ours, other.read() as theirs:
        for mine, its in (
            (await targets.get(ours, "bot"), await targets.get(theirs, "bot")),
            (await datasets.get(ours, "questions"), await datasets.get(theirs, "questions")),
        ):
            assert mine.id != its.id
    with pytest.raises(Conflict):
        async with other.transaction() as tx:
            await a_dataset(tx, "questions")


async def test_a_dataset_is_for_a_target_of_its_workspace(db: Database):
    other = await another_workspace(db)
    async with db.transaction() as tx:
        version = await a_version(tx)
        dataset = await a_dataset(tx)
        await datasets.update(tx, dataset.model_copy(update={"target_id": version.target_id}))
        assert (await datasets.get(tx, dataset.id)).target_id == version.target_id
    with pytest.raises(NotFound):
        async with other.transaction() as tx:
            await datasets.create(tx, dataset.model_copy(update={"id": new_id(), "target_id": version.target_id}))
    async with db.transaction() as tx:
        await tx.execute("DELETE FROM target_versions WHERE target_id = ?", (pack_id(version.target_id),))
        await tx.execute("DELETE FROM targets WHERE id = ?", (pack_id(version.target_id),))
        assert (await datasets.get(tx, dataset.id)).target_id is None
