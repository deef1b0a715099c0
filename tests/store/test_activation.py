"""The statement that makes another version the active one."""

from datetime import timedelta

from aloi.store import activation, targets
from aloi.store.database import Database
from tests.store.samples import NOW, a_version, another_workspace, new_id


async def test_it_is_that_targets_active_version_then(db: Database):
    async with db.transaction() as tx:
        version = await a_version(tx)
        await a_version(tx, "other")
        await targets.add_version(tx, await targets.get(tx, "bot"), {}, {}, "cd" * 32, new_id, NOW)
        await activation.activate(tx, version.target_id, 2, NOW + timedelta(seconds=1))
        found = await targets.get(tx, "bot")
        assert (found.active, found.updated_at) == (2, NOW + timedelta(seconds=1))
        assert (await targets.get(tx, "other")).active == 1


async def test_not_in_another_workspace(db: Database):
    other = await another_workspace(db)
    async with db.transaction() as tx:
        version = await a_version(tx)
    async with other.transaction() as tx:
        await activation.activate(tx, version.target_id, 2, NOW)
    async with db.read() as rx:
        assert (await targets.get(rx, "bot")).active == 1


async def test_a_change_of_the_target_leaves_it(db: Database):
    async with db.transaction() as tx:
        await a_version(tx)
        changed = (await targets.get(tx, "bot")).model_copy(update={"active": 9, "description": "d"})
        await targets.update(tx, changed)
        assert (await targets.get(tx, "bot")).active == 1
