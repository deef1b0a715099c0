"""Executions that are not over: who works on them, how far they are, and how they end.

Their ids come from `executions.get` or from `running`, which see to the workspace.
"""

from datetime import datetime
from typing import NamedTuple

from pydantic_core import from_json

from aloi.core.execution import Execution, ExecutionStatus
from aloi.core.outcome import Outcome
from aloi.core.spec import JsonObject
from aloi.store import executions
from aloi.store.codec import json_of, pack_id, pack_time, pack_time_or_none, unpack_id, unpack_time_or_none
from aloi.store.connection import Connection, held
from aloi.store.outcomes import outcome_columns, outcome_of, sent_trace

LEASE = "UPDATE executions SET progress = 'running', failed = NULL, lease_owner = ?, lease_until = ? WHERE id = ?"
MINE = " AND progress = 'running' AND lease_owner = ?"
IS_HELD = "SELECT 1 FROM executions WHERE id = ?"
RENEW = "UPDATE executions SET lease_until = ? WHERE id = ?"
KEEP = """
UPDATE executions SET body = coalesce(?, body), trace = coalesce(?, trace), state = coalesce(?, state),
  trace_id = coalesce(?, trace_id), progress = ?, lease_owner = ?, lease_until = ?
WHERE id = ?"""
END = """
UPDATE executions SET body = ?, trace = ?, trace_id = ?, failed = ?, size = ?, state = NULL, progress = NULL,
  lease_owner = NULL, lease_until = NULL
WHERE id = ?"""
RUNNING = """
SELECT t.workspace_id, e.id, e.lease_owner, e.lease_until
FROM executions e JOIN target_versions v ON v.id = e.target_version_id JOIN targets t ON t.id = v.target_id
WHERE e.progress = 'running' ORDER BY e.id"""


class Leased(NamedTuple):
    """An execution that should be going on, and who has the lease of it, until when; null for nobody."""

    workspace_id: str
    execution_id: str
    holder: str | None
    until: datetime | None


async def begin(tx: Connection, execution: Execution, target_version_id: str, owner: str, until: datetime) -> None:
    """Store an execution that begins, with its lease.

    Raises:
        Conflict: its target was deleted meanwhile.
        InvalidInput: it holds text that cannot be stored.
    """
    await executions.insert(tx, execution, target_version_id)
    await tx.execute(LEASE, (owner, pack_time(until), pack_id(execution.id)))


async def hold(tx: Connection, execution_id: str) -> ExecutionStatus | None:
    """Whether an execution runs or waits; null when it is over, or gone. It stays so until the transaction ends."""
    row = await held(tx, "SELECT progress FROM executions WHERE id = ?", (pack_id(execution_id),))
    return None if row is None or row[0] is None else ExecutionStatus(row[0])


async def stand(rx: Connection, execution_id: str) -> tuple[Outcome, JsonObject | None]:
    """How far an execution is that is not over: its outcome so far, and what its target gave to go on from there.

    Raises:
        Conflict: its trace is damaged.
    """
    packed = pack_id(execution_id)
    row = await rx.fetch_one("SELECT body, trace, state FROM executions WHERE id = ?", (packed,))
    body, trace, state = row or ("{}", None, None)
    return outcome_of(packed, body, trace), None if state is None else from_json(state)


async def is_held_by(rx: Connection, execution_id: str, owner: str) -> bool:
    """Whether it runs and its lease is this owner's."""
    return await rx.fetch_one(IS_HELD + MINE, (pack_id(execution_id), owner)) is not None


async def renew(tx: Connection, execution_id: str, owner: str, until: datetime) -> bool:
    """Prolong a lease; false when the execution is over or another has taken it."""
    params = (pack_time(until), pack_id(execution_id), owner)
    return await tx.execute(RENEW + MINE, params) > 0


async def go_on(tx: Connection, execution_id: str, owner: str, until: datetime) -> bool:
    """Take an execution that waits for people, to go on with it; false when it does not wait."""
    params = (owner, pack_time(until), pack_id(execution_id))
    return await tx.execute(LEASE + " AND progress = 'waiting'", params) > 0


async def take_over(tx: Connection, found: Leased, owner: str, until: datetime) -> bool:
    """Take an execution that runs from who has its lease; false when that changed since it was found."""
    params = (owner, pack_time(until), pack_id(found.execution_id), found.holder or "")
    return await tx.execute(LEASE + " AND progress = 'running' AND coalesce(lease_owner, '') = ?", params) > 0


async def keep(
    tx: Connection,
    execution_id: str,
    owner: str,
    outcome: Outcome | None,
    state: JsonObject | None,
    until: datetime | None,
    waits: bool = False,
) -> bool:
    """Store how far an execution is.

    Args:
        owner: who has its lease.
        outcome: the trace and the usage so far; null leaves what is stored.
        state: what its target goes on from; null leaves what is stored.
        until: the new end of the lease; null gives it back.
        waits: whether it waits for people now.

    Returns:
        Whether the lease was the owner's; if not, nothing was changed.
    """
    what = f"the execution {execution_id}"
    params = (
        *((None, None) if outcome is None else outcome_columns(outcome, what).stored),
        None if state is None else json_of(state, what),
        None if outcome is None else sent_trace(outcome),
        (ExecutionStatus.WAITING if waits else ExecutionStatus.RUNNING).value,
        None if until is None else owner,
        pack_time_or_none(until),
        pack_id(execution_id),
        owner,
    )
    return await tx.execute(KEEP + MINE, params) > 0


async def end(tx: Connection, execution_id: str, outcome: Outcome, owner: str | None = None) -> bool:
    """Store how an execution ended.

    Args:
        owner: who has its lease; null ends it whoever has, and if it waits.

    Returns:
        Whether it was not over, and the lease was the owner's; if not, nothing was changed.
    """
    columns = outcome_columns(outcome, f"the execution {execution_id}")
    state = sent_trace(outcome), int(outcome.failure is not None), columns.size
    params = (*columns.stored, *state, pack_id(execution_id))
    if owner is None:
        return await tx.execute(END + " AND progress IS NOT NULL", params) > 0
    return await tx.execute(END + MINE, (*params, owner)) > 0


async def running(rx: Connection) -> list[Leased]:
    """The executions of all workspaces that should be going on, oldest first."""
    return [
        Leased(unpack_id(workspace), unpack_id(execution), holder, unpack_time_or_none(until))
        for workspace, execution, holder, until in await rx.fetch(RUNNING)
    ]
