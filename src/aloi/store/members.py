"""The members of workspaces. An email stands for one member over all workspaces, for it is what people sign in with."""

from datetime import datetime
from typing import NamedTuple

from aloi.core.access import Member, Role, Workspace
from aloi.core.errors import Conflict, NotFound
from aloi.core.listing import Page
from aloi.store.codec import (
    id_or_none,
    pack_id,
    pack_time,
    pack_time_or_none,
    unpack_id,
    unpack_time,
    unpack_time_or_none,
)
from aloi.store.connection import Connection, Row

MEMBER = """m.id, m.email, m.role, m.password_hash, m.created_at, m.last_seen_at, CASE m.narrowed WHEN 1 THEN
  (SELECT count(*) FROM member_grants g WHERE g.member_id = m.id) END"""
MEMBERS = f"SELECT {MEMBER} FROM members m WHERE m.workspace_id = ?"  # noqa: S608 - the columns are ours
# An account is looked up in all workspaces: who signs in has not said which.
ACCOUNT = MEMBER + ", w.id, w.name"
ACCOUNTS = f"SELECT {ACCOUNT} FROM members m JOIN workspaces w ON w.id = m.workspace_id"  # noqa: S608


class Account(NamedTuple):
    """A member with what signing in needs: the workspace, and the password's hash or null."""

    member: Member
    workspace: Workspace
    password_hash: str | None


async def create(tx: Connection, member: Member, password_hash: str | None) -> None:
    """Store a new member of the workspace.

    Raises:
        Conflict: the email is a member's already, of this workspace or another.
    """
    if await account_by_email(tx, member.email):
        raise Conflict(f"{member.email} is a member already; each email belongs to one workspace")
    await tx.execute(
        "INSERT INTO members (id, workspace_id, email, role, password_hash, created_at, last_seen_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            pack_id(member.id),
            tx.workspace,
            member.email,
            member.role,
            password_hash,
            pack_time(member.created_at),
            pack_time_or_none(member.last_seen_at),
        ),
    )


async def get(rx: Connection, member_id: str) -> Member:
    """A member of the workspace.

    Raises:
        NotFound: there is none of that id.
    """
    packed = id_or_none(member_id)
    row = None if packed is None else await rx.fetch_one(MEMBERS + " AND m.id = ?", (rx.workspace, packed))
    if row is None:
        raise absent(member_id)
    return _member(row)


async def page(rx: Connection, number: int, size: int) -> Page[Member]:
    """A page of the workspace's members, newest first; `number` counts from 1."""
    total = await rx.fetch_one("SELECT count(*) FROM members WHERE workspace_id = ?", (rx.workspace,))
    rows = await rx.fetch(
        MEMBERS + " ORDER BY m.created_at DESC, m.id DESC LIMIT ? OFFSET ?", (rx.workspace, size, (number - 1) * size)
    )
    return Page(items=tuple(map(_member, rows)), total=total[0] if total else 0, page=number, size=size)


async def hold(tx: Connection) -> None:
    """Until this transaction ends no other changes the members of the workspace."""
    await tx.lock(f"members {tx.workspace.hex()}")


async def first_owner(rx: Connection) -> Member | None:
    """The owner who has been one of the workspace's members for longest; null when it has no owner."""
    row = await rx.fetch_one(
        MEMBERS + " AND m.role = ? ORDER BY m.created_at, m.id LIMIT 1", (rx.workspace, Role.OWNER)
    )
    return None if row is None else _member(row)


async def owners(rx: Connection) -> int:
    """How many owners the workspace has."""
    row = await rx.fetch_one(
        "SELECT count(*) FROM members WHERE workspace_id = ? AND role = ?", (rx.workspace, Role.OWNER)
    )
    return row[0] if row else 0


async def anyone(rx: Connection) -> bool:
    """Whether there is any member, in whatever workspace."""
    return await rx.fetch_one("SELECT 1 FROM members LIMIT 1") is not None


async def set_role(tx: Connection, member_id: str, role: Role) -> None:
    """Give a member of the workspace another role.

    Raises:
        NotFound: there is no such member.
    """
    params = (role, tx.workspace, pack_id(member_id))
    if not await tx.execute("UPDATE members SET role = ? WHERE workspace_id = ? AND id = ?", params):
        raise absent(member_id)


async def set_password(tx: Connection, member_id: str, password_hash: str | None) -> None:
    """Give a member of the workspace another password's hash; null takes the password away.

    Raises:
        NotFound: there is no such member.
    """
    params = (password_hash, tx.workspace, pack_id(member_id))
    if not await tx.execute("UPDATE members SET password_hash = ? WHERE workspace_id = ? AND id = ?", params):
        raise absent(member_id)


async def seen(tx: Connection, member_id: str, at: datetime) -> None:
    """Write down that a member was here."""
    await tx.execute("UPDATE members SET last_seen_at = ? WHERE id = ?", (pack_time(at), pack_id(member_id)))


async def delete(tx: Connection, member_id: str) -> None:
    """Delete a member of the workspace, with their sessions and sign-in links.

    Raises:
        NotFound: there is no such member.
    """
    if not await tx.execute(
        "DELETE FROM members WHERE workspace_id = ? AND id = ?", (tx.workspace, pack_id(member_id))
    ):
        raise absent(member_id)


async def account_by_email(rx: Connection, email: str) -> Account | None:
    """The account of an email, in whatever workspace; null when there is none."""
    return _found(await rx.fetch_one(ACCOUNTS + " WHERE m.email = ?", (email,)))


async def account_by_id(rx: Connection, member_id: str) -> Account | None:
    """The account of a member, in whatever workspace; null when there is none."""
    return _found(await rx.fetch_one(ACCOUNTS + " WHERE m.id = ?", (pack_id(member_id),)))


def absent(member_id: str) -> NotFound:
    """The error for a member who is not there."""
    return NotFound(f"there is no member {member_id!r:.100} in this workspace; list its members to see who there is")


def account(row: Row) -> Account:
    """The account in a row of the columns of `ACCOUNTS`."""
    *fields, workspace_id, workspace_name = row
    return Account(_member(tuple(fields)), Workspace(id=unpack_id(workspace_id), name=workspace_name), row[3])


def _found(row: Row | None) -> Account | None:
    return None if row is None else account(row)


def _member(row: Row) -> Member:
    packed, email, role, password_hash, created_at, last_seen_at, granted = row
    return Member(
        id=unpack_id(packed),
        email=email,
        role=Role(role),
        has_password=password_hash is not None,
        created_at=unpack_time(created_at),
        last_seen_at=unpack_time_or_none(last_seen_at),
        granted=granted,
    )
