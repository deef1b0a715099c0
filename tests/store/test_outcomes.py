"""Outcomes that were stored before."""

import pytest

from aloi.core.errors import Conflict, NotFound
from aloi.core.outcome import Failure, Outcome
from aloi.core.score import Verdict
from aloi.core.trace import Span, Trace
from aloi.store import outcomes, results
from aloi.store.codec import pack_id
from aloi.store.database import Database
from tests.store.samples import a_run, answer, new_id


async def test_what_was_invoked_and_not_graded_is_found_and_read(db: Database):
    stored, other = await a_run(db), await a_run(db)
    failed = Outcome(failure=Failure(stage="invoke", type="timeout", message="too slow"), latency=3)
    async with db.transaction() as tx:
        invoked = [stored.invoked(2, outcome=failed), stored.invoked(1, 1), stored.invoked(0)]
        await results.write(tx, stored.run.id, invoked, [stored.graded(0)])
        await results.write(tx, other.run.id, [other.invoked(0)], [])
    async with db.read() as rx:
        waiting = {(row.position, row.trial): row.execution_id for row in await outcomes.ungraded(rx, stored.run.id)}
        assert waiting == {place: stored.execution_id(*place) for place in [(1, 1), (2, 0)]}
        assert await outcomes.get(rx, waiting[2, 0]) == failed
        with pytest.raises(NotFound, match="no execution"):
            await outcomes.get(rx, new_id())


async def test_the_executions_behind_results_are_found_those_taken_over_included(db: Database):
    first = await a_run(db)
    async with db.transaction() as tx:
        invoked = [first.invoked(place) for place in range(3)]
        await results.write(tx, first.run.id, invoked, [first.graded(0), first.graded(1, verdict=Verdict.ERROR)])
    retry = await a_run(db, parent=first)
    async with db.transaction() as tx:
        await results.carry(tx, first.run.id, retry.run.id, {Verdict.PASS})
        await results.write(tx, retry.run.id, [retry.invoked(1)], [retry.graded(1)])
        found = await outcomes.graded(tx, retry.run.id)
        assert set(found) == {(0, 0, first.execution_id(0, 0)), (1, 0, retry.execution_id(1, 0))}
        assert await outcomes.behind(tx, retry.run.id, "a", 0) == first.execution_id(0, 0)
        with pytest.raises(NotFound, match="trial 3"):
            await outcomes.behind(tx, retry.run.id, "a", 2)
        assert await outcomes.get(tx, first.execution_id(0, 0)) == answer("Answer 0")


async def test_a_trace_is_stored_packed_and_its_size_is_that_of_its_text(db: Database):
    stored = await a_run(db)
    trace = Trace(trace_id="0a" * 16, spans=(Span(span_id="0b" * 8, name="chat é" * 900, start_ns=1, end_ns=2),))
    outcome = Outcome(output="yes", trace=trace)
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(0, outcome=outcome)], [])
        execution_id = stored.execution_id(0, 0)
        [(packed,)] = await tx.fetch("SELECT trace FROM executions WHERE id = ?", (pack_id(execution_id),))
        assert isinstance(packed, bytes)
        assert len(packed) < 200
        assert outcomes.outcome_columns(outcome, "it").size > 5_400
        assert await outcomes.get(tx, execution_id) == outcome
        await tx.execute("UPDATE executions SET trace = ?", (packed[:-1],))
        # That is no fault of the database, which others would wait for and try again.
        with pytest.raises(Conflict, match=f"the trace of execution {execution_id} cannot be read: its checksum"):
            await outcomes.get(tx, execution_id)
        [waiting] = await outcomes.used_waiting(tx, stored.run.id)  # which reads no trace
        assert waiting == outcome.model_copy(update={"trace": None})
