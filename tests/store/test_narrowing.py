"""What members who are narrowed to some targets see of the tables."""

import pytest

from aloi.core.errors import NotFound
from aloi.store import datasets, narrowing, runs
from aloi.store.database import Database
from aloi.store.tables import TABLES
from tests.store.samples import Stored, a_run, a_version
from tests.store.test_connection_scopes import FOUND, Look, written


def narrowed(db: Database, *targets: str) -> Database:
    return db.in_workspace("00000000-0000-7000-8000-000000000001", targets)


def test_every_table_has_a_rule() -> None:
    """A new table gets its place in `narrowing.RULES`; until then, who is narrowed sees nothing of it."""
    assert set(narrowing.tables()) == set(narrowing.RULES)
    created = [name for statement in TABLES for name in narrowing.CREATED.findall(statement)]
    assert sorted(created) == sorted(narrowing.RULES)


def test_a_rule_names_no_table_above_it() -> None:
    """There the name would mean what is seen of the table, and the query would look twice."""
    for place, (table, rule) in enumerate(narrowing.RULES.items()):
        above = set(list(narrowing.RULES)[:place])
        assert not above & set(narrowing.WORD.findall(rule)), table


async def test_a_table_without_a_rule_is_empty(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = await a_run(db)
    others = {table: rule for table, rule in narrowing.RULES.items() if table != "runs"}
    monkeypatch.setattr(narrowing, "RULES", others)
    narrowing.seen.cache_clear()
    async with narrowed(db, stored.version.target_id).read() as rx:
        assert await runs.listing(rx) == []
    narrowing.seen.cache_clear()


def test_what_is_no_select_is_not_narrowed_in_silence() -> None:
    with pytest.raises(ValueError, match="begins with WITH"):
        narrowing.seen("WITH a AS (SELECT 1) SELECT * FROM a, runs", 1, "")


@pytest.mark.parametrize("name", FOUND)
async def test_what_is_of_another_target_is_not_found(db: Database, name: str):
    stored = await written(db)
    async with db.transaction() as tx:
        other = await a_version(tx, "other")
        await datasets.update(tx, stored.dataset.model_copy(update={"target_id": stored.version.target_id}))
    for granted in ([other.target_id], []):
        found = await looked(narrowed(db, *granted), FOUND[name], stored)
        # Of a list, what is granted is left.
        assert not found or stored.version.target_id not in repr(found)
        assert bool(found) is (name == "targets" and bool(granted))


@pytest.mark.parametrize("name", FOUND)
async def test_what_is_of_a_granted_target_is_found(db: Database, name: str):
    stored = await written(db)
    async with db.transaction() as tx:
        await datasets.update(tx, stored.dataset.model_copy(update={"target_id": stored.version.target_id}))
        whole = await FOUND[name](tx, stored)
    assert await looked(narrowed(db, stored.version.target_id), FOUND[name], stored) == whole


async def looked(db: Database, look: Look, stored: Stored) -> object:
    async with db.transaction() as tx:
        try:
            return await look(tx, stored)
        except NotFound:
            return None
