"""Several processes that write to one PostgreSQL database at once, where SQLite lets one write at a time."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from aloi.core.case import Case
from aloi.core.dataset import Dataset
from aloi.core.errors import Conflict, NotFound, StoreUnavailable
from aloi.store import cases, datasets, results, revisions, runs, targets
from aloi.store.database import Database
from tests.store.samples import NOW, a_dataset, a_run, by_id, new_id, some_cases

CONTENDERS = 8


@pytest.fixture
async def db(postgres_url: str) -> AsyncIterator[Database]:
    """A new database, opened."""
    database = await Database.open(postgres_url)
    yield database
    await database.close()


@pytest.fixture
async def others(postgres_url: str, db: Database) -> AsyncIterator[list[Database]]:
    """It, opened several times more, as by other processes."""
    opened = [await Database.open(postgres_url) for _ in range(CONTENDERS)]
    yield opened
    for database in opened:
        await database.close()


async def names(db: Database) -> list[str]:
    async with db.read() as rx:
        return [entry.dataset.name for entry in await datasets.listing(rx)]


async def add(db: Database, name: str) -> None:
    async with db.transaction() as tx:
        await a_dataset(tx, name)


async def test_many_open_an_empty_database_at_once(postgres_url: str):
    async def one_more(number: int) -> None:
        db = await Database.open(postgres_url)
        await add(db, f"dataset {number}")
        await db.close()

    await asyncio.gather(*(one_more(number) for number in range(CONTENDERS)))
    db = await Database.open(postgres_url)
    assert len(await names(db)) == CONTENDERS
    await db.close()


async def test_writers_of_several_processes_do_not_wait_for_each_other(db: Database, others: list[Database]):
    async with db.transaction() as tx:
        await a_dataset(tx, "first")
        await add(others[0], "second")
        assert await names(db) == ["second"]
    assert await names(db) == ["first", "second"]


async def test_who_saves_the_same_dataset_waits_and_then_finds_it(db: Database, others: list[Database]):
    async def save(database: Database, key: str) -> None:
        async with database.transaction() as tx:
            try:
                dataset = await datasets.hold(tx, "shared")
            except NotFound:
                dataset = Dataset(id=new_id(), name="shared", created_at=NOW, updated_at=NOW)
                await datasets.create(tx, dataset)
            await cases.upsert_many(tx, dataset.id, some_cases(key, "common"), new_id)

    await asyncio.gather(*(save(other, f"own {n}") for n, other in enumerate(others)))
    assert await names(db) == ["shared"]
    async with db.read() as rx:
        dataset = await datasets.get(rx, "shared")
        stored = await cases.listing(rx, dataset.id)
        positions = await rx.fetch("SELECT position FROM cases ORDER BY position")
    assert len({case.key for case in stored}) == len(stored) == CONTENDERS + 1
    assert positions == [(n,) for n in range(CONTENDERS + 1)]


async def test_versions_are_numbered_without_gaps_and_twins(db: Database, others: list[Database]):
    async def save(database: Database, number: int) -> int:
        async with database.transaction() as tx:
            target = await targets.ensure(tx, "bot", "openai", new_id, NOW)
            hashed = f"{number % 4:064x}"
            return (await targets.add_version(tx, target, {"n": number % 4}, {}, hashed, new_id, NOW)).number

    numbers = await asyncio.gather(*(save(other, n) for n, other in enumerate(others)))
    assert sorted(set(numbers)) == [1, 2, 3, 4]
    async with db.read() as rx:
        assert (await targets.get(rx, "bot")).versions == 4


async def test_the_same_cases_frozen_in_another_order_do_not_block_each_other(db: Database, others: list[Database]):
    given = [Case(id=new_id(), key=str(n), input=str(n)) for n in range(1200)]

    async def freeze(database: Database, dataset: Dataset, order: int) -> str:
        async with database.transaction() as tx:
            return (await revisions.freeze(tx, dataset, [], by_id(given[::order]), new_id, NOW)).id

    async with db.transaction() as tx:
        one, two = await a_dataset(tx, "one"), await a_dataset(tx, "two")
    work = [freeze(other, two if n % 2 else one, -1 if n % 2 else 1) for n, other in enumerate(others)]
    assert len(set(await asyncio.gather(*work))) == 2


async def test_one_of_many_gets_the_lease_every_time(db: Database, others: list[Database]):
    run_id = (await a_run(db)).run.id

    async def claim(database: Database, owner: str) -> bool:
        async with database.transaction() as tx:
            return await runs.claim(tx, run_id, owner, NOW.replace(year=2027), NOW, lambda _: False) is None

    for _ in range(50):
        won = await asyncio.gather(*(claim(other, f"owner {n}") for n, other in enumerate(others)))
        assert won.count(True) == 1
        async with db.transaction() as tx:
            await runs.release(tx, run_id, f"owner {won.index(True)}")


async def test_what_ends_a_run_waits_for_results_that_are_being_written(db: Database, others: list[Database]):
    stored, late = await a_run(db), others[0]

    async def end() -> None:
        async with late.transaction() as tx:
            done = await runs.set_status(tx, stored.run.id, set(runs.RunStatus), runs.RunStatus.COMPLETED)
            assert done and await results.done(tx, stored.run.id) == {(0, 0)}

    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(0)], [])
        ending = asyncio.create_task(end())
        await asyncio.sleep(0.05)
        assert not ending.done()
        await results.write(tx, stored.run.id, [], [stored.graded(0)])
    await ending
    with pytest.raises(Conflict, match="is completed"):
        async with db.transaction() as tx:
            await results.write(tx, stored.run.id, [stored.invoked(1)], [])


async def test_a_row_that_is_held_too_long_is_told(postgres_url: str, db: Database):
    hasty = await Database.open(postgres_url, lock_seconds=0.05)
    dataset = (await a_run(db)).dataset
    async with db.transaction() as tx:
        await datasets.hold(tx, dataset.id)
        with pytest.raises(StoreUnavailable, match="locked too long by another process"):
            async with hasty.transaction() as other:
                await cases.upsert_many(other, dataset.id, some_cases("x"), new_id)
    await hasty.close()
