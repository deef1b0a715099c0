"""Firings: exactly one each, of the active version, over the dataset as it is, whatever happens meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from aloi.core.access import LOCAL, Workspace
from aloi.core.errors import Conflict, NotFound
from aloi.core.run import RunStatus
from aloi.core.schedule import FiringStatus
from aloi.service import audit, pickup, run_views, runs, targets, versions
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.service.scheduling import notices, scheduler, schedules
from aloi.service.scheduling.notices import NoticeFilter
from aloi.service.scheduling.scheduler import fire_due, look_after_schedules
from aloi.settings import Settings
from aloi.store import workspaces
from aloi.targets.agent import Agent
from aloi.targets.python import Python
from tests.service.schedules_there import MINUTE, START, all_firings, fields_of, fire, run_of, scheduled
from tests.service.started_runs import Gate, prompts, save


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[Context]:
    """A server's context."""
    opened = await Context.open(Settings(home=tmp_path), {}, served=True)
    yield opened
    await opened.close()


def answer_fine(_: object) -> str:
    """Another target."""
    return "ok, fine"


async def test_it_fires_when_it_is_due_and_no_earlier(context: Context) -> None:
    made = await scheduled(context)
    assert made.next_at == START
    assert await fire_due(context, START - timedelta(microseconds=1)) == []
    firing = await fire(context, START)
    assert (firing.due_at, firing.fired_at, firing.status) == (START, START, FiringStatus.STARTED)
    run = await run_of(context, firing)
    assert (run.status, run.spec.schedule_id, run.started_by) == (RunStatus.COMPLETED, made.id, "schedule nightly")
    assert await fire_due(context, START) == []
    found = await schedules.get(context, "nightly")
    assert (found.next_at, found.last) == (START + MINUTE, firing)


async def test_its_runs_are_listed_and_in_the_audit_log(context: Context) -> None:
    made = await scheduled(context)
    firing = await fire(context, START)
    listed = await run_views.listing(context, 1, 20, schedule_id=made.id)
    assert [(view.id, view.schedule_id) for view in listed.items] == [(firing.run_id, made.id)]
    assert (await run_views.listing(context, 1, 20, schedule_id=new_id())).items == ()
    entry = (await audit.listing(context, action="run.start")).items[0]
    assert (entry.actor, entry.object_id) == ("schedule nightly", firing.run_id)


async def test_the_active_version_and_the_dataset_as_it_is(context: Context) -> None:
    await scheduled(context)
    first = await run_of(context, await fire(context, START))
    await targets.save(context, "target", Python.of(answer_fine))
    await versions.activate(context, "target", 2)
    await save(context, prompts(3))
    second = await run_of(context, await fire(context, START + MINUTE))
    assert (first.target_version, first.total) == (1, 1)
    assert (second.target_version, second.total) == (2, 3)
    assert second.summary is not None and second.summary.passed == 3


async def test_after_a_downtime_one_late_run(context: Context) -> None:
    await scheduled(context)
    late = START + timedelta(hours=5, seconds=20)
    firing = await fire(context, late)
    assert (firing.due_at, firing.fired_at) == (START, late)
    assert await fire_due(context, late) == []
    assert (await schedules.get(context, "nightly")).next_at == START + timedelta(hours=5, minutes=1)


async def test_while_the_run_before_goes_on_it_is_skipped(context: Context) -> None:
    await scheduled(context, Gate())
    [first] = await fire_due(context, START)
    [second] = await fire_due(context, START + MINUTE)
    assert (second.status, second.run_id) == (FiringStatus.SKIPPED, None)
    assert second.reason == "the run before it was still going on"
    assert first.run_id is not None
    await runs.cancel(context, first.run_id)
    [third] = await fire_due(context, START + 2 * MINUTE)
    assert third.status is FiringStatus.STARTED
    assert [firing.status for firing in await all_firings(context)] == ["started", "skipped", "started"]


async def test_paused_edited_and_deleted_while_due(context: Context) -> None:
    await scheduled(context)
    late = START + MINUTE / 2
    await schedules.pause(context, "nightly", late)
    assert await fire_due(context, late) == []
    await schedules.resume(context, "nightly", late)
    assert await fire_due(context, late) == [], "what it missed while it was paused does not fire any more"
    hours = {"kind": "every", "n": 1, "unit": "hours"}
    await schedules.update(context, "nightly", {"recurrence": hours}, at=START + MINUTE)
    assert await fire_due(context, START + 59 * MINUTE) == []
    assert (await fire(context, START + 60 * MINUTE)).due_at == START + 60 * MINUTE
    await schedules.delete(context, "nightly")
    assert await fire_due(context, START + timedelta(days=9)) == []


async def test_a_change_of_something_else_lets_what_is_due_fire_as_it_now_is(context: Context) -> None:
    await scheduled(context)
    await save(context, prompts(2), name="other")
    await schedules.update(context, "nightly", {"dataset_id": "other", "name": "weekly"}, at=START)
    run = await run_of(context, await fire(context, START))
    assert (run.dataset_name, run.started_by) == ("other", "schedule weekly")


async def test_it_is_over_behind_its_end(context: Context) -> None:
    await scheduled(context, end=START + MINUTE)
    await fire(context, START)
    await fire(context, START + MINUTE)
    assert (await schedules.get(context, "nightly")).next_at is None
    assert await fire_due(context, START + timedelta(days=99)) == []
    await schedules.pause(context, "nightly")
    with pytest.raises(Conflict, match="over"):
        await schedules.resume(context, "nightly", START + timedelta(days=9))


JUDGED = ({"kind": "llm_judge", "rubric": "Is it kind?"},)


async def test_a_run_that_cannot_be_started_is_a_failed_firing(context: Context) -> None:
    """No judge."""
    made = await scheduled(context)
    await save(context, prompts(1), JUDGED)
    firing = await fire(context, START)
    assert (firing.status, firing.run_id) == (FiringStatus.FAILED, None)
    assert firing.reason is not None and "judge" in firing.reason
    [notice] = (await notices.page(context, NoticeFilter(), 1, 20)).items
    assert (notice.kind, notice.schedule_id, notice.run_id) == ("failed", made.id, None)
    assert firing.reason in notice.text
    await save(context, prompts(1))
    assert (await fire(context, START + MINUTE)).status is FiringStatus.STARTED


async def no_active_version(context: Context) -> None:
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE targets SET active = NULL")


async def no_cases(context: Context) -> None:
    await save(context, [])


async def code_that_is_gone(context: Context) -> None:
    context.in_memory.clear()


async def a_zone_that_is_gone(context: Context) -> None:
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE schedules SET zone = 'Mars/Olympus'")


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (no_active_version, "no active version"),
        (no_cases, "case"),
        (code_that_is_gone, "memory"),
        (a_zone_that_is_gone, "Mars/Olympus"),
    ],
)
async def test_other_reasons(context: Context, broken: Any, said: str) -> None:
    await scheduled(context, recurrence={"kind": "cron", "expression": "* * * * *"})
    await broken(context)
    firing = await fire(context, START)
    assert firing.status is FiringStatus.FAILED and firing.reason is not None
    assert said in firing.reason
    assert await fire_due(context, START) == []


async def test_what_would_change_the_world_is_not_started_unsimulated(context: Context) -> None:
    made = await scheduled(context)
    agent = Agent(model="openai:m", base_url="http://127.0.0.1:9/v1", tools=("file_ops",), side_effects=("file_ops",))
    await targets.save(context, "agent", agent)
    await schedules.update(context, made.id, {"target_id": "agent"}, at=START - MINUTE)
    firing = await fire(context, START)
    assert firing.status is FiringStatus.FAILED
    assert firing.reason is not None and "file_ops" in firing.reason


async def test_what_fails_holds_up_no_other(context: Context) -> None:
    await scheduled(context)
    await save(context, prompts(1), JUDGED, name="judged")
    await schedules.create(context, fields_of("broken", dataset_id="judged"), START - 2 * MINUTE)
    found = await fire_due(context, START)
    assert {firing.status for firing in found} == {FiringStatus.STARTED, FiringStatus.FAILED}


async def test_each_workspace_by_itself(context: Context) -> None:
    elsewhere = Workspace(id=new_id(), name="elsewhere")
    async with context.database.transaction() as tx:
        await workspaces.create(tx, elsewhere)
    theirs = context.acting_as(LOCAL.model_copy(update={"workspace": elsewhere}))
    await scheduled(theirs)
    with pytest.raises(NotFound):
        await schedules.get(context, "nightly")
    [firing] = await fire_due(context, START)
    assert firing.run_id is not None
    assert (await runs.wait(theirs, firing.run_id, 10)).status is RunStatus.COMPLETED
    with pytest.raises(NotFound):
        await runs.get(context, firing.run_id)


async def test_a_server_that_is_killed_leaves_a_run_that_another_takes_up(context: Context, tmp_path: Path) -> None:
    """The run is there with its firing, in one transaction, so that none is lost between them."""
    gate = Gate()
    await scheduled(context, gate)
    [firing] = await fire_due(context, START)
    await context.drain(0)
    gate.free = 100
    other = await Context.open(Settings(home=tmp_path), {}, served=True)
    other.in_memory = context.in_memory
    try:
        [skipped] = await fire_due(other, START + MINUTE)
        assert skipped.status is FiringStatus.SKIPPED
        await pickup.take_up(other)
        assert firing.run_id is not None
        assert (await runs.wait(other, firing.run_id, 10)).status is RunStatus.COMPLETED
    finally:
        await other.close()


async def test_a_deleted_schedule_or_run_leaves_the_other(context: Context) -> None:
    await scheduled(context)
    first, second = await fire(context, START), await fire(context, START + MINUTE)
    assert first.run_id is not None and second.run_id is not None
    await runs.delete(context, first.run_id)
    assert [firing.run_id for firing in await all_firings(context)] == [None, second.run_id]
    await schedules.delete(context, "nightly")
    assert (await runs.get(context, second.run_id)).status is RunStatus.COMPLETED
    async with context.database.read() as rx:
        assert await rx.fetch("SELECT 1 FROM firings") == []


async def test_what_was_edited_since_it_was_read_waits_for_the_next_look(context: Context) -> None:
    """Else the run would be of what the schedule was, though it was edited before it fired."""
    seen = await scheduled(context)
    await save(context, prompts(2), name="other")
    await schedules.update(context, "nightly", {"dataset_id": "other"}, at=START - MINUTE)
    assert await scheduler._start(context, seen, START) is None
    assert await scheduler._fail(context, seen, START, "a reason") is None
    assert await all_firings(context) == []
    assert (await run_of(context, await fire(context, START))).dataset_name == "other"


async def test_it_is_looked_for_all_the_time(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.01)
    await scheduled(context)
    looking = asyncio.create_task(look_after_schedules(context))
    async with asyncio.timeout(10):
        while not await all_firings(context):
            await asyncio.sleep(0.01)
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    firings = await all_firings(context)
    assert len(firings) == 1, "months were missed, and one run stands for them all"
