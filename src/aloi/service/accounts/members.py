"""The members of a workspace: who may sign in, and what they may do."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from aloi.core.access import EMAIL_LENGTH, Member, NewMember, Role
from aloi.core.audit import changed_fields
from aloi.core.errors import Conflict, InvalidInput
from aloi.core.listing import Page
from aloi.core.spec import JsonObject
from aloi.core.wording import count
from aloi.service.accounts import grants, passwords
from aloi.service.accounts.tokens import digest, new_token
from aloi.service.audit import record
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import members as stored
from aloi.store import sign_ins
from aloi.store.connection import Connection

LINK_LIFETIME: Final = timedelta(minutes=30)
# Whether mail arrives there is for the owner to know.
EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+")


def clean_email(email: str) -> str:
    """An email as it is stored and looked up: lower-cased.

    Raises:
        InvalidInput: it is none.
    """
    email = email.strip().lower()
    if not is_email(email):
        raise InvalidInput(f"{email!r:.100} is not an email: it has one @, no spaces, and {EMAIL_LENGTH} characters")
    return email


def is_email(text: str) -> bool:
    """Whether a text could be the email of a member."""
    return len(text) <= EMAIL_LENGTH and EMAIL.fullmatch(text.strip()) is not None


async def listing(context: Context, page: int = 1, size: int = 20) -> Page[Member]:
    """A page of the workspace's members, newest first."""
    async with context.database.read() as rx:
        return await stored.page(rx, page, size)


async def add(
    context: Context, email: str, role: Role, password: str | None = None, targets: Sequence[str] | None = None
) -> NewMember:
    """Add a member; one without a password gets a one-time link to sign in by.

    Args:
        targets: names or ids of those that they are narrowed to, from the beginning; null for all.

    Raises:
        InvalidInput: the email or the password will not do, or there are too many targets.
        NotFound: there is no such target.
        Conflict: the email is a member's already, here or in another workspace; or they are narrowed, and an owner.
    """
    password_hash = None if password is None else await passwords.hashed(password)
    member = Member(
        id=new_id(), email=clean_email(email), role=role, has_password=password is not None, created_at=now()
    )
    async with context.database.transaction() as tx:
        added = await insert(context, tx, member, password_hash)
        if targets is None:
            return added
        await grants.narrow(context, tx, member, targets)
        return added.model_copy(update={"member": await stored.get(tx, member.id)})


async def insert(context: Context, tx: Connection, member: Member, password_hash: str | None) -> NewMember:
    """As `add`, of a member whose fields are right, in the caller's transaction."""
    await stored.create(tx, member, password_hash)
    after: JsonObject = {"role": member.role, "has_password": member.has_password}
    await _record(context, tx, "member.add", member, after=after)
    return NewMember(member=member, link=None if member.has_password else await new_link(tx, member))


async def change(
    context: Context, member_id: str, *, role: Role | None = None, password: str | None = None, forget: bool = False
) -> Member:
    """Give a member another role or another password.

    Args:
        role: null leaves it.
        password: null leaves it.
        forget: whether to take the password away; the member then signs in by a link, and may set a new one.

    A member whose password changed is signed out everywhere.

    Raises:
        NotFound: there is no such member.
        InvalidInput: the password will not do.
        Conflict: the workspace would be left without an owner, or a member who is narrowed would be one.
    """
    password_hash = None if password is None else await passwords.hashed(password)
    async with context.database.transaction() as tx:
        await stored.hold(tx)
        old = await stored.get(tx, member_id)
        if role is not None and role is not old.role:
            await _keep_an_owner(tx, old)
            _refuse_narrowed_owner(old, role)
            await stored.set_role(tx, member_id, role)
        if password is not None or forget:
            await stored.set_password(tx, member_id, password_hash)
            await sign_ins.end_others(tx, member_id)
            await _record(context, tx, "member.password", old)
        member = await stored.get(tx, member_id)
        before, after = changed_fields(old, member)
        if after:
            await _record(context, tx, "member.update", member, before, after)
    return member


async def remove(context: Context, member_id: str) -> None:
    """Remove a member: they are signed out at once, and what they made stays.

    Raises:
        NotFound: there is no such member.
        Conflict: the workspace would be left without an owner.
    """
    async with context.database.transaction() as tx:
        await stored.hold(tx)
        member = await stored.get(tx, member_id)
        await _keep_an_owner(tx, member)
        await stored.delete(tx, member_id)
        await _record(context, tx, "member.remove", member, before={"role": member.role})


async def link(context: Context, member_id: str) -> NewMember:
    """A fresh one-time link for a member; an earlier one does not work any more.

    Raises:
        NotFound: there is no such member.
    """
    async with context.database.transaction() as tx:
        member = await stored.get(tx, member_id)
        await _record(context, tx, "member.link", member)
        return NewMember(member=member, link=await new_link(tx, member))


async def new_link(tx: Connection, member: Member) -> str:
    """The path of a one-time link that signs a member in within 30 minutes."""
    token = new_token()
    at = now()
    await sign_ins.set_link(tx, digest(token), member.id, at, at + LINK_LIFETIME)
    return f"/sign-in?token={token}"


async def _keep_an_owner(tx: Connection, member: Member) -> None:
    if member.role is Role.OWNER and await stored.owners(tx) == 1:
        raise Conflict(f"{member.email} is the only owner of this workspace; make another member an owner first")


def _refuse_narrowed_owner(member: Member, role: Role) -> None:
    """Not lifted in silence: who makes an owner shall know that they see everything then."""
    if role is Role.OWNER and member.granted is not None:
        raise Conflict(
            f"{member.email} is narrowed to {count(member.granted, 'target')}, and an owner sees everything; "
            "grant them all targets first"
        )


async def _record(
    context: Context,
    tx: Connection,
    action: str,
    member: Member,
    before: JsonObject | None = None,
    after: JsonObject | None = None,
) -> None:
    await record(context, tx, action=action, kind="member", id=member.id, name=member.email, before=before, after=after)
