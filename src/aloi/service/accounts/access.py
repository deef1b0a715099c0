"""Signing in: by a password, by a one-time link, by a session's token or by an API key."""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from aloi.core.access import Member, NewMember, Principal, Role, SignIn
from aloi.core.errors import Conflict, InvalidInput, NotSignedIn
from aloi.service.accounts import members, passwords
from aloi.service.accounts.throttle import Throttle
from aloi.service.accounts.tokens import digest, is_key, new_token
from aloi.service.audit import record
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import api_keys, grants, sign_ins
from aloi.store import members as stored
from aloi.store.connection import Connection
from aloi.store.members import Account

SESSION_LIFETIME: Final = timedelta(days=14)
# A use is written down at most so often: most requests only read.
TOUCH_AFTER: Final = timedelta(minutes=1)
REFUSED = "that token is not valid, or not any more; sign in again"
LINK_GONE = "that link was used already, or expired; ask an owner for a fresh one"


async def authenticate(context: Context, token: str) -> Principal:
    """Who holds a token: a session's or an API key.

    Raises:
        NotSignedIn: nobody does, or not any more.
    """
    return await (_by_key if is_key(token) else _by_session)(context, token)


async def sign_in(context: Context, throttle: Throttle, email: str, password: str, address: str) -> SignIn:
    """Begin a session by email and password.

    Args:
        address: the client's, which is made to wait when it fails often, as the email is.

    Raises:
        NotSignedIn: the email or the password is not right; the message does not say which.
        TooMany: the email or the address failed too often.
    """
    email = email.strip().lower()
    keys = (f"email {email}", f"address {address}")
    throttle.check(keys, time.monotonic())
    async with context.database.read() as rx:
        account = await stored.account_by_email(rx, email)
    fits = await _fits(throttle, keys, account, password)
    if account is None or not fits:
        await _refuse(context, account)
        raise NotSignedIn("the email or the password is not right")
    throttle.forgive(keys[0])
    await _hash_anew(context, account, password)
    return await _begin(context, account, "sign_in.password")


async def sign_in_by_link(context: Context, token: str) -> SignIn:
    """Begin a session by a one-time link's token, which is used up.

    Raises:
        NotSignedIn: it is none, was used, or expired.
    """
    async with context.database.read() as rx:
        account = await sign_ins.link(rx, digest(token), now())
    if account is None:
        raise NotSignedIn(LINK_GONE)
    return await _begin(context, account, "sign_in.link", digest(token))


async def sign_out(context: Context, token: str) -> None:
    """End the session of a token.

    Raises:
        Conflict: the token is an API key, which has no session.
    """
    if is_key(token):
        raise Conflict("an API key has no session to end; an owner can revoke the key")
    async with context.database.transaction() as tx:
        await sign_ins.end(tx, digest(token))


async def set_password(context: Context, throttle: Throttle, token: str, current: str | None, new: str) -> None:
    """Set the caller's own password, and end their other sessions.

    Args:
        token: the session that asks, which goes on.
        current: the present password; not needed by one who has none.

    Raises:
        Conflict: the caller is no member, such as an API key.
        InvalidInput: the current password is not right, or the new one will not do.
        TooMany: the current password was wrong too often.
    """
    member_id = context.principal.member_id
    if member_id is None:
        raise Conflict(f"{context.principal.name} is no member and has no password; sign in as a member")
    async with context.database.read() as rx:
        account = await stored.account_by_id(rx, member_id)
    if account is None:
        raise NotSignedIn(REFUSED)
    if account.password_hash is not None:
        await _check_current(throttle, account, current or "")
    password_hash = await passwords.hashed(new)
    async with context.database.transaction() as tx:
        await stored.set_password(tx, member_id, password_hash)
        await sign_ins.end_others(tx, member_id, digest(token))
        await _record(context, tx, "member.password", account.member)


async def _check_current(throttle: Throttle, account: Account, current: str) -> None:
    if not await _fits(throttle, (f"email {account.member.email}",), account, current):
        raise InvalidInput("the current password is not right; an owner can take it away, should it be forgotten")


async def has_users(context: Context) -> bool:
    """Whether anybody can sign in: there is a member, in whatever workspace."""
    async with context.database.read() as rx:
        return await stored.anyone(rx)


async def first_owner(context: Context, email: str) -> NewMember:
    """The owner of the context's workspace with a fresh one-time link.

    Args:
        email: of the one to create where there is no owner yet; else the owner of longest standing is taken.

    Raises:
        InvalidInput: that is no email.
        Conflict: it is a member's already who is no owner.
    """
    new = Member(id=new_id(), email=members.clean_email(email), role=Role.OWNER, created_at=now())
    async with context.database.transaction() as tx:
        await stored.hold(tx)
        owner = await stored.first_owner(tx)
        if owner is None:
            return await members.insert(context, tx, new, None)
        return NewMember(member=owner, link=await members.new_link(tx, owner))


async def _by_key(context: Context, token: str) -> Principal:
    at = now()
    async with context.database.read() as rx:
        known = await api_keys.known(rx, digest(token), at)
    if known is None:
        raise NotSignedIn(REFUSED)
    key, workspace = known
    if _is_due(context, key.last_used_at, at):
        async with context.database.transaction() as tx:
            await api_keys.used(tx, key.id, at)
    return Principal(workspace=workspace, name=key.name, role=key.role, kind="api_key")


async def _by_session(context: Context, token: str) -> Principal:
    at = now()
    async with context.database.read() as rx:
        session = await sign_ins.session(rx, digest(token), at)
        targets = None if session is None else await grants.ids(rx, session.account.member)
    if session is None:
        raise NotSignedIn(REFUSED)
    if _is_due(context, session.last_seen_at, at):
        async with context.database.transaction() as tx:
            await sign_ins.prolong(tx, digest(token), at, at + SESSION_LIFETIME)
            await stored.seen(tx, session.account.member.id, at)
    return _principal(session.account, targets)


def _is_due(context: Context, last: datetime | None, at: datetime) -> bool:
    return not context.database.read_only and (last is None or at - last >= TOUCH_AFTER)


def _principal(account: Account, targets: tuple[str, ...] | None = None) -> Principal:
    member, workspace, _ = account
    return Principal(
        workspace=workspace,
        name=member.email,
        role=member.role,
        kind="member",
        member_id=member.id,
        targets=targets,
    )


async def _begin(context: Context, account: Account, action: str, link: bytes | None = None) -> SignIn:
    """A new session of an account; the link that it comes by is used up."""
    at = now()
    token = new_token()
    theirs = context.acting_as(_principal(account))
    async with theirs.database.transaction() as tx:
        if link is not None and not await sign_ins.use_link(tx, link):
            raise NotSignedIn(LINK_GONE)
        await sign_ins.sweep(tx, at)
        await sign_ins.begin(tx, digest(token), account.member.id, at, at + SESSION_LIFETIME)
        await stored.seen(tx, account.member.id, at)
        await _record(theirs, tx, action, account.member)
        targets = await grants.ids(tx, account.member)
    return SignIn(token=token, expires_at=at + SESSION_LIFETIME, principal=_principal(account, targets))


async def _fits(throttle: Throttle, keys: Sequence[str], account: Account | None, password: str) -> bool:
    """Whether a password is the account's; that it is not counts as a failure of the keys.

    Raises:
        TooMany: one of the keys has to wait.
    """
    async with throttle.turn:
        throttle.check(keys, time.monotonic())
        fits = await passwords.fits(password, account.password_hash if account else None)
        # Of the guesses at once, those that end after the last one that is allowed learn nothing.
        throttle.check(keys, time.monotonic())
        if not fits:
            throttle.failed(keys, time.monotonic())
    return fits


async def _refuse(context: Context, account: Account | None) -> None:
    if account is not None:
        theirs = context.acting_as(_principal(account))
        async with theirs.database.transaction() as tx:
            await _record(theirs, tx, "sign_in.failed", account.member)


async def _hash_anew(context: Context, account: Account, password: str) -> None:
    """Hash a password again whose hash was made with older parameters."""
    if account.password_hash is None or not passwords.is_outdated(account.password_hash):
        return
    password_hash = await passwords.hashed(password)
    async with context.acting_as(_principal(account)).database.transaction() as tx:
        await stored.set_password(tx, account.member.id, password_hash)


async def _record(context: Context, tx: Connection, action: str, member: Member) -> None:
    await record(context, tx, action=action, kind="member", id=member.id, name=member.email)
