"""Which targets runs are of."""

from aloi.core.run_view import ShownTarget
from aloi.store import run_targets
from aloi.store.database import Database
from tests.store.samples import a_version, another_workspace, new_id


async def test_by_the_ids_of_versions(db: Database) -> None:
    async with db.transaction() as tx:
        one, two = await a_version(tx, "one"), await a_version(tx, "two")
        found = await run_targets.shown(tx, [one.id, two.id, one.id, new_id()])
        assert await run_targets.shown(tx, ()) == {}
    assert found == {version.id: ShownTarget(id=version.target_id, kind="openai") for version in (one, two)}
    async with (await another_workspace(db)).read() as rx:
        assert await run_targets.shown(rx, [one.id]) == {}
