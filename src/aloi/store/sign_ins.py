"""How members are signed in: one-time links and sessions, known by the SHA-256 of their tokens alone."""

from datetime import datetime
from typing import NamedTuple

from aloi.store.codec import pack_id, pack_time, unpack_time
from aloi.store.connection import Connection
from aloi.store.members import ACCOUNT, Account, account

LINKED = f"""
SELECT {ACCOUNT} FROM sign_in_links l JOIN members m ON m.id = l.member_id JOIN workspaces w ON w.id = m.workspace_id
WHERE l.hash = ? AND l.expires_at > ?"""  # noqa: S608 - the columns are ours
SESSIONS = f"""
SELECT s.expires_at, s.last_seen_at, {ACCOUNT}
FROM sessions s JOIN members m ON m.id = s.member_id JOIN workspaces w ON w.id = m.workspace_id
WHERE s.hash = ? AND s.expires_at > ?"""  # noqa: S608


class Session(NamedTuple):
    """A session with the account that it is of."""

    account: Account
    expires_at: datetime
    last_seen_at: datetime


async def set_link(tx: Connection, token_hash: bytes, member_id: str, at: datetime, expires_at: datetime) -> None:
    """Store a one-time link; earlier ones of the member end."""
    await tx.execute("DELETE FROM sign_in_links WHERE member_id = ?", (pack_id(member_id),))
    await tx.execute(
        "INSERT INTO sign_in_links (hash, member_id, created_at, expires_at) VALUES (?, ?, ?, ?)",
        (token_hash, pack_id(member_id), pack_time(at), pack_time(expires_at)),
    )


async def link(rx: Connection, token_hash: bytes, at: datetime) -> Account | None:
    """The account that a one-time link signs in, in whatever workspace; null when there is none, or it expired."""
    row = await rx.fetch_one(LINKED, (token_hash, pack_time(at)))
    return None if row is None else account(row)


async def use_link(tx: Connection, token_hash: bytes) -> bool:
    """Delete a one-time link; false when it is gone already. Of two who try at once one succeeds."""
    return await tx.execute("DELETE FROM sign_in_links WHERE hash = ?", (token_hash,)) > 0


async def begin(tx: Connection, token_hash: bytes, member_id: str, at: datetime, expires_at: datetime) -> None:
    """Store a new session."""
    await tx.execute(
        "INSERT INTO sessions (hash, member_id, created_at, expires_at, last_seen_at) VALUES (?, ?, ?, ?, ?)",
        (token_hash, pack_id(member_id), pack_time(at), pack_time(expires_at), pack_time(at)),
    )


async def session(rx: Connection, token_hash: bytes, at: datetime) -> Session | None:
    """The session of a token, in whatever workspace; null when there is none, or it expired."""
    row = await rx.fetch_one(SESSIONS, (token_hash, pack_time(at)))
    return None if row is None else Session(account(row[2:]), unpack_time(row[0]), unpack_time(row[1]))


async def prolong(tx: Connection, token_hash: bytes, at: datetime, expires_at: datetime) -> None:
    """Write down that a session was used, and its new end."""
    await tx.execute(
        "UPDATE sessions SET last_seen_at = ?, expires_at = ? WHERE hash = ?",
        (pack_time(at), pack_time(expires_at), token_hash),
    )


async def end(tx: Connection, token_hash: bytes) -> None:
    """End a session."""
    await tx.execute("DELETE FROM sessions WHERE hash = ?", (token_hash,))


async def end_others(tx: Connection, member_id: str, kept: bytes = b"") -> None:
    """End all sessions of a member but the one of the token hash `kept`."""
    await tx.execute("DELETE FROM sessions WHERE member_id = ? AND hash <> ?", (pack_id(member_id), kept))


async def sweep(tx: Connection, at: datetime) -> None:
    """Delete the sessions and links that expired."""
    await tx.execute("DELETE FROM sessions WHERE expires_at <= ?", (pack_time(at),))
    await tx.execute("DELETE FROM sign_in_links WHERE expires_at <= ?", (pack_time(at),))
