"""Signing in."""

import asyncio
from datetime import timedelta

import pytest
from argon2 import PasswordHasher

from aloi.core.access import LOCAL, NewMember, Role, Workspace
from aloi.core.errors import Conflict, InvalidInput, NotSignedIn, TooMany
from aloi.service import audit
from aloi.service.accounts import access, api_keys, members, passwords
from aloi.service.accounts.throttle import Throttle
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import members as stored
from aloi.store import workspaces

PASSWORD = "four words that fit"
ANN = "ann@example.org"


@pytest.fixture
async def ann(context: Context) -> NewMember:
    """A member with a password."""
    return await members.add(context, ANN, Role.EDITOR, PASSWORD)


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Let sign-ins see a clock that goes ahead."""
    monkeypatch.setattr(access, "now", lambda: now() + by)


async def test_by_password(context: Context, ann: NewMember) -> None:
    signed_in = await access.sign_in(context, Throttle(), f" {ANN.upper()} ", PASSWORD, "::1")
    assert len(signed_in.token) == 43
    assert signed_in.principal == await access.authenticate(context, signed_in.token)
    assert (signed_in.principal.name, signed_in.principal.kind) == (ANN, "member")
    assert timedelta(days=13, hours=23) < signed_in.expires_at - now() <= timedelta(days=14)


async def test_a_wrong_password_and_an_unknown_email_are_told_alike(context: Context, ann: NewMember) -> None:
    said = set[str]()
    for email, password in ((ANN, "a wrong password"), ("ben@example.org", PASSWORD), (ANN, ""), ("\0", "\0")):
        with pytest.raises(NotSignedIn) as caught:
            await access.sign_in(context, Throttle(), email, password, "::1")
        said.add(str(caught.value))
    assert said == {"the email or the password is not right"}


async def test_a_member_without_a_password_has_none_that_fits(context: Context) -> None:
    await members.add(context, ANN, Role.EDITOR)
    with pytest.raises(NotSignedIn):
        await access.sign_in(context, Throttle(), ANN, "", "::1")


async def test_what_is_no_token(context: Context, ann: NewMember) -> None:
    for token in ("", "x", "aloi_", "aloi_" + "x" * 43, "\ud800", "x" * 43, "\0"):
        with pytest.raises(NotSignedIn):
            await access.authenticate(context, token)
        with pytest.raises(NotSignedIn):
            await access.sign_in_by_link(context, token)


async def test_a_session_lasts_14_days_from_its_last_use(
    context: Context, ann: NewMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = (await access.sign_in(context, Throttle(), ANN, PASSWORD, "::1")).token
    for days in (13, 26):
        later(monkeypatch, timedelta(days=days))
        await access.authenticate(context, token)
    later(monkeypatch, timedelta(days=26 + 14, minutes=1))
    with pytest.raises(NotSignedIn):
        await access.authenticate(context, token)


async def test_use_is_written_down_once_a_minute(
    context: Context, ann: NewMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = (await access.sign_in(context, Throttle(), ANN, PASSWORD, "::1")).token

    async def seen() -> object:
        return (await members.listing(context)).items[0].last_seen_at

    first = await seen()
    assert first is not None
    later(monkeypatch, timedelta(seconds=50))
    await access.authenticate(context, token)
    assert await seen() == first
    later(monkeypatch, timedelta(seconds=61))
    await access.authenticate(context, token)
    assert await seen() != first


async def test_guessing_is_slowed_down_by_email_and_by_address(context: Context, ann: NewMember) -> None:
    throttle = Throttle()
    for number in range(5):
        with pytest.raises(NotSignedIn):
            await access.sign_in(context, throttle, ANN, "a wrong password", f"10.0.0.{number}")
    with pytest.raises(TooMany):
        await access.sign_in(context, throttle, ANN, PASSWORD, "10.0.0.9")
    for number in range(5):
        with pytest.raises(NotSignedIn):
            await access.sign_in(context, throttle, f"{number}@example.org", "a wrong password", "10.0.0.7")
    with pytest.raises(TooMany):
        await access.sign_in(context, throttle, "ben@example.org", PASSWORD, "10.0.0.7")


async def test_guesses_at_once_get_no_further(context: Context, ann: NewMember) -> None:
    throttle = Throttle()
    guesses = [access.sign_in(context, throttle, ANN, f"wrong {number}", "::1") for number in range(12)]
    ended = await asyncio.gather(*guesses, return_exceptions=True)
    assert sum(isinstance(end, NotSignedIn) for end in ended) == 5
    assert sum(isinstance(end, TooMany) for end in ended) == 7


async def test_signing_in_forgives_the_email(context: Context, ann: NewMember) -> None:
    throttle = Throttle()
    for number in range(8):
        if number == 4:
            await access.sign_in(context, throttle, ANN, PASSWORD, "10.0.0.200")
        with pytest.raises(NotSignedIn):
            await access.sign_in(context, throttle, ANN, "a wrong password", f"10.0.0.{number}")


async def test_the_log_tells_of_sign_ins_in_the_members_own_workspace(context: Context) -> None:
    elsewhere = Workspace(id=new_id(), name="elsewhere")
    async with context.database.transaction() as tx:
        await workspaces.create(tx, elsewhere)
    theirs = context.acting_as(LOCAL.model_copy(update={"workspace": elsewhere}))
    ann = (await members.add(theirs, ANN, Role.OWNER, PASSWORD)).member
    with pytest.raises(NotSignedIn):
        await access.sign_in(context, Throttle(), ANN, "a wrong password", "::1")
    await access.sign_in(context, Throttle(), ANN, PASSWORD, "::1")
    link = (await members.link(theirs, ann.id)).link
    await access.sign_in_by_link(context, str(link).partition("=")[2])
    entries = (await audit.listing(theirs, action="sign_in.")).items
    assert [(entry.action, entry.actor) for entry in entries] == [
        ("sign_in.link", ANN),
        ("sign_in.password", ANN),
        ("sign_in.failed", ANN),
    ]
    assert (await audit.listing(context)).total == 0


async def test_a_link_expires_after_half_an_hour(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    token = str((await members.add(context, ANN, Role.EDITOR)).link).partition("=")[2]
    later(monkeypatch, timedelta(minutes=31))
    with pytest.raises(NotSignedIn, match="expired"):
        await access.sign_in_by_link(context, token)
    later(monkeypatch, timedelta(minutes=29))
    await access.sign_in_by_link(context, token)


async def test_of_two_who_use_a_link_at_once_one_is_signed_in(context: Context) -> None:
    token = str((await members.add(context, ANN, Role.EDITOR)).link).partition("=")[2]
    attempts = [access.sign_in_by_link(context, token) for _ in range(4)]
    ended = await asyncio.gather(*attempts, return_exceptions=True)
    assert sum(isinstance(end, NotSignedIn) for end in ended) == 3


async def test_signing_out_ends_that_session_alone(context: Context, ann: NewMember) -> None:
    first, second = [(await access.sign_in(context, Throttle(), ANN, PASSWORD, "::1")).token for _ in range(2)]
    await access.sign_out(context, first)
    with pytest.raises(NotSignedIn):
        await access.authenticate(context, first)
    assert await access.authenticate(context, second)
    key = await api_keys.create(context, "ci", Role.EDITOR)
    with pytest.raises(Conflict, match="revoke"):
        await access.sign_out(context, key.secret)


async def test_a_new_password_ends_the_other_sessions(context: Context, ann: NewMember) -> None:
    throttle = Throttle()
    first, second = [(await access.sign_in(context, throttle, ANN, PASSWORD, "::1")).token for _ in range(2)]
    acting = context.acting_as(await access.authenticate(context, first))
    for current in (None, "", "a wrong password"):
        with pytest.raises(InvalidInput, match="current password"):
            await access.set_password(acting, throttle, first, current, "another password")
    with pytest.raises(InvalidInput, match="characters"):
        await access.set_password(acting, throttle, first, PASSWORD, "short")
    assert await access.authenticate(context, second)
    await access.set_password(acting, throttle, first, PASSWORD, "another password")
    assert await access.authenticate(context, first)
    with pytest.raises(NotSignedIn):
        await access.authenticate(context, second)
    await access.sign_in(context, Throttle(), ANN, "another password", "::1")
    assert (await audit.listing(context, action="member.password")).total == 1


async def test_the_current_password_is_not_guessed_either(context: Context, ann: NewMember) -> None:
    throttle = Throttle()
    token = (await access.sign_in(context, throttle, ANN, PASSWORD, "::1")).token
    acting = context.acting_as(await access.authenticate(context, token))
    for _ in range(5):
        with pytest.raises(InvalidInput):
            await access.set_password(acting, throttle, token, "a wrong password", "another password")
    with pytest.raises(TooMany):
        await access.set_password(acting, throttle, token, PASSWORD, "another password")


async def test_the_first_password_needs_no_current_one(context: Context) -> None:
    added = await members.add(context, ANN, Role.EDITOR)
    signed_in = await access.sign_in_by_link(context, str(added.link).partition("=")[2])
    acting = context.acting_as(signed_in.principal)
    await access.set_password(acting, Throttle(), signed_in.token, None, PASSWORD)
    await access.sign_in(context, Throttle(), ANN, PASSWORD, "::1")


async def test_who_is_no_member_has_no_password(context: Context) -> None:
    with pytest.raises(Conflict, match="local is no member"):
        await access.set_password(context, Throttle(), "", None, PASSWORD)


async def test_older_parameters_are_replaced_at_the_next_sign_in(context: Context, ann: NewMember) -> None:
    outdated = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    async with context.database.transaction() as tx:
        await stored.set_password(tx, ann.member.id, outdated)
    await access.sign_in(context, Throttle(), ANN, PASSWORD, "::1")
    async with context.database.read() as rx:
        account = await stored.account_by_email(rx, ANN)
    assert account is not None and account.password_hash is not None
    assert not PasswordHasher().check_needs_rehash(account.password_hash)
    await access.sign_in(context, Throttle(), ANN, PASSWORD, "::1")


async def test_the_first_owner_is_made_once(context: Context) -> None:
    assert not await access.has_users(context)
    first = await access.first_owner(context, "Me@Localhost")
    assert (first.member.email, first.member.role) == ("me@localhost", Role.OWNER)
    assert await access.has_users(context)
    again = await access.first_owner(context, "other@localhost")
    assert again.member == first.member and again.link != first.link
    with pytest.raises(NotSignedIn):
        await access.sign_in_by_link(context, str(first.link).partition("=")[2])
    signed_in = await access.sign_in_by_link(context, str(again.link).partition("=")[2])
    assert signed_in.principal.role is Role.OWNER
    assert (await members.listing(context)).total == 1


async def test_the_first_owner_cannot_be_somebody_elses_member(context: Context) -> None:
    await members.add(context, ANN, Role.VIEWER)
    with pytest.raises(Conflict, match="already"):
        await access.first_owner(context, ANN)
    with pytest.raises(InvalidInput):
        await access.first_owner(context, "no email")


async def test_of_a_flood_of_guesses_only_the_allowed_ones_are_looked_at(
    context: Context, ann: NewMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = 0
    fits = passwords.fits

    async def counted(password: str, password_hash: str | None) -> bool:
        nonlocal looked_at
        looked_at += 1
        return await fits(password, password_hash)

    monkeypatch.setattr(passwords, "fits", counted)
    throttle = Throttle()
    guesses = [access.sign_in(context, throttle, f"{number}@example.org", "wrong", "::1") for number in range(60)]
    told = await asyncio.gather(*guesses, return_exceptions=True)
    assert {type(fault) for fault in told} == {NotSignedIn, TooMany}
    assert looked_at <= 6
