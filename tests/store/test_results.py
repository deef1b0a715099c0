"""What comes out of a run, as it is written."""

import pytest

from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.core.run import Progress, RunStatus
from aloi.core.score import Verdict
from aloi.store import outcomes, result_pages, results, runs
from aloi.store.database import Database
from tests.store.samples import Stored, a_run, answer, new_id


async def verdicts(db: Database, stored: Stored) -> list[tuple[str, str]]:
    async with db.read() as rx:
        return [(row.case_key, row.verdict) async for row in result_pages.rows(rx, stored.run.id)]


async def test_writing_the_same_again_changes_nothing(db: Database):
    stored = await a_run(db)
    for _ in range(2):
        async with db.transaction() as tx:
            invoked = [stored.invoked(0), stored.invoked(1)]
            await results.write(tx, stored.run.id, invoked, [stored.graded(0)])
    async with db.read() as rx:
        assert await results.done(rx, stored.run.id) == {(0, 0)}
        assert await results.counts(rx, stored.run.id) == Progress(total=3, passed=1, tokens=13, cost=0.5)
        assert await rx.fetch("SELECT count(*) FROM executions") == [(2,)]


async def test_the_first_invocation_stands_and_a_result_of_another_is_left_out(db: Database):
    stored = await a_run(db)
    second = stored.invoked(0)._replace(execution_id=new_id(), outcome=answer("a later answer"))
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(0)], [])
        late = stored.graded(0)._replace(execution_id=second.execution_id)
        await results.write(tx, stored.run.id, [second], [late])
        assert await results.done(tx, stored.run.id) == set()
        [waiting] = await outcomes.ungraded(tx, stored.run.id)
        assert await outcomes.get(tx, waiting.execution_id) == answer("Answer 0")
    assert waiting == (0, 0, stored.execution_id(0, 0))


async def test_a_later_result_replaces_an_earlier_one_until_the_run_is_completed(db: Database):
    stored = await a_run(db)
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(0)], [stored.graded(0)])
        await results.write(tx, stored.run.id, [], [stored.graded(0, verdict=Verdict.FAIL)])
    assert await verdicts(db, stored) == [("a", "fail")]
    async with db.transaction() as tx:
        await runs.set_status(tx, stored.run.id, set(RunStatus), RunStatus.COMPLETED)
    with pytest.raises(Conflict, match="is completed"):
        async with db.transaction() as tx:
            await results.write(tx, stored.run.id, [], [stored.graded(0)])
    assert await verdicts(db, stored) == [("a", "fail")]


async def test_a_deleted_run_takes_no_results(db: Database):
    stored = await a_run(db)
    async with db.transaction() as tx:
        await runs.delete(tx, stored.run.id)
        with pytest.raises(NotFound, match="was deleted"):
            await results.write(tx, stored.run.id, [stored.invoked(0)], [])
        with pytest.raises(NotFound):
            await results.counts(tx, stored.run.id)


async def test_a_lone_surrogate_is_refused_with_the_case_named(db: Database):
    stored = await a_run(db)
    with pytest.raises(InvalidInput, match=r"the outcome of case 2 cannot be stored.*lone surrogates"):
        async with db.transaction() as tx:
            await results.write(tx, stored.run.id, [stored.invoked(1, outcome=answer("\ud83d"))], [])


async def test_counts_are_sums_over_rows(db: Database):
    stored = await a_run(db)
    graded = [stored.graded(0), stored.graded(1, verdict=Verdict.FAIL), stored.graded(2, verdict=Verdict.ERROR)]
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(n) for n in range(3)], graded)
        counts = await results.counts(tx, stored.run.id)
    assert counts == Progress(total=3, passed=1, failed=1, errors=1, tokens=39, cost=1.5)


async def test_a_retry_takes_over_what_it_does_not_run_again(db: Database):
    first = await a_run(db)
    graded = [first.graded(0), first.graded(1, verdict=Verdict.FAIL), first.graded(2, verdict=Verdict.ERROR)]
    async with db.transaction() as tx:
        await results.write(tx, first.run.id, [first.invoked(n) for n in range(3)], graded)
    retry = await a_run(db, parent=first)
    assert retry.revision == first.revision
    async with db.transaction() as tx:
        for _ in range(2):
            await results.carry(tx, first.run.id, retry.run.id, {Verdict.PASS, Verdict.FAIL})
        assert await results.done(tx, retry.run.id) == {(0, 0), (1, 0)}
        await results.write(tx, retry.run.id, [retry.invoked(2)], [retry.graded(2)])
        assert await tx.fetch("SELECT count(*) FROM executions") == [(4,)]
        rows = [row async for row in result_pages.rows(tx, retry.run.id)]
        assert [(row.verdict, row.carried_over) for row in rows] == [("pass", True), ("fail", True), ("pass", False)]
        one = await result_pages.one(tx, retry.run.id, "b")
    assert one == first.result(1, verdict=Verdict.FAIL).model_copy(update={"carried_over": True})


async def test_what_was_taken_over_outlives_the_run_it_came_from(db: Database):
    first = await a_run(db)
    async with db.transaction() as tx:
        await results.write(tx, first.run.id, [first.invoked(0), first.invoked(1)], [first.graded(0)])
    retries = [await a_run(db, parent=first) for _ in range(2)]
    async with db.transaction() as tx:
        for retry in retries:
            await results.carry(tx, first.run.id, retry.run.id, {Verdict.PASS})
        await runs.delete(tx, first.run.id)
        for retry in retries:
            assert (await result_pages.one(tx, retry.run.id, "a")).outcome == answer("Answer 0")
        await runs.delete(tx, retries[0].run.id)
        assert (await result_pages.one(tx, retries[1].run.id, "a")).outcome == answer("Answer 0")
        await runs.delete(tx, retries[1].run.id)
        assert await tx.fetch("SELECT count(*) FROM executions") == [(0,)]


async def test_an_execution_goes_to_the_place_that_its_heir_has_for_it(db: Database):
    first, regrade = await a_run(db), await a_run(db)
    async with db.transaction() as tx:
        await results.write(tx, first.run.id, [first.invoked(0)], [first.graded(0)])
        graded = regrade.graded(2)._replace(execution_id=first.execution_id(0, 0))
        await results.write(tx, regrade.run.id, [regrade.invoked(0)], [graded])
        await runs.delete(tx, first.run.id)
        assert set(await outcomes.ungraded(tx, regrade.run.id)) == {(0, 0, regrade.execution_id(0, 0))}
        assert await outcomes.get(tx, first.execution_id(0, 0)) == answer("Answer 0")
