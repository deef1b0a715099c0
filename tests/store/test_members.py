"""Members of workspaces."""

from datetime import timedelta

import pytest

from aloi.core.access import FIRST_WORKSPACE, Member, Role, Workspace
from aloi.core.errors import Conflict, NotFound
from aloi.store import members, sign_ins, workspaces
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, new_id

MINUTE = timedelta(minutes=1)


async def new_member(tx: Connection, email: str, role: Role = Role.VIEWER, minutes: int = 0) -> Member:
    member = Member(id=new_id(), email=email, role=role, has_password=True, created_at=NOW + minutes * MINUTE)
    await members.create(tx, member, "hash")
    return member


async def another_workspace(db: Database) -> Database:
    other = Workspace(id=new_id(), name="other")
    async with db.transaction() as tx:
        await workspaces.create(tx, other)
    return db.in_workspace(other.id)


async def test_a_member_comes_back_as_it_was(db: Database):
    async with db.transaction() as tx:
        assert not await members.anyone(tx)
        member = await new_member(tx, "a@b.c", Role.EDITOR)
        assert await members.get(tx, member.id) == member
        account = await members.account_by_email(tx, "a@b.c")
        assert account == (member, Workspace(id=FIRST_WORKSPACE, name="default"), "hash")
        assert await members.account_by_id(tx, member.id) == account
        assert await members.anyone(tx)


async def test_pages_are_newest_first(db: Database):
    async with db.transaction() as tx:
        for number in range(5):
            await new_member(tx, f"{number}@b.c", minutes=number)
        page = await members.page(tx, 2, 2)
        assert ([member.email for member in page.items], page.total, page.pages) == (["2@b.c", "1@b.c"], 5, 3)
        assert (await members.page(tx, 1_000_000_000, 200)).items == ()


async def test_changes(db: Database):
    async with db.transaction() as tx:
        member = await new_member(tx, "a@b.c")
        await members.set_role(tx, member.id, Role.OWNER)
        await members.set_password(tx, member.id, None)
        await members.seen(tx, member.id, NOW + MINUTE)
        assert await members.get(tx, member.id) == member.model_copy(
            update={"role": Role.OWNER, "has_password": False, "last_seen_at": NOW + MINUTE}
        )


async def test_owners(db: Database):
    other = await another_workspace(db)
    async with other.transaction() as tx:
        await new_member(tx, "first@other.org", Role.OWNER)
    async with db.transaction() as tx:
        assert (await members.first_owner(tx), await members.owners(tx)) == (None, 0)
        await new_member(tx, "editor@b.c", Role.EDITOR)
        await new_member(tx, "second@b.c", Role.OWNER, minutes=2)
        first = await new_member(tx, "first@b.c", Role.OWNER, minutes=1)
        assert (await members.first_owner(tx), await members.owners(tx)) == (first, 2)


async def test_an_email_is_one_members_over_all_workspaces(db: Database):
    other = await another_workspace(db)
    async with db.transaction() as tx:
        await new_member(tx, "a@b.c")
    with pytest.raises(Conflict, match=r"a@b\.c is a member already"):
        async with other.transaction() as tx:
            await new_member(tx, "a@b.c")


async def test_members_of_other_workspaces_are_not_seen(db: Database):
    other = await another_workspace(db)
    async with other.transaction() as tx:
        theirs = await new_member(tx, "a@b.c")
    async with db.transaction() as tx:
        assert (await members.page(tx, 1, 20)).total == 0
        for attempt in (
            members.get(tx, theirs.id),
            members.set_role(tx, theirs.id, Role.OWNER),
            members.set_password(tx, theirs.id, None),
            members.delete(tx, theirs.id),
        ):
            with pytest.raises(NotFound, match="no member"):
                await attempt
    async with other.read() as rx:
        assert await members.get(rx, theirs.id) == theirs


@pytest.mark.parametrize("member_id", ["", "nope", "\0", "x" * 1000])
async def test_what_is_no_id_is_not_there(db: Database, member_id: str):
    async with db.read() as rx:
        with pytest.raises(NotFound):
            await members.get(rx, member_id)


async def test_deleting_takes_sessions_and_links_along(db: Database):
    later = NOW + MINUTE
    async with db.transaction() as tx:
        member = await new_member(tx, "a@b.c")
        await sign_ins.begin(tx, b"s" * 32, member.id, NOW, later)
        await sign_ins.set_link(tx, b"l" * 32, member.id, NOW, later)
        await members.delete(tx, member.id)
        assert await sign_ins.session(tx, b"s" * 32, NOW) is None
        assert await sign_ins.link(tx, b"l" * 32, NOW) is None
        assert await members.account_by_email(tx, "a@b.c") is None
