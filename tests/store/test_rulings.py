"""What evaluators said, as the calibration of judges reads it."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.label import Label
from aloi.core.result import CaseResult, case_result
from aloi.core.ruling import RuledResult, Ruling
from aloi.core.score import JudgeSample, Score, Verdict
from aloi.store import cases, labels, results, revisions, rulings
from aloi.store.codec import pack_id
from aloi.store.database import Database
from aloi.store.labels import Place
from aloi.store.results import GradedRow
from aloi.store.rulings import Scope
from tests.store.samples import NOW, Stored, a_dataset, a_run, another_workspace, answer, new_id, some_cases

JUDGED = Score(
    evaluator="polite",
    kind="llm_judge",
    value=2 / 3,
    verdict=Verdict.PASS,
    explanation="mostly",
    samples=tuple(JudgeSample(value=1.0 * vote, passed=vote, reasoning="r") for vote in (True, False, True)),
    disagreed=True,
)
EXACT = Score(evaluator="contains", kind="contains", value=0.0, verdict=Verdict.FAIL, explanation="no", weight=0)
RULINGS = (
    Ruling("polite", "llm_judge", 1.0, Verdict.PASS, (True, False, True)),
    Ruling("contains", "contains", 0.0, Verdict.FAIL, ()),
)


async def write(
    db: Database, stored: Stored, scores: Sequence[Score] = (JUDGED, EXACT), last: int | None = None
) -> None:
    """Results of those scores for all cases, or for those up to a position."""

    def result(position: int) -> CaseResult:
        case = stored.cases[position]
        return case_result(case.id, case.key, 0, answer("hi"), scores, ["absent"])

    positions = range(len(stored.cases) if last is None else last)
    graded = [GradedRow(place, 0, stored.execution_id(place, 0), result(place)) for place in positions]
    async with db.transaction() as tx:
        await results.write(tx, stored.run.id, [stored.invoked(place) for place in positions], graded)


async def label(db: Database, stored: Stored, position: int, seconds: int = 0) -> None:
    given = Label(
        case_key=stored.cases[position].key,
        trial=0,
        verdict="fail",
        note="",
        blind=False,
        by="ann",
        at=NOW + timedelta(seconds=seconds),
    )
    async with db.transaction() as tx:
        await labels.give(tx, stored.run.id, Place(position, 0), given)


async def found(db: Database, scope: Scope) -> list[rulings.LabelledRuling]:
    async with db.read() as rx:
        return [one async for one in rulings.labelled(rx, scope)]


@pytest.mark.parametrize("page", [1, 2, 1000])
async def test_the_rulings_of_a_run_over_pages(db: Database, monkeypatch: pytest.MonkeyPatch, page: int) -> None:
    monkeypatch.setattr(rulings, "PAGE", page)
    stored = await a_run(db)
    await write(db, stored)
    async with db.read() as rx:
        read = [one async for one in rulings.of_run(rx, stored.run.id)]
    assert [one.result for one in read] == [
        RuledResult(position, 0, Verdict.PASS, RULINGS, ("absent",)) for position in range(3)
    ]
    assert not any(one.copied for one in read)


async def test_a_result_that_was_carried_over_is_a_copy_while_its_origin_is_there(db: Database) -> None:
    first = await a_run(db)
    await write(db, first)
    again = await a_run(db, parent=first)
    async with db.transaction() as tx:
        await results.carry(tx, first.run.id, again.run.id, [Verdict.PASS])
    async with db.transaction() as tx:
        assert [one.copied async for one in rulings.of_run(tx, again.run.id)] == [True] * 3
        await tx.execute("DELETE FROM results WHERE run_id = ?", (pack_id(first.run.id),))
        assert [one.copied async for one in rulings.of_run(tx, again.run.id)] == [False] * 3


@pytest.mark.parametrize("page", [1, 1000])
async def test_labelled_results_by_scope(db: Database, monkeypatch: pytest.MonkeyPatch, page: int) -> None:
    monkeypatch.setattr(rulings, "PAGE", page)
    one, two = await a_run(db), await a_run(db)
    for stored in (one, two):
        await write(db, stored)
        await label(db, stored, 0)
        await label(db, stored, 2, seconds=5)
    everything = await found(db, Scope())
    assert [(row.run_id, row.result.position) for row in everything] == [
        (stored.run.id, position) for stored in (one, two) for position in (0, 2)
    ]
    first = everything[0]
    assert (first.label, first.result.rulings) == ("fail", RULINGS)
    assert first.execution == pack_id(one.execution_id(0, 0))
    assert everything[1].given_at > first.given_at
    assert await found(db, Scope(run_id=one.run.id)) == everything[:2]
    assert await found(db, Scope(dataset_id=two.dataset.id)) == everything[2:]
    assert await found(db, Scope(target_id=one.version.target_id)) == everything
    assert await found(db, Scope(target_id=new_id())) == []
    assert await found(db, Scope(dataset_id=one.dataset.id, run_id=two.run.id)) == []


async def test_runs_of_a_scope(db: Database) -> None:
    one, two = await a_run(db), await a_run(db)
    async with db.read() as rx:
        assert [run.id for run in await rulings.runs_in(rx, Scope(), 0, 10)] == [two.run.id, one.run.id]
        assert [run.id for run in await rulings.runs_in(rx, Scope(), 1, 1)] == [one.run.id]
        assert await rulings.count_runs(rx, Scope()) == 2
        assert await rulings.count_runs(rx, Scope(dataset_id=one.dataset.id)) == 1
        assert await rulings.runs_of(rx, [one.run.id, new_id()]) == {one.run.id: one.run}
        assert await rulings.runs_of(rx, []) == {}


async def test_another_workspace_sees_nothing(db: Database) -> None:
    stored = await a_run(db)
    await write(db, stored)
    await label(db, stored, 0)
    other = await another_workspace(db)
    assert await found(other, Scope(run_id=stored.run.id)) == []
    async with other.read() as rx:
        assert [one async for one in rulings.of_run(rx, stored.run.id)] == []
        assert await rulings.runs_in(rx, Scope(), 0, 10) == []
        assert await rulings.count_runs(rx, Scope()) == 0
        assert await rulings.runs_of(rx, [stored.run.id]) == {}


async def test_the_cases_with_rules_of_their_own(db: Database) -> None:
    inline = Binding.model_validate({"kind": "llm_judge", "rubric": "Short."})
    given = [
        *some_cases("plain"),
        Case(key="inline", input="x", evaluators=(inline,)),
        Case(key="criteria", input="x", criteria={"contains": {"text": "y"}}),
        Case(key="quoted", input='say "criteria":'),
        Case(key="nested", input={"criteria": 1, "evaluators": []}),
    ]
    async with db.transaction() as tx:
        dataset = await a_dataset(tx, given=given)
        revision = await revisions.freeze(tx, dataset, dataset.bindings, cases.pages(tx, dataset.id), new_id, NOW)
        own = await rulings.own_rules(tx, revision.id)
    assert {position: (rules.criteria, rules.evaluators) for position, rules in own.items()} == {
        1: ({}, (inline,)),
        2: ({"contains": {"text": "y"}}, ()),
    }
