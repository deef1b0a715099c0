"""Transactions and reads, whatever stands behind them."""

import asyncio

import pytest

from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.store import datasets
from aloi.store.database import Database
from tests.store.samples import OTHER_WORKSPACE, a_dataset, another_workspace


async def names(db: Database) -> list[str]:
    async with db.read() as rx:
        return [entry.dataset.name for entry in await datasets.listing(rx)]


async def test_a_transaction_is_whole_or_not_at_all(db: Database):
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await a_dataset(tx, "lost")
            raise ZeroDivisionError
    async with db.transaction() as tx:
        await a_dataset(tx, "kept")
    assert await names(db) == ["kept"]


async def test_a_view_of_another_workspace_is_the_same_database(db: Database):
    other = await another_workspace(db)
    async with other.transaction() as tx:
        await a_dataset(tx, "theirs")
    async with db.transaction() as tx:
        await a_dataset(tx, "ours")
    await other.close()  # which leaves the database open
    assert (await names(db), await names(other)) == (["ours"], ["theirs"])
    with pytest.raises(InvalidInput, match="not an id"):
        db.in_workspace("other")


async def test_what_is_written_needs_its_workspace(db: Database):
    with pytest.raises(Conflict):
        async with db.in_workspace(OTHER_WORKSPACE).transaction() as tx:
            await a_dataset(tx, "nowhere")


async def test_a_transaction_sees_itself_and_others_do_not_until_it_is_committed(db: Database):
    async with db.transaction() as tx:
        await a_dataset(tx, "new")
        assert await datasets.get(tx, "new")
        assert await names(db) == []
    assert await names(db) == ["new"]


async def test_a_read_is_one_snapshot(db: Database):
    async with db.read() as rx:
        assert await datasets.listing(rx) == []
        async with db.transaction() as tx:
            await a_dataset(tx, "meanwhile")
        with pytest.raises(NotFound):
            await datasets.get(rx, "meanwhile")
    assert await names(db) == ["meanwhile"]


async def test_writers_of_one_process_take_turns(db: Database):
    async def write(number: int) -> None:
        async with db.transaction() as tx:
            await asyncio.sleep(0)
            await a_dataset(tx, f"{number:02}")

    await asyncio.gather(*(write(number) for number in range(20)))
    assert await names(db) == [f"{number:02}" for number in range(20)]


async def test_cancelling_undoes_the_transaction_and_the_next_goes_on(db: Database):
    started = asyncio.Event()

    async def hang() -> None:
        async with db.transaction() as tx:
            await a_dataset(tx, "cancelled")
            started.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hang())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with db.transaction() as tx:
        await a_dataset(tx, "next")
    assert await names(db) == ["next"]


async def test_cancelling_at_any_step_leaves_a_usable_database(db: Database):
    async def write(name: str) -> None:
        async with db.transaction() as tx:
            await a_dataset(tx, name)

    for steps in range(25):
        task = asyncio.create_task(write(f"{steps:02}"))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await write("last")
    assert (await names(db))[-1] == "last"
