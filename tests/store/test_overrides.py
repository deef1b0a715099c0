"""Overrides: kept as they were, for ever."""

import pytest

from aloi.core.errors import AloiError
from aloi.core.gate import DatasetGate, GateRun, GateState, Override, allows, policy_state
from aloi.store import overrides, targets
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, a_version, another_workspace, new_id

RUN = GateRun(run_id=new_id(), passed=7, failed=2, errors=1, finished_at=NOW, deleted=True)
POLICY = policy_state(DatasetGate(dataset_id=new_id(), threshold=0.9), "Réfunds 😀", "bot@2", RUN, None)


def an_override(target_id: str, version: int = 2, reason: str = "it is urgent") -> Override:
    state = GateState(
        target_id=target_id, target_name="bot", version=version, allowed=allows([POLICY]), policies=(POLICY,)
    )
    return Override(id=new_id(), target_id=target_id, version=version, reason=reason, by="ann@b.c", at=NOW, state=state)


async def written(tx: Connection, target_id: str, **fields: int | str) -> Override:
    made = an_override(target_id).model_copy(update=fields)
    await overrides.insert(tx, made)
    return made


async def test_they_come_back_as_they_were_newest_first(db: Database):
    target_id = new_id()
    async with db.transaction() as tx:
        made = [await written(tx, target_id, version=number, reason=f"é {number}") for number in (1, 2, 3)]
        await written(tx, new_id())
        page = await overrides.page(tx, target_id, 1, 2)
        assert (page.items, page.total, page.pages) == ((made[2], made[1]), 3, 2)
        assert (await overrides.page(tx, target_id, 2, 2)).items == (made[0],)


async def test_another_workspace_has_its_own(db: Database):
    other, target_id = await another_workspace(db), new_id()
    async with db.transaction() as tx:
        await written(tx, target_id)
    async with other.read() as rx:
        assert (await overrides.page(rx, target_id, 1, 20)).total == 0


@pytest.mark.parametrize(
    "statement",
    ["DELETE FROM overrides", "UPDATE overrides SET reason = 'none'", "UPDATE overrides SET version = version"],
)
async def test_the_database_itself_lets_none_be_changed_or_deleted(db: Database, statement: str):
    async with db.transaction() as tx:
        made = await written(tx, new_id())
    with pytest.raises(AloiError, match="append-only"):
        async with db.transaction() as tx:
            await tx.execute(statement)
    async with db.read() as rx:
        assert (await overrides.page(rx, made.target_id, 1, 20)).items == (made,)


async def test_the_version_is_marked_and_they_outlive_their_target(db: Database):
    async with db.transaction() as tx:
        version = await a_version(tx)
        assert not version.overridden
        made = await written(tx, version.target_id, version=1)
        await written(tx, new_id(), version=1)
        assert (await targets.version(tx, "bot", 1)).overridden
        assert not (await a_version(tx, "other")).overridden
        await targets.delete(tx, version.target_id)
        assert (await overrides.page(tx, version.target_id, 1, 20)).items == (made,)


async def test_none_is_replaced_either(db: Database):
    async with db.transaction() as tx:
        await written(tx, new_id())
    replace = {
        "sqlite": "INSERT OR REPLACE INTO overrides SELECT * FROM overrides",
        "postgresql": "INSERT INTO overrides SELECT * FROM overrides ON CONFLICT (id) DO UPDATE SET reason = ''",
    }
    with pytest.raises(AloiError, match="append-only"):
        async with db.transaction() as tx:
            await tx.execute(replace[tx.dialect.name])
