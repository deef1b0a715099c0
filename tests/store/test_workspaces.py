"""Workspaces."""

import pytest

from aloi.core.access import FIRST_WORKSPACE, Workspace
from aloi.core.errors import Conflict, NotFound
from aloi.store import workspaces
from aloi.store.database import Database
from tests.store.samples import new_id


async def test_a_new_database_has_one(db: Database):
    async with db.read() as rx:
        assert await workspaces.present(rx) == Workspace(id=FIRST_WORKSPACE, name="default")


async def test_each_is_renamed_alone(db: Database):
    other = Workspace(id=new_id(), name="other")
    async with db.transaction() as tx:
        await workspaces.create(tx, other)
    async with db.in_workspace(other.id).transaction() as tx:
        assert await workspaces.present(tx) == other
        await workspaces.rename(tx, "é 😀")
        assert (await workspaces.present(tx)).name == "é 😀"
    async with db.read() as rx:
        assert (await workspaces.present(rx)).name == "default"


async def test_an_id_is_given_once(db: Database):
    with pytest.raises(Conflict):
        async with db.transaction() as tx:
            await workspaces.create(tx, Workspace(id=FIRST_WORKSPACE, name="again"))


async def test_one_that_is_not_there(db: Database):
    with pytest.raises(NotFound, match="sign in again"):
        async with db.in_workspace(new_id()).read() as rx:
            await workspaces.present(rx)
