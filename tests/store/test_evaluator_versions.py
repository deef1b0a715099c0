"""Versions of saved evaluators in the database."""

import pytest

from aloi.core.binding import Binding
from aloi.core.errors import AloiError, NotFound
from aloi.core.run import GradedBy
from aloi.core.saved_evaluator import EvaluatorVersion
from aloi.core.spec import JsonObject
from aloi.store import evaluator_versions
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, another_workspace, new_id

OK: JsonObject = {"kind": "contains", "text": "ok"}


async def added(tx: Connection, evaluator_id: str, *specs: JsonObject) -> list[EvaluatorVersion]:
    """Its versions, counted from 1."""
    made = [
        EvaluatorVersion(
            evaluator_id=evaluator_id, number=number, spec=spec, note="é", created_by="ann", created_at=NOW
        )
        for number, spec in enumerate(specs, start=1)
    ]
    for version in made:
        await evaluator_versions.add(tx, version, new_id())
    return made


async def test_the_newest_first(db: Database) -> None:
    evaluator_id = new_id()
    async with db.transaction() as tx:
        first, second, third = await added(tx, evaluator_id, OK, {"kind": "regex"}, {"kind": "x"})
        await added(tx, new_id(), OK)
    async with db.read() as rx:
        assert await evaluator_versions.page(rx, evaluator_id, 0, 2) == [third, second]
        assert await evaluator_versions.page(rx, evaluator_id, 2, 2) == [first]
        assert await evaluator_versions.count(rx, evaluator_id) == 3
        assert await evaluator_versions.get(rx, evaluator_id, 2) == second
        for absent, number in ((evaluator_id, 4), (new_id(), 1), ("x", 1)):
            with pytest.raises(NotFound, match=f"no version {number}"):
                await evaluator_versions.get(rx, absent, number)
        assert await evaluator_versions.count(rx, "x") == 0


async def test_a_number_is_used_once(db: Database) -> None:
    evaluator_id = new_id()
    with pytest.raises(AloiError):
        async with db.transaction() as tx:
            await added(tx, evaluator_id, OK)
            await added(tx, evaluator_id, OK)


@pytest.mark.parametrize("statement", ["DELETE FROM evaluator_versions", "UPDATE evaluator_versions SET spec = '{}'"])
async def test_none_is_changed_or_deleted(db: Database, statement: str) -> None:
    evaluator_id = new_id()
    async with db.transaction() as tx:
        [made] = await added(tx, evaluator_id, OK)
    with pytest.raises(AloiError, match="append-only"):
        async with db.transaction() as tx:
            await tx.execute(statement)
    async with db.read() as rx:
        assert await evaluator_versions.page(rx, evaluator_id, 0, 9) == [made]


async def test_another_workspace_sees_none(db: Database) -> None:
    evaluator_id, other = new_id(), await another_workspace(db)
    async with db.transaction() as tx:
        await added(tx, evaluator_id, OK)
    async with other.read() as rx:
        assert await evaluator_versions.page(rx, evaluator_id, 0, 9) == []
        assert await evaluator_versions.count(rx, evaluator_id) == 0
        with pytest.raises(NotFound):
            await evaluator_versions.get(rx, evaluator_id, 1)


async def test_which_versions_grade(db: Database) -> None:
    """A version counts only where it says what the binding says."""
    evaluator_id = new_id()

    def saved(name: str, spec: JsonObject, version: int | None) -> Binding:
        return Binding(name=name, spec=spec, evaluator_id=evaluator_id, version=version)

    bindings = [
        Binding(name="written here", spec=OK),
        saved("named", OK, 1),
        saved("unknown", OK, None),
        saved("claimed", OK, 2),
        saved("of none", {"kind": "exact_match"}, 1),
    ]
    async with db.transaction() as tx:
        await added(tx, evaluator_id, OK, {"kind": "regex"}, OK)
        found = await evaluator_versions.graded_by(tx, bindings)
    numbers = {"named": 1, "unknown": 3, "claimed": 3}
    assert found == tuple(
        GradedBy(name=name, evaluator_id=evaluator_id, version=number) for name, number in numbers.items()
    )
