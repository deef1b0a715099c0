"""Narrowing members to some targets, what the audit log keeps of it, and that nothing widens it in silence."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.access import Principal, Role
from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.core.listing import DatasetFilter
from aloi.core.spec import JsonObject
from aloi.core.target_record import TargetFilter
from aloi.service import audit, datasets, saved_evaluators, targets
from aloi.service.accounts import access, grants, members
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.settings import Settings
from tests.store.backends import BACKENDS, fresh

EMAIL = "bob@example.org"


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    async with fresh(request, tmp_path) as address:
        opened = await Context.open(Settings(home=tmp_path, database_url=address), {}, served=True)
        yield opened
        await opened.close()


async def bob(context: Context, role: Role = Role.EDITOR) -> tuple[str, str]:
    """A member: their id, and the token of their session."""
    added = await members.add(context, EMAIL, role)
    assert added.link is not None
    return added.member.id, (await access.sign_in_by_link(context, added.link.partition("token=")[2])).token


async def target(context: Context, name: str) -> str:
    return (await targets.create(context, name, "", {"kind": "replay", "outputs": {"a": "b"}})).id


async def seen(context: Context, principal: Principal) -> set[str]:
    """The names of the targets, and of the datasets, that are seen."""
    theirs = context.acting_as(principal)
    found = await targets.listing(theirs, 1, 100, TargetFilter())
    sets = await datasets.page(theirs, DatasetFilter(), 1, 100)
    return {record.name for record in found.items} | {entry.name for entry in sets.items}


async def test_it_counts_from_the_next_request_on(context: Context) -> None:
    one, two = await target(context, "one"), await target(context, "two")
    member, token = await bob(context)
    assert (await access.authenticate(context, token)).targets is None
    told = await grants.replace(context, member, ["one"])
    assert told.targets is not None and [found.id for found in told.targets] == [one]
    assert (await access.authenticate(context, token)).targets == (one,)
    assert await seen(context, await access.authenticate(context, token)) == {"one"}
    await grants.replace(context, member, [two, "two", one])
    assert (await access.authenticate(context, token)).targets == tuple(sorted([one, two]))
    await grants.replace(context, member, [])
    assert (await access.authenticate(context, token)).targets == ()
    assert await seen(context, await access.authenticate(context, token)) == set()
    await grants.replace(context, member, None)
    assert (await access.authenticate(context, token)).targets is None
    assert await seen(context, await access.authenticate(context, token)) == {"one", "two"}


async def test_a_new_member_is_narrowed_from_the_beginning(context: Context) -> None:
    one = await target(context, "one")
    added = await members.add(context, EMAIL, Role.EDITOR, targets=["one"])
    link = added.link or ""
    principal = (await access.sign_in_by_link(context, link.partition("token=")[2])).principal
    assert (added.member.granted, principal.targets) == (1, (one,))
    assert (await members.add(context, "eve@example.org", Role.VIEWER, targets=[])).member.granted == 0
    assert [entry.action for entry in (await audit.listing(context, q=EMAIL)).items][1:] == [
        "member.grants",
        "member.add",
    ]
    for role, targets_, error in ((Role.OWNER, ["one"], Conflict), (Role.VIEWER, ["nobody"], NotFound)):
        with pytest.raises(error):
            await members.add(context, "new@example.org", role, targets=targets_)
    assert "new@example.org" not in str(await members.listing(context))


async def test_who_signs_in_is_told_their_targets(context: Context) -> None:
    one = await target(context, "one")
    member, _ = await bob(context)
    await grants.replace(context, member, ["one"])
    link = (await members.link(context, member)).link or ""
    assert (await access.sign_in_by_link(context, link.partition("token=")[2])).principal.targets == (one,)


async def test_the_audit_log_has_what_was_and_what_is(context: Context) -> None:
    await target(context, "one")
    member, _ = await bob(context)
    await grants.replace(context, member, ["one"])
    await grants.replace(context, member, ["one"])  # changes nothing
    await grants.replace(context, member, None)
    entries = (await audit.listing(context, action="member.grants")).items
    assert [(entry.object_name, entry.before, entry.after) for entry in entries] == [
        (EMAIL, {"targets": ["one"]}, {"targets": None}),
        (EMAIL, {"targets": None}, {"targets": ["one"]}),
    ]


async def test_owners_are_not_narrowed(context: Context) -> None:
    await target(context, "one")
    member, _ = await bob(context)
    await grants.replace(context, member, ["one"])
    with pytest.raises(Conflict, match="narrowed to 1 target, and an owner sees everything; grant them all"):
        await members.change(context, member, role=Role.OWNER)
    assert (await members.change(context, member, role=Role.VIEWER)).granted == 1
    await grants.replace(context, member, None)
    await members.change(context, member, role=Role.OWNER)
    with pytest.raises(Conflict, match="is an owner, who sees and manages everything"):
        await grants.replace(context, member, ["one"])
    assert (await grants.replace(context, member, None)).targets is None


async def test_what_is_not_there(context: Context) -> None:
    member, _ = await bob(context)
    for refs in (["nobody"], [new_id()]):
        with pytest.raises(NotFound, match="there is no target"):
            await grants.replace(context, member, refs)
    assert (await grants.get(context, member)).targets is None
    with pytest.raises(NotFound, match="there is no member"):
        await grants.replace(context, new_id(), [])
    with pytest.raises(NotFound, match="there is no member"):
        await grants.get(context, new_id())
    with pytest.raises(InvalidInput, match="at most 1000"):
        await grants.replace(context, member, ["x"] * 1001)


async def test_a_deleted_target_widens_nobody(context: Context) -> None:
    """Its grants go, and what was of it does not become everybody's."""
    one, two = await target(context, "one"), await target(context, "two")
    secret = await datasets.create(context, {"name": "of two", "target_id": two})
    spec: JsonObject = {"kind": "contains", "text": "secret"}
    rule = await saved_evaluators.create(context, {"name": "rule of two", "spec": spec, "target_id": two})
    await datasets.create(context, {"name": "of none"})
    member, token = await bob(context)
    await grants.replace(context, member, [one])
    assert await seen(context, await access.authenticate(context, token)) == {"one", "of none"}
    await targets.delete(context, two)
    assert (await datasets.read(context, secret.id)).target_id is None
    narrow = await access.authenticate(context, token)
    assert await seen(context, narrow) == {"one", "of none"}
    with pytest.raises(NotFound):
        await saved_evaluators.read(context.acting_as(narrow), rule.id)
    await targets.delete(context, one)
    assert (await access.authenticate(context, token)).targets == ()
    assert (await grants.get(context, member)).targets == ()
    # Somebody who sees it says that it is for any target.
    await datasets.update(context, secret.id, {"target_id": None})
    assert await seen(context, await access.authenticate(context, token)) == {"of none", "of two"}
