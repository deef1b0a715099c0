"""Members of a workspace."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.access import LOCAL, Role, Workspace
from aloi.core.errors import Conflict, InvalidInput, NotFound, NotSignedIn
from aloi.service import audit
from aloi.service.accounts import access, members
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store import workspaces
from tests.store.backends import BACKENDS, fresh


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The address of an empty database of each kind."""
    async with fresh(request, tmp_path) as address:
        yield address


async def sign_in(context: Context, link: str | None) -> str:
    """The token of a session that a link begins."""
    assert link is not None and link.startswith("/sign-in?token=")
    return (await access.sign_in_by_link(context, link.removeprefix("/sign-in?token="))).token


async def test_a_member_without_a_password_gets_a_link_that_works_once(context: Context) -> None:
    added = await members.add(context, " Ann@Example.org ", Role.EDITOR)
    assert (added.member.email, added.member.role, added.member.has_password) == ("ann@example.org", "editor", False)
    principal = await access.authenticate(context, await sign_in(context, added.link))
    assert (principal.name, principal.role, principal.member_id) == ("ann@example.org", Role.EDITOR, added.member.id)
    with pytest.raises(NotSignedIn, match="used already"):
        await sign_in(context, added.link)


async def test_a_member_with_a_password_gets_no_link(context: Context) -> None:
    added = await members.add(context, "ann@example.org", Role.VIEWER, "long enough")
    assert (added.link, added.member.has_password) == (None, True)


@pytest.mark.parametrize(
    "email",
    ["", "ann", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\n.c", "a@b\0c", "a@b\x7f", f"{'x' * 250}@b.cd"],
)
async def test_what_is_no_email(context: Context, email: str) -> None:
    with pytest.raises(InvalidInput, match="is not an email"):
        await members.add(context, email, Role.VIEWER)
    assert not await access.has_users(context)


async def test_an_email_is_one_members(context: Context) -> None:
    await members.add(context, "ann@example.org", Role.VIEWER)
    elsewhere = Workspace(id=new_id(), name="elsewhere")
    async with context.database.transaction() as tx:
        await workspaces.create(tx, elsewhere)
    for acting in (context, context.acting_as(LOCAL.model_copy(update={"workspace": elsewhere}))):
        with pytest.raises(Conflict, match="already"):
            await members.add(acting, "ANN@example.org", Role.OWNER)


async def test_a_password_that_will_not_do_adds_nobody(context: Context) -> None:
    with pytest.raises(InvalidInput, match="the password has 5 characters"):
        await members.add(context, "ann@example.org", Role.VIEWER, "short")
    assert not await access.has_users(context)


async def test_a_new_role_counts_at_once(context: Context) -> None:
    added = await members.add(context, "ann@example.org", Role.VIEWER)
    token = await sign_in(context, added.link)
    changed = await members.change(context, added.member.id, role=Role.EDITOR)
    assert changed.role is Role.EDITOR
    assert (await access.authenticate(context, token)).role is Role.EDITOR


async def test_removal_ends_sessions_and_links(context: Context) -> None:
    added = await members.add(context, "ann@example.org", Role.VIEWER)
    token = await sign_in(context, added.link)
    fresh_link = (await members.link(context, added.member.id)).link
    await members.remove(context, added.member.id)
    with pytest.raises(NotSignedIn):
        await access.authenticate(context, token)
    with pytest.raises(NotSignedIn):
        await sign_in(context, fresh_link)
    assert (await members.listing(context)).total == 0


async def test_a_fresh_link_ends_the_earlier_one(context: Context) -> None:
    added = await members.add(context, "ann@example.org", Role.VIEWER)
    again = await members.link(context, added.member.id)
    with pytest.raises(NotSignedIn):
        await sign_in(context, added.link)
    await sign_in(context, again.link)


async def test_an_owner_takes_a_forgotten_password_away(context: Context) -> None:
    added = await members.add(context, "ann@example.org", Role.VIEWER, "long enough")
    token = await sign_in(context, (await members.link(context, added.member.id)).link)
    changed = await members.change(context, added.member.id, forget=True)
    assert not changed.has_password
    with pytest.raises(NotSignedIn):
        await access.authenticate(context, token)
    changed = await members.change(context, added.member.id, password="another one")
    assert changed.has_password


async def test_the_last_owner_stays(context: Context) -> None:
    first = (await members.add(context, "first@example.org", Role.OWNER)).member
    await members.add(context, "editor@example.org", Role.EDITOR)
    with pytest.raises(Conflict, match=r"first@example\.org is the only owner"):
        await members.remove(context, first.id)
    with pytest.raises(Conflict, match="only owner"):
        await members.change(context, first.id, role=Role.EDITOR, password="long enough")
    assert (await members.change(context, first.id, role=Role.OWNER)).has_password is False
    second = (await members.add(context, "second@example.org", Role.OWNER)).member
    await members.change(context, first.id, role=Role.VIEWER)
    with pytest.raises(Conflict, match=r"second@example\.org is the only owner"):
        await members.remove(context, second.id)


async def test_of_two_owners_who_remove_each_other_one_stays(address: str, tmp_path: Path) -> None:
    contexts = [await Context.open(Settings(home=tmp_path, database_url=address), {}) for _ in range(2)]
    try:
        survivor = (await members.add(contexts[0], "first@b.c", Role.OWNER)).member
        for number in range(10):
            rival = (await members.add(contexts[0], f"{number}@b.c", Role.OWNER)).member
            ended = await asyncio.gather(
                members.remove(contexts[0], survivor.id),
                members.change(contexts[1], rival.id, role=Role.VIEWER),
                return_exceptions=True,
            )
            assert [type(end) for end in ended].count(Conflict) == 1, ended
            [survivor] = [m for m in (await members.listing(contexts[0])).items if m.role is Role.OWNER]
    finally:
        for context in contexts:
            await context.close()


async def test_unknown_members(context: Context) -> None:
    for member_id in (new_id(), "nope", ""):
        for attempt in (
            members.change(context, member_id, role=Role.OWNER),
            members.remove(context, member_id),
            members.link(context, member_id),
        ):
            with pytest.raises(NotFound, match="no member"):
                await attempt


async def test_the_log_has_every_change_and_no_secret(context: Context) -> None:
    added = await members.add(context, "ann@example.org", Role.VIEWER)
    link = (await members.link(context, added.member.id)).link
    await members.change(context, added.member.id, role=Role.EDITOR, password="a secret one")
    await members.change(context, added.member.id, role=Role.EDITOR)
    await members.remove(context, added.member.id)
    entries = (await audit.listing(context)).items
    assert [entry.action for entry in entries][::-1] == [
        "member.add",
        "member.link",
        "member.password",
        "member.update",
        "member.remove",
    ]
    updated = entries[1]
    assert updated.before == {"role": "viewer", "has_password": False}
    assert updated.after == {"role": "editor", "has_password": True}
    text = "".join(entry.model_dump_json() for entry in entries)
    for secret in ("a secret one", "argon2", str(link).partition("=")[2], str(added.link).partition("=")[2]):
        assert secret not in text
