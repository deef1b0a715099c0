"""Schedules and their firings, as they are stored."""

from datetime import timedelta
from typing import Any

import pytest

from aloi.core.errors import Conflict, NotFound
from aloi.core.run import RunStatus
from aloi.core.schedule import Every, Firing, FiringStatus, Schedule
from aloi.store import firings, runs, schedule_names, schedules
from aloi.store.connection import Connection
from aloi.store.database import Database
from aloi.store.schedules import ScheduleFilter
from tests.store.samples import NOW, a_dataset, a_run, a_version, another_workspace, new_id

MINUTE = timedelta(minutes=1)


async def a_schedule(tx: Connection, name: str = "nightly", **fields: Any) -> Schedule:
    """A stored schedule that is due at `NOW`, of a target of its own name."""
    version = await a_version(tx, f"{name} bot")
    dataset = await a_dataset(tx, f"{name} data")
    made = Schedule.model_validate(
        {
            "id": new_id(), "name": name, "target_id": version.target_id, "target_name": version.target_name,
            "dataset_id": dataset.id, "dataset_name": dataset.name, "start": NOW, "recurrence": Every(n=1, unit="days"),
            "paused": False, "words": f"every day at {NOW:%H:%M}, UTC", "next_at": NOW, "last": None,
            "created_by": "ann", "created_at": NOW, "updated_at": NOW, **fields,
        }
    )  # fmt: skip
    await schedules.create(tx, made)
    return made


def a_firing(schedule: Schedule, number: int = 0, **fields: Any) -> Firing:
    due = NOW + number * MINUTE
    plain = {"id": new_id(), "schedule_id": schedule.id, "due_at": due, "fired_at": due, "run_id": None, "reason": "so"}
    return Firing.model_validate({**plain, "status": FiringStatus.SKIPPED, **fields})


async def test_what_was_stored_comes_back(db: Database) -> None:
    async with db.transaction() as tx:
        made = await a_schedule(tx, "é😀 'x'", end=NOW + timedelta(days=9), zone="UTC")
        assert await schedules.get(tx, made.id) == await schedules.get(tx, made.name) == made
        changed = made.model_copy(update={"name": "other", "paused": True, "next_at": None, "end": None})
        await schedules.update(tx, changed)
        assert await schedules.get(tx, "other") == changed
        with pytest.raises(NotFound):
            await schedules.get(tx, made.name)


async def test_names_and_workspaces(db: Database) -> None:
    elsewhere = await another_workspace(db)
    async with db.transaction() as tx:
        made = await a_schedule(tx)
        with pytest.raises(Conflict, match="nightly"):
            await schedules.create(tx, made.model_copy(update={"id": new_id()}))
    async with elsewhere.transaction() as tx:
        await a_schedule(tx)
        for call in (schedules.get(tx, made.id), schedules.update(tx, made), schedules.delete(tx, made.id)):
            with pytest.raises((NotFound, Conflict)):
                await call
        assert await schedules.count(tx, ScheduleFilter()) == 1
    async with db.read() as rx:
        due = await schedules.due(rx, NOW)
        assert len(due) == 2 and {schedule for _, schedule in due} > {made.id}
        assert await schedules.due(rx, NOW - timedelta(microseconds=1)) == []


async def test_pages_and_filters(db: Database) -> None:
    async with db.transaction() as tx:
        made = [await a_schedule(tx, name) for name in ("one", "two", "three")]
        assert await schedules.page(tx, ScheduleFilter(), 0, 2) == [made[2], made[1]]
        assert await schedules.page(tx, ScheduleFilter(), 2, 2) == [made[0]]
        for wanted, found in (
            (ScheduleFilter(target_id=made[0].target_id), [made[0]]),
            (ScheduleFilter(name="two"), [made[1]]),
            (ScheduleFilter(text="T"), [made[2], made[1], made[0]]),
            (ScheduleFilter(text="THREE"), [made[2]]),
        ):
            assert await schedules.page(tx, wanted, 0, 9) == found
            assert await schedules.count(tx, wanted) == len(found)
        assert await schedule_names.named_on(tx, target_id=made[0].target_id) == ["one"]
        assert await schedule_names.named_on(tx, dataset_id=made[1].dataset_id) == ["two"]


async def test_it_advances_once(db: Database) -> None:
    async with db.transaction() as tx:
        made = await a_schedule(tx)
        assert await schedules.advance(tx, made, NOW + MINUTE)
        assert not await schedules.advance(tx, made, NOW + MINUTE)
        assert not await schedules.advance(tx, made.model_copy(update={"next_at": None}), NOW)
        assert (await schedules.get(tx, made.id)).next_at == NOW + MINUTE
        assert await schedules.advance(tx, made.model_copy(update={"next_at": NOW + MINUTE}), None)
        assert await schedules.due(tx, NOW + timedelta(days=999)) == []


async def test_firings(db: Database) -> None:
    async with db.transaction() as tx:
        made = await a_schedule(tx)
        other = await a_schedule(tx, "other")
        found = [a_firing(made, number) for number in range(3)]
        for firing in (*found, a_firing(other, 9)):
            await firings.insert(tx, firing)
        assert await firings.page(tx, made.id, 0, 2) == [found[2], found[1]]
        assert await firings.count(tx, made.id) == 3
        assert (await schedules.get(tx, made.id)).last == found[2]
    with pytest.raises(Conflict):
        async with db.transaction() as tx:
            await firings.insert(tx, a_firing(made, 1))
    async with db.transaction() as tx:
        await schedules.delete(tx, made.id)
        assert await tx.fetch("SELECT count(*) FROM firings") == [(1,)]


async def test_the_run_of_a_firing(db: Database) -> None:
    async with db.transaction() as tx:
        made = await a_schedule(tx)
    stored = [(await a_run(db)).run for _ in range(3)]
    started = [a_firing(made, number, status=FiringStatus.STARTED, run_id=run.id) for number, run in enumerate(stored)]
    async with db.transaction() as tx:
        for firing in started[:2]:
            await firings.insert(tx, firing)
        await firings.insert(tx, a_firing(made, 5))
        assert await firings.is_going_on(tx, made.id)
        assert await firings.untold(tx, 9) == []
        for run, status in zip(stored, (RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.PENDING), strict=True):
            await runs.set_status(tx, run.id, {RunStatus.PENDING}, status)
        assert not await firings.is_going_on(tx, made.id)
        assert [one.firing_id for one in await firings.untold(tx, 9)] == [started[0].id, started[1].id]
        assert [one.firing_id for one in await firings.untold(tx, 1)] == [started[0].id]
        assert await firings.set_told(tx, started[0].id)
        assert not await firings.set_told(tx, started[0].id)
        assert [one.run_id for one in await firings.untold(tx, 9)] == [stored[1].id]
        assert await firings.completed_before(tx, started[1].id, made.id) == stored[0].id
        assert await firings.completed_before(tx, started[0].id, made.id) is None
        await runs.delete(tx, stored[1].id)
        assert await firings.untold(tx, 9) == []
        assert (await firings.page(tx, made.id, 1, 1))[0].run_id is None
