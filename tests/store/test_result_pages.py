"""What came out of a run, as it is read."""

import pytest
from hypothesis import HealthCheck, given, settings
from pydantic import JsonValue

from aloi.core.dataset import case_hash
from aloi.core.errors import NotFound
from aloi.core.result import CaseResult
from aloi.core.score import Verdict
from aloi.core.summary import summarise
from aloi.core.trace import ToolCall, trace_of_calls
from aloi.store import outcomes, result_pages, results
from aloi.store.codec import pack_id
from aloi.store.database import Database
from aloi.store.results import GradedRow, InvokedRow
from tests.store.samples import NOW, Stored, a_run, answer, new_id
from tests.store.ugly import RESULTS


async def written(db: Database, *verdicts: Verdict) -> Stored:
    """A run with results of those verdicts for its first cases."""
    stored = await a_run(db, ("a", "b", "c", "d"))
    graded = [stored.graded(place, verdict=verdict) for place, verdict in enumerate(verdicts)]
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(row.position) for row in graded], graded)
    return stored


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(result=RESULTS)
async def test_any_result_round_trips(db: Database, result: CaseResult):
    stored = await a_run(db, ("only",))
    [case] = stored.cases
    placed = result.model_copy(update={"case_id": case.id, "case_key": case.key})
    execution = InvokedRow(0, 0, new_id(), stored.version.id, NOW, placed.outcome)
    graded = GradedRow(0, 0, execution.execution_id, placed)
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [execution], [graded])
        assert await result_pages.one(tx, stored.run.id, "only") == placed
        [row] = [row async for row in result_pages.rows(tx, stored.run.id)]
        outcome = await outcomes.get(tx, execution.execution_id)
    assert row == placed.row().model_copy(update={"case_hash": case_hash(case)})
    assert outcome == placed.outcome


async def test_rows_come_in_order_over_pages_and_sum_up(db: Database):
    stored = await a_run(db, [str(n) for n in range(1050)])
    places = [(position, trial) for position in range(1050) for trial in range(2)]
    async with db.transaction() as tx:
        invoked = [stored.invoked(*place) for place in reversed(places)]
        await results.write(tx, stored.run.id, invoked, [stored.graded(*place) for place in reversed(places)])
    async with db.read() as rx:
        rows = [row async for row in result_pages.rows(rx, stored.run.id)]
        counts = await results.counts(rx, stored.run.id)
    assert [(row.case_key, row.trial) for row in rows] == [(str(position), trial) for position, trial in places]
    summary = summarise(rows, trials=2)
    assert (summary.passed, summary.usage.tokens, summary.usage.cost) == (2100, counts.tokens, counts.cost)


async def test_a_page_is_filtered_by_verdict_and_counted(db: Database):
    stored = await written(db, Verdict.PASS, Verdict.FAIL, Verdict.PASS, Verdict.ERROR)
    async with db.read() as rx:
        page = await result_pages.page(rx, stored.run.id, offset=1, limit=2)
        assert page.results == [stored.result(1, verdict=Verdict.FAIL), stored.result(2)] and page.total == 4
        passed = await result_pages.page(rx, stored.run.id, Verdict.PASS, offset=1)
        assert passed.results == [stored.result(2)] and passed.total == 2


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("answer 1", ["b"]),
        ("CASE C", ["c"]),
        ("so it fail", ["b"]),
        ("Answer", ["a", "b", "c"]),
        ("%", []),
        ("_", []),
        ("input_tokens", []),
        ('"quoted"', ["d"]),
        ("é", ["d"]),
    ],
)
async def test_a_page_is_searched(db: Database, text: str, keys: list[str]):
    stored = await written(db, Verdict.PASS, Verdict.FAIL, Verdict.PASS)
    async with db.transaction() as tx:
        outcome = answer('a "quoted" é')
        await results.write(tx, stored.run.id, [stored.invoked(3, outcome=outcome)], [stored.graded(3)])
        page = await result_pages.page(tx, stored.run.id, text=text)
    assert [result.case_key for result in page.results] == keys and page.total == len(keys)


@pytest.mark.parametrize("output", ["plain", {"z": 1.0, "a": [1e22, None, "\u2028"], "trace": "kept"}, "NUL \x00 é"])
async def test_a_page_without_traces_leaves_nothing_else_out(db: Database, output: JsonValue):
    stored = await a_run(db)
    trace = trace_of_calls("t", (ToolCall(tool="search", args={"q": "x"}, output="y"),))
    outcome = answer("").model_copy(update={"output": output, "trace": trace})
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(0, outcome=outcome)], [stored.graded(0)])
        [whole] = (await result_pages.page(tx, stored.run.id)).results
        [light] = (await result_pages.page(tx, stored.run.id, traces=False)).results
        [found] = (await result_pages.page(tx, stored.run.id, text="so it pass", traces=False)).results
    assert whole.outcome == outcome and found == light
    assert light == whole.model_copy(update={"outcome": outcome.model_copy(update={"trace": None})})
    assert str(light.outcome.output) == str(output)  # the order of its keys, too


async def test_one_result_by_key_by_id_and_by_trial(db: Database):
    stored = await written(db, Verdict.PASS, Verdict.FAIL)
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(0, 1)], [stored.graded(0, 1, Verdict.FAIL)])
        assert await result_pages.one(tx, stored.run.id, "b") == stored.result(1, verdict=Verdict.FAIL)
        assert await result_pages.one(tx, stored.run.id, stored.cases[0].id, 1) == stored.result(0, 1, Verdict.FAIL)
        with pytest.raises(NotFound, match="no result of trial 1"):
            await result_pages.one(tx, stored.run.id, "c")
        with pytest.raises(NotFound, match="no case 'zzz'"):
            await result_pages.one(tx, stored.run.id, "zzz")


@pytest.mark.parametrize("damaged", [b"", b"\x02ab", b"\x01\x00\x00\x00\x00\xff\xff", b"{"])
async def test_a_damaged_trace_says_so_in_its_place_and_hides_no_other_result(db: Database, damaged: bytes):
    stored = await written(db, Verdict.PASS, Verdict.FAIL)
    execution_id = stored.execution_id(0, 0)
    async with db.transaction() as tx:
        await tx.execute("UPDATE executions SET trace = ? WHERE id = ?", (damaged, pack_id(execution_id)))
        exported = [result async for result in result_pages.every(tx, stored.run.id)]
        page = await result_pages.page(tx, stored.run.id)
        alone = await result_pages.one(tx, stored.run.id, "a")
    assert [exported[0], page.results[0]] == [alone, alone]
    assert exported[1:] == list(page.results[1:]) == [stored.result(1, verdict=Verdict.FAIL)]
    assert alone.outcome.trace is not None
    [span] = alone.outcome.trace.spans
    assert f"the trace of execution {execution_id} cannot be read" in (span.error or "")
    assert not alone.outcome.trace.shows_tools
    assert alone.outcome.model_copy(update={"trace": None}) == answer("Answer 0")
