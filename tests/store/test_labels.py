"""Labels of results: one for each, the last one stands."""

from datetime import timedelta

import pytest

from aloi.core.errors import InvalidInput, NotFound
from aloi.core.label import Label, LabelVerdict
from aloi.core.score import Verdict
from aloi.store import labels, result_pages, results, runs
from aloi.store.database import Database
from aloi.store.labels import Place
from tests.store.samples import NOW, Stored, a_run, another_workspace

KEYS = ("a", "b", "c")


async def a_finished_run(db: Database, trials: int = 1) -> Stored:
    stored = await a_run(db, KEYS)
    places = [(position, trial) for position in range(3) for trial in range(trials)]
    async with db.transaction() as tx:
        graded = [stored.graded(*place, verdict=list(Verdict)[place[0]]) for place in places]
        await results.write(tx, stored.run.id, [stored.invoked(*place) for place in places], graded)
    return stored


def said(verdict: LabelVerdict = "pass", key: str = "a", trial: int = 0, note: str = "") -> Label:
    return Label(case_key=key, trial=trial, verdict=verdict, note=note, blind=False, by="ann", at=NOW)


async def give(db: Database, stored: Stored, position: int, label: Label) -> None:
    async with db.transaction() as tx:
        await labels.give(tx, stored.run.id, Place(position, label.trial), label)


async def test_the_last_label_stands(db: Database) -> None:
    stored = await a_finished_run(db)
    await give(db, stored, 0, said())
    later = said("fail", note="ça\nva").model_copy(update={"blind": True, "by": "b", "at": NOW + timedelta(seconds=1)})
    await give(db, stored, 0, later)
    async with db.read() as rx:
        assert await labels.get(rx, stored.run.id, Place(0, 0)) == later
        assert await labels.of_case(rx, stored.run.id, "a", 0) == later
        assert await labels.get(rx, stored.run.id, Place(1, 0)) is None
        assert await labels.of_case(rx, stored.run.id, "b", 0) is None
        assert await labels.count(rx, stored.run.id) == 1


async def test_a_label_is_taken_away(db: Database) -> None:
    stored = await a_finished_run(db)
    await give(db, stored, 0, said())
    await give(db, stored, 1, said(key="b"))
    async with db.transaction() as tx:
        await labels.remove(tx, stored.run.id, Place(0, 0))
    async with db.read() as rx:
        assert await labels.page(rx, stored.run.id, 0, 10) == [said(key="b")]


async def test_each_trial_has_its_own(db: Database) -> None:
    stored = await a_finished_run(db, trials=2)
    given = [said("fail", "a", 1), said("pass", "b", 0), said("fail", "b", 1)]
    for label in given:
        await give(db, stored, KEYS.index(label.case_key), label)
    async with db.read() as rx:
        assert await labels.page(rx, stored.run.id, 0, 10) == given
        assert await labels.page(rx, stored.run.id, 1, 1) == given[1:2]
        assert await labels.every(rx, stored.run.id) == {(one.case_key, one.trial): one for one in given}
        assert await labels.verdicts(rx, stored.run.id, ["b", "z"]) == {("b", 0): "pass", ("b", 1): "fail"}
        assert await labels.verdicts(rx, stored.run.id, []) == {}


async def test_results_are_held_by_key_or_id_once_they_are_there(db: Database) -> None:
    stored = await a_finished_run(db)
    async with db.transaction() as tx:
        assert await labels.hold(tx, stored.run.id, "b", 0) == Place(1, 0)
        assert await labels.hold(tx, stored.run.id, stored.cases[2].id, 0) == Place(2, 0)
        with pytest.raises(NotFound, match="no case 'z'"):
            await labels.hold(tx, stored.run.id, "z", 0)
        with pytest.raises(NotFound, match="no result of trial 2"):
            await labels.hold(tx, stored.run.id, "b", 1)


async def test_the_places_of_all_results_or_of_those_without_a_label(db: Database) -> None:
    stored = await a_finished_run(db, trials=2)
    await give(db, stored, 1, said("pass", "b", 1))
    everything = [Place(position, trial) for position in range(3) for trial in range(2)]
    async with db.read() as rx:
        assert sorted(await labels.places(rx, stored.run.id, unlabelled=False)) == everything
        left = await labels.places(rx, stored.run.id, unlabelled=True)
        assert sorted(left) == [place for place in everything if place != (1, 1)]


async def test_places_are_told_in_the_order_that_is_asked_for(db: Database) -> None:
    stored = await a_finished_run(db, trials=2)
    await give(db, stored, 1, said("pass", "b", 1))
    async with db.read() as rx:
        found = await labels.at(rx, stored.run.id, [Place(1, 1), Place(0, 0), Place(1, 0)])
        assert await labels.at(rx, stored.run.id, []) == []
    assert [(one.case_key, one.trial, one.case_name) for one in found] == [
        ("b", 1, "Case b"),
        ("a", 0, "Case a"),
        ("b", 0, "Case b"),
    ]
    assert [one.label for one in found] == [said("pass", "b", 1), None, None]
    assert found[0].case_id == stored.cases[1].id


async def test_results_are_filtered_by_their_label(db: Database) -> None:
    stored = await a_finished_run(db)
    await give(db, stored, 1, said(key="b"))
    async with db.read() as rx:
        yes = await result_pages.page(rx, stored.run.id, labelled=True)
        no = await result_pages.page(rx, stored.run.id, text="Case", labelled=False)
        none = await result_pages.page(rx, stored.run.id, Verdict.PASS, labelled=True)
    assert ([one.case_key for one in yes.results], yes.total) == (["b"], 1)
    assert ([one.case_key for one in no.results], no.total) == (["a", "c"], 2)
    assert none.total == 0


async def test_labels_go_with_their_run(db: Database) -> None:
    stored = await a_finished_run(db)
    await give(db, stored, 0, said())
    async with db.transaction() as tx:
        await runs.delete(tx, stored.run.id)
        assert await tx.fetch("SELECT 1 FROM labels") == []


async def test_another_workspace_sees_none(db: Database) -> None:
    stored = await a_finished_run(db)
    await give(db, stored, 0, said())
    other = await another_workspace(db)
    async with other.transaction() as tx:
        assert await labels.get(tx, stored.run.id, Place(0, 0)) is None
        assert await labels.of_case(tx, stored.run.id, "a", 0) is None
        assert await labels.page(tx, stored.run.id, 0, 10) == []
        assert await labels.count(tx, stored.run.id) == 0
        assert await labels.every(tx, stored.run.id) == {}
        assert await labels.verdicts(tx, stored.run.id, ["a"]) == {}
        assert await labels.places(tx, stored.run.id, unlabelled=False) == []
        with pytest.raises(NotFound):
            await labels.hold(tx, stored.run.id, "a", 0)
        await labels.remove(tx, stored.run.id, Place(0, 0))
    async with db.read() as rx:
        assert await labels.count(rx, stored.run.id) == 1


async def test_a_note_that_cannot_be_stored(db: Database) -> None:
    stored = await a_finished_run(db)
    with pytest.raises(InvalidInput):
        await give(db, stored, 0, said(note="\ud800"))
