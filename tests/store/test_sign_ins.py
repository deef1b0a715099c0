"""One-time links and sessions."""

from datetime import timedelta

from aloi.core.access import Role
from aloi.store import members, sign_ins
from aloi.store.database import Database
from tests.store.samples import NOW
from tests.store.test_members import another_workspace, new_member

HOUR = timedelta(hours=1)
ONE, TWO, THREE = b"1" * 32, b"2" * 32, b"3" * 32


async def test_a_session_is_found_in_whatever_workspace_until_it_expires(db: Database):
    other = await another_workspace(db)
    async with other.transaction() as tx:
        member = await new_member(tx, "a@b.c", Role.OWNER)
        await sign_ins.begin(tx, ONE, member.id, NOW, NOW + HOUR)
    async with db.read() as rx:
        account = await members.account_by_id(rx, member.id)
        assert await sign_ins.session(rx, ONE, NOW) == (account, NOW + HOUR, NOW)
        assert await sign_ins.session(rx, ONE, NOW + HOUR) is None
        assert await sign_ins.session(rx, TWO, NOW) is None


async def test_use_prolongs_a_session(db: Database):
    async with db.transaction() as tx:
        member = await new_member(tx, "a@b.c")
        await sign_ins.begin(tx, ONE, member.id, NOW, NOW + HOUR)
        await sign_ins.prolong(tx, ONE, NOW + HOUR / 2, NOW + 2 * HOUR)
        session = await sign_ins.session(tx, ONE, NOW + HOUR)
        assert session is not None
        assert session[1:] == (NOW + 2 * HOUR, NOW + HOUR / 2)


async def test_sessions_end(db: Database):
    async with db.transaction() as tx:
        first, second = await new_member(tx, "a@b.c"), await new_member(tx, "d@e.f")
        for token, member in ((ONE, first), (TWO, first), (THREE, second)):
            await sign_ins.begin(tx, token, member.id, NOW, NOW + HOUR)

        async def alive() -> list[bytes]:
            return [token for token in (ONE, TWO, THREE) if await sign_ins.session(tx, token, NOW)]

        await sign_ins.end_others(tx, first.id, kept=TWO)
        assert await alive() == [TWO, THREE]
        await sign_ins.end(tx, THREE)
        await sign_ins.end(tx, THREE)
        assert await alive() == [TWO]
        await sign_ins.end_others(tx, first.id)
        assert await alive() == []


async def test_a_link_works_once_and_until_it_expires(db: Database):
    async with db.transaction() as tx:
        member = await new_member(tx, "a@b.c")
        await sign_ins.set_link(tx, ONE, member.id, NOW, NOW + HOUR)
        assert await sign_ins.link(tx, ONE, NOW) == await members.account_by_id(tx, member.id)
        assert await sign_ins.link(tx, ONE, NOW + HOUR) is None
        assert await sign_ins.use_link(tx, ONE)
        assert not await sign_ins.use_link(tx, ONE)
        assert await sign_ins.link(tx, ONE, NOW) is None


async def test_a_fresh_link_ends_the_earlier_one_of_that_member(db: Database):
    async with db.transaction() as tx:
        first, second = await new_member(tx, "a@b.c"), await new_member(tx, "d@e.f")
        for token, member in ((ONE, first), (TWO, second), (THREE, first)):
            await sign_ins.set_link(tx, token, member.id, NOW, NOW + HOUR)
        assert [await sign_ins.link(tx, token, NOW) is not None for token in (ONE, TWO, THREE)] == [False, True, True]


async def test_what_expired_is_swept(db: Database):
    async with db.transaction() as tx:
        member = await new_member(tx, "a@b.c")
        await sign_ins.begin(tx, ONE, member.id, NOW, NOW + HOUR)
        await sign_ins.begin(tx, TWO, member.id, NOW, NOW + 2 * HOUR)
        await sign_ins.set_link(tx, THREE, member.id, NOW, NOW + HOUR)
        await sign_ins.sweep(tx, NOW + HOUR)
        # Asked as of before they expired, so that only what is deleted is missing.
        assert await sign_ins.session(tx, ONE, NOW) is None
        assert await sign_ins.session(tx, TWO, NOW) is not None
        assert await sign_ins.link(tx, THREE, NOW) is None
