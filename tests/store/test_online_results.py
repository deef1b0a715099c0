"""What rules said of executions, as it is stored."""

from datetime import timedelta

import pytest

from aloi.core.errors import Conflict
from aloi.core.online_rule import OnlineRule
from aloi.core.outcome import Failure, Outcome
from aloi.core.score import Score, Verdict
from aloi.store import observed, online_results
from aloi.store.connection import Connection
from aloi.store.database import Database
from aloi.store.observed import ObservedRow, VersionIds
from aloi.store.online_results import Grading, ResultFilter, ResultRow, ToDraft
from tests.store.online import a_rule
from tests.store.samples import NOW, a_dataset, a_version, another_workspace, new_id

SCORE = Score(evaluator="contains", kind="contains", value=1.0, verdict=Verdict.PASS, explanation="é😀")
FAILURE = Failure(stage="grade", type="timeout", message="too late")


async def a_result(tx: Connection, rule: OnlineRule, number: int = 0, *, to_draft: bool = False) -> ResultRow:
    """A stored result of a stored execution; every third one passes, fails, is an error."""
    version = await a_version(tx)
    execution_id, began = new_id(), NOW + timedelta(minutes=number)
    ids = VersionIds(version.target_id, version.id)
    await observed.put(tx, [ObservedRow(execution_id, f"{number:032x}", began, "asked", Outcome(output="x"), ids)])
    verdict = [Verdict.PASS, Verdict.FAIL, Verdict.ERROR][number % 3]
    grading = Grading(scores=(SCORE,), failure=FAILURE if verdict is Verdict.ERROR else None)
    row = ResultRow(rule.id, rule.name, execution_id, began, NOW + timedelta(hours=1), verdict, number / 10, grading)
    assert await online_results.insert(tx, row, to_draft=to_draft)
    return row


async def test_what_was_stored_comes_back_newest_first(db: Database) -> None:
    elsewhere = await another_workspace(db)
    async with db.transaction() as tx:
        rule = await a_rule(tx)
        rows = [await a_result(tx, rule, number) for number in range(5)]
        assert await online_results.page(tx, rule.id, ResultFilter(), 0, 9) == rows[::-1]
        assert await online_results.page(tx, rule.id, ResultFilter(), 3, 1) == [rows[1]]
        assert await online_results.page(tx, rule.id, ResultFilter(verdict=Verdict.FAIL), 0, 9) == [rows[4], rows[1]]
        between = ResultFilter(since=rows[1].created_at, until=rows[3].created_at)
        assert await online_results.page(tx, rule.id, between, 0, 9) == [rows[2], rows[1]]
        assert await online_results.count(tx, rule.id, ResultFilter(), 100) == 5
        assert await online_results.count(tx, rule.id, ResultFilter(), 3) == 3
        assert await online_results.of_execution(tx, rows[0].execution_id) == [rows[0]]
        graded = await online_results.graded_among(tx, rule.id, [rows[0].execution_id, new_id()])
        assert graded == {rows[0].execution_id: rows[0].verdict}
    async with elsewhere.read() as rx:
        assert await online_results.page(rx, rule.id, ResultFilter(), 0, 9) == []
        assert await online_results.of_execution(rx, rows[0].execution_id) == []


async def test_one_result_for_a_rule_and_an_execution(db: Database) -> None:
    async with db.transaction() as tx:
        rule = await a_rule(tx)
        row = await a_result(tx, rule)
        assert not await online_results.insert(tx, row._replace(verdict=Verdict.FAIL), to_draft=True)
        assert await online_results.page(tx, rule.id, ResultFilter(), 0, 9) == [row]


async def test_there_is_no_result_of_what_is_not_there(db: Database) -> None:
    async with db.transaction() as tx:
        rule = await a_rule(tx)
    row = ResultRow(rule.id, rule.name, new_id(), NOW, NOW, Verdict.PASS, 1.0, Grading())
    with pytest.raises(Conflict):
        async with db.transaction() as tx:
            await online_results.insert(tx, row, to_draft=False)


async def test_what_should_become_drafts(db: Database) -> None:
    async with db.transaction() as tx:
        dataset = await a_dataset(tx)
        rule = await a_rule(tx, drafts_dataset_id=dataset.id)
        row, _ = await a_result(tx, rule, to_draft=True), await a_result(tx, rule, 1)
        [due] = await online_results.to_draft(tx, 9)
        assert (due.rule_name, due.dataset_id, due.execution_id) == (rule.name, dataset.id, row.execution_id)
        assert isinstance(due, ToDraft)
        await online_results.drafted(tx, [due])
        assert await online_results.to_draft(tx, 9) == []
