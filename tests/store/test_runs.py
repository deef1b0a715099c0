"""Runs and their leases."""

from datetime import timedelta

import pytest

from aloi.core.access import FIRST_WORKSPACE
from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.core.result import ResultRow
from aloi.core.run import JudgeSpec, RunLimits, RunStatus
from aloi.core.score import Verdict
from aloi.core.summary import summarise
from aloi.store import results, runs
from aloi.store.database import Database
from tests.store.samples import NOW, OTHER_WORKSPACE, Stored, a_run, another_workspace, new_id

LATER = NOW + timedelta(seconds=30)


def nobody_is_dead(holder: str) -> None:
    """Nothing is known of any holder: the end of the lease decides."""


async def restored(db: Database, stored: Stored) -> Stored:
    """The same run with every field set, stored under another id."""
    spec = stored.run.spec.model_copy(
        update={
            "judge": JudgeSpec(model="openai:m", samples=3),
            "limits": RunLimits(trials=2, max_cost=1.5),
            "case_keys": ("a",),
            "parent_id": stored.run.id,
            "tags": ("é",),
        }
    )
    summary = summarise([ResultRow(case_id="1", case_key="a", verdict=Verdict.PASS, score=1.0)])
    changes = {"id": new_id(), "spec": spec, "skipped": ("mcp",), "summary": summary, "reason": "budget"}
    times = {"created_at": LATER, "started_at": LATER, "finished_at": LATER, "status": RunStatus.CANCELLED}
    run = stored.run.model_copy(update=changes | times | {"started_by": "ann@example.org", "served": True})
    async with db.transaction() as tx:
        await runs.insert(tx, run)
    return Stored(run, stored.version, stored.dataset, stored.revision, stored.cases)


async def test_a_run_comes_back_as_it_was(db: Database):
    stored = await a_run(db)
    full = await restored(db, stored)
    async with db.read() as rx:
        assert await runs.get(rx, stored.run.id) == stored.run
        assert await runs.get(rx, full.run.id) == full.run


async def test_a_run_is_found_by_prefix_and_as_the_latest(db: Database):
    async with db.read() as rx:
        with pytest.raises(NotFound, match="no run 'latest'"):
            await runs.get(rx, "latest")
    first = await a_run(db)
    second = await restored(db, first)
    async with db.read() as rx:
        assert await runs.get(rx, "latest") == second.run
        assert await runs.get(rx, second.run.id[:14].upper()) == second.run
        with pytest.raises(InvalidInput, match=f"several runs begin with '0000': {first.run.id}, {second.run.id}"):
            await runs.get(rx, "0000")
        for unknown in ("ffff", "nonsense", "", new_id()):
            with pytest.raises(NotFound):
                await runs.get(rx, unknown)


async def test_the_list_is_newest_first_filtered_and_paged(db: Database):
    first = await a_run(db)
    second = await restored(db, first)
    other = await a_run(db)
    async with db.read() as rx:
        assert [run.id for run in await runs.listing(rx)] == [second.run.id, other.run.id, first.run.id]
        assert await runs.listing(rx, offset=1, limit=1) == [other.run]
        mine = await runs.listing(
            rx,
            target_id=first.version.target_id,
            dataset_id=first.dataset.id,
            statuses=[RunStatus.PENDING],
            text="DATASET",
        )
        assert mine == [first.run]
        assert await runs.listing(rx, target_id=new_id()) == []


async def test_a_text_is_looked_for_in_the_names_as_it_is(db: Database):
    stored = await a_run(db)
    found = {"bot": True, "BO": True, stored.dataset.name[-5:]: True, "b_t": False, "%": False, "nobody": False}
    async with db.read() as rx:
        for text, there in found.items():
            assert (await runs.listing(rx, text=text) == [stored.run], await runs.count(rx, text=text)) == (
                there,
                there,
            )


async def test_a_run_needs_what_it_froze(db: Database):
    stored = await a_run(db)
    spec = stored.run.spec.model_copy(update={"revision_id": new_id()})
    with pytest.raises(Conflict):
        async with db.transaction() as tx:
            await runs.insert(tx, stored.run.model_copy(update={"id": new_id(), "spec": spec}))


async def test_a_status_moves_only_from_where_it_may(db: Database):
    stored = await a_run(db)
    run_id, pending, running, cancelled = stored.run.id, *list(RunStatus)[:2], RunStatus.CANCELLED
    async with db.transaction() as tx:
        assert await runs.set_status(tx, run_id, {pending}, running, started_at=NOW)
        assert not await runs.set_status(tx, run_id, {pending}, running, started_at=LATER)
        assert await runs.set_status(tx, run_id, {pending, running}, cancelled, reason="asked", finished_at=LATER)
        run = await runs.get(tx, run_id)
        assert (run.status, run.reason, run.started_at, run.finished_at) == (cancelled, "asked", NOW, LATER)
        assert await runs.set_status(tx, run_id, {cancelled}, running, started_at=LATER)
        run = await runs.get(tx, run_id)
        assert (run.reason, run.started_at, run.finished_at) == (None, NOW, None)
        assert not await runs.set_status(tx, new_id(), set(RunStatus), running)


async def test_a_reason_may_quote_anything(db: Database):
    stored = await a_run(db)
    async with db.transaction() as tx:
        await runs.set_status(tx, stored.run.id, set(RunStatus), RunStatus.FAILED, reason="a\x00b\ud800é")
        assert (await runs.get(tx, stored.run.id)).reason == "a\ufffdb?é"


async def test_one_owner_at_a_time(db: Database):
    run_id = (await a_run(db)).run.id
    async with db.transaction() as tx:
        assert await runs.claim(tx, run_id, "one", LATER, NOW, nobody_is_dead) is None
        assert await runs.claim(tx, run_id, "one", LATER, NOW, nobody_is_dead) is None
        assert await runs.claim(tx, run_id, "two", LATER, NOW, nobody_is_dead) == "one"
        assert await runs.renew(tx, run_id, "one", LATER + timedelta(seconds=1))
        assert not await runs.renew(tx, run_id, "two", LATER)
        assert await runs.claim(tx, run_id, "two", LATER, LATER, nobody_is_dead) == "one"
        await runs.release(tx, run_id, "two")
        assert await runs.claim(tx, run_id, "two", LATER, NOW, nobody_is_dead) == "one"
        await runs.release(tx, run_id, "one")
        assert await runs.claim(tx, run_id, "two", LATER, NOW, nobody_is_dead) is None
        with pytest.raises(NotFound):
            await runs.claim(tx, new_id(), "one", LATER, NOW, nobody_is_dead)


async def test_a_lease_that_ended_or_whose_holder_is_dead_is_taken(db: Database):
    run_id = (await a_run(db)).run.id
    async with db.transaction() as tx:
        await runs.claim(tx, run_id, "one", LATER, NOW, nobody_is_dead)
        assert await runs.claim(tx, run_id, "two", LATER, NOW, lambda holder: holder == "one") is None
        assert not await runs.renew(tx, run_id, "one", LATER)
        assert await runs.claim(tx, run_id, "three", LATER, LATER, nobody_is_dead) is None


async def test_a_holder_that_lives_keeps_a_lease_that_it_is_late_to_renew(db: Database):
    run_id = (await a_run(db)).run.id
    async with db.transaction() as tx:
        await runs.claim(tx, run_id, "one", LATER, NOW, nobody_is_dead)
        assert await runs.claim(tx, run_id, "two", LATER, LATER, lambda holder: False) == "one"
        assert await runs.claim(tx, run_id, "one", LATER, LATER, lambda holder: False) is None


async def test_served_runs_that_nobody_works_on_are_taken_up_again_in_every_workspace(db: Database):
    other = await another_workspace(db)
    serving = {"served": True, "created_at": NOW}
    lost, held, expired, late, dead, ended, unserved = [
        (await a_run(where, changes=changes)).run
        for where, changes in (
            (db, serving),
            (db, serving),
            (db, serving),
            (db, serving),
            (other, serving | {"status": RunStatus.RUNNING}),
            (db, serving | {"status": RunStatus.COMPLETED}),
            (db, {}),
        )
    ]
    for where, run, holder, until in (
        (db, held, "one", LATER),
        (db, expired, "two", NOW),
        (other, dead, "gone", LATER),
        (db, late, "lives", NOW),
    ):
        async with where.transaction() as tx:
            await runs.claim(tx, run.id, holder, until, NOW, nobody_is_dead)
    async with db.read() as rx:
        found = await runs.orphans(rx, NOW, {"gone": True, "lives": False}.get)
    assert found == [(FIRST_WORKSPACE, lost.id), (FIRST_WORKSPACE, expired.id), (OTHER_WORKSPACE, dead.id)]
    assert {ended.id, unserved.id, held.id, late.id}.isdisjoint(run for _, run in found)


async def test_deleting_a_run_deletes_its_results_and_executions(db: Database):
    stored, other = await a_run(db), await a_run(db)
    async with db.transaction() as tx:
        for run in (stored, other):
            await results.write(tx, run.run.id, [run.invoked(0)], [run.graded(0)])
        await runs.delete(tx, stored.run.id)
        assert await tx.fetch("SELECT count(*) FROM executions") == [(1,)]
        assert await tx.fetch("SELECT count(*) FROM results") == [(1,)]
        with pytest.raises(NotFound):
            await runs.delete(tx, stored.run.id)


async def test_the_count_follows_the_filters(db: Database):
    first = await a_run(db)
    await restored(db, first)
    async with db.read() as rx:
        assert await runs.count(rx) == 2
        assert await runs.count(rx, dataset_id=first.dataset.id, statuses=[RunStatus.CANCELLED]) == 1
