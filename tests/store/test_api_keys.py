"""Keys of programs."""

from datetime import timedelta

import pytest

from aloi.core.access import ApiKey, Role
from aloi.core.errors import Conflict, NotFound
from aloi.store import api_keys, workspaces
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, new_id
from tests.store.test_members import another_workspace

HOUR = timedelta(hours=1)
ONE, TWO = b"1" * 32, b"2" * 32


async def new_key(tx: Connection, key_hash: bytes = ONE, expires: timedelta | None = None, hours: int = 0) -> ApiKey:
    key = ApiKey(
        id=new_id(),
        name="ci é",
        prefix="aloi_abcdef",
        role=Role.EDITOR,
        created_by="a@b.c",
        created_at=NOW + hours * HOUR,
        expires_at=None if expires is None else NOW + expires,
    )
    await api_keys.create(tx, key, key_hash)
    return key


async def test_a_key_comes_back_as_it_was(db: Database):
    async with db.transaction() as tx:
        forever, limited = await new_key(tx), await new_key(tx, TWO, HOUR)
        assert [await api_keys.get(tx, key.id) for key in (forever, limited)] == [forever, limited]
        await api_keys.used(tx, forever.id, NOW + HOUR)
        assert (await api_keys.get(tx, forever.id)).last_used_at == NOW + HOUR
        assert (await api_keys.get(tx, limited.id)).last_used_at is None


async def test_a_key_opens_its_own_workspace_until_it_expires(db: Database):
    other = await another_workspace(db)
    async with other.transaction() as tx:
        key = await new_key(tx, ONE, HOUR)
        workspace = await workspaces.present(tx)
    async with db.read() as rx:
        assert await api_keys.known(rx, ONE, NOW) == (key, workspace)
        assert await api_keys.known(rx, ONE, NOW + HOUR) is None
        assert await api_keys.known(rx, TWO, NOW) is None


async def test_pages_are_newest_first(db: Database):
    async with db.transaction() as tx:
        keys = [await new_key(tx, bytes([number]) * 32, hours=number) for number in range(3)]
        assert (await api_keys.page(tx, 1, 2)).items == (keys[2], keys[1])
        assert (await api_keys.page(tx, 2, 2)).items == (keys[0],)
        assert (await api_keys.page(tx, 1, 20)).total == 3


async def test_a_deleted_key_opens_nothing(db: Database):
    async with db.transaction() as tx:
        key = await new_key(tx)
        await api_keys.delete(tx, key.id)
        assert await api_keys.known(tx, ONE, NOW) is None
        with pytest.raises(NotFound):
            await api_keys.get(tx, key.id)


async def test_keys_of_other_workspaces_are_not_seen(db: Database):
    other = await another_workspace(db)
    async with other.transaction() as tx:
        key = await new_key(tx)
    async with db.transaction() as tx:
        assert (await api_keys.page(tx, 1, 20)).total == 0
        with pytest.raises(NotFound):
            await api_keys.get(tx, key.id)
        await api_keys.delete(tx, key.id)
        assert await api_keys.known(tx, ONE, NOW) is not None


async def test_two_keys_are_never_one(db: Database):
    with pytest.raises(Conflict):
        async with db.transaction() as tx:
            await new_key(tx)
            await new_key(tx)
