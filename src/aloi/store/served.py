"""Simulated tools that are served to agents elsewhere, and their calls.

A session is known by the SHA-256 of its token alone, in whatever workspace it is.
"""

from datetime import datetime

from pydantic import JsonValue

from aloi.core.served import ServedCall, ServedSession
from aloi.store.codec import json_of, pack_id, pack_time, short_json
from aloi.store.connection import Connection, held

SESSION = "SELECT body FROM served_sessions WHERE token_hash = ? AND until > ?"
COUNTS = """
SELECT CAST(count(*) AS BIGINT), CAST(coalesce(sum(CASE WHEN tool = ? AND turn_key = ? THEN 1 ELSE 0 END), 0) AS BIGINT)
FROM served_calls WHERE token_hash = ?"""
SIZE = "SELECT CAST(coalesce(sum(length(body)), 0) AS BIGINT) FROM served_calls WHERE token_hash = ?"
ADD = "INSERT INTO served_calls (token_hash, seq, tool, turn_key, body) VALUES (?, ?, ?, ?, ?)"
KEEP = """
INSERT INTO served_answers (scope, call_hash, answer, until) VALUES (?, ?, ?, ?)
ON CONFLICT (scope, call_hash) DO NOTHING"""


async def begin(tx: Connection, token_hash: bytes, session: ServedSession, until: datetime) -> None:
    """Store a new session."""
    await tx.execute(
        "INSERT INTO served_sessions (token_hash, body, until) VALUES (?, ?, ?)",
        (token_hash, short_json(session, "a simulation"), pack_time(until)),
    )


async def sweep(tx: Connection, at: datetime) -> None:
    """Delete what has expired: sessions whose process died, and answers of runs that are long over."""
    await tx.execute("DELETE FROM served_sessions WHERE until <= ?", (pack_time(at),))
    await tx.execute("DELETE FROM served_answers WHERE until <= ?", (pack_time(at),))


async def session(rx: Connection, token_hash: bytes, at: datetime) -> ServedSession | None:
    """The session of a token; null when there is none, or it is over."""
    row = await rx.fetch_one(SESSION, (token_hash, pack_time(at)))
    return None if row is None else ServedSession.model_validate_json(row[0])


async def hold(tx: Connection, token_hash: bytes, at: datetime) -> bool:
    """Let nobody else add a call to a session until this transaction ends; false when it is over."""
    return await held(tx, SESSION, (token_hash, pack_time(at))) is not None


async def counts(tx: Connection, token_hash: bytes, tool: str, turn_key: str) -> tuple[int, int]:
    """How many calls there were, and how many of them of a tool with the same turns. The session is held."""
    row = await tx.fetch_one(COUNTS, (tool, turn_key, token_hash))
    return (row[0], row[1]) if row else (0, 0)


async def size(tx: Connection, token_hash: bytes) -> int:
    """How many characters the calls of a session take. The session is held."""
    row = await tx.fetch_one(SIZE, (token_hash,))
    return row[0] if row else 0


async def add(tx: Connection, token_hash: bytes, seq: int, call: ServedCall, turn_key: str = "") -> None:
    """Store a call, as the one with this number; the session is held."""
    await tx.execute(ADD, (token_hash, seq, call.tool, turn_key, json_of(call, "a call of a simulated tool")))


async def change(tx: Connection, token_hash: bytes, seq: int, call: ServedCall) -> bool:
    """Store what a call has come to; false when its session is gone."""
    sql = "UPDATE served_calls SET body = ? WHERE token_hash = ? AND seq = ?"
    return await tx.execute(sql, (json_of(call, "a call of a simulated tool"), token_hash, seq)) > 0


async def calls(rx: Connection, token_hash: bytes) -> tuple[ServedCall, ...]:
    """The calls of a session, in their order."""
    rows = await rx.fetch("SELECT body FROM served_calls WHERE token_hash = ? ORDER BY seq", (token_hash,))
    return tuple(ServedCall.model_validate_json(row[0]) for row in rows)


async def end(tx: Connection, token_hash: bytes) -> tuple[ServedCall, ...]:
    """End a session; the calls that there were."""
    # Held first, so that a call that is being added is either among them or refused.
    await held(tx, "SELECT until FROM served_sessions WHERE token_hash = ?", (token_hash,))
    made = await calls(tx, token_hash)
    await tx.execute("DELETE FROM served_sessions WHERE token_hash = ?", (token_hash,))
    return made


async def answer(rx: Connection, scope: str, call_hash: bytes) -> str | None:
    """The answer, as JSON, that was written for a call like this; null when none was yet."""
    sql = "SELECT answer FROM served_answers WHERE scope = ? AND call_hash = ?"
    row = await rx.fetch_one(sql, (pack_id(scope), call_hash))
    return None if row is None else str(row[0])


async def keep(tx: Connection, scope: str, call_hash: bytes, written: JsonValue, until: datetime) -> str:
    """Keep an answer, unless somebody was faster: the first one stands. The one that does, as JSON."""
    text = json_of(written, "a generated answer")
    await tx.execute(KEEP, (pack_id(scope), call_hash, text, pack_time(until)))
    return await answer(tx, scope, call_hash) or text
