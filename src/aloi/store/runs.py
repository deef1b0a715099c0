"""Runs: their parameters, their state, and who works on them."""

from collections.abc import Callable, Collection
from datetime import datetime

from aloi.core.errors import InvalidInput, NotFound
from aloi.core.run import Run, RunStatus
from aloi.core.summary import Summary
from aloi.store.codec import id_range, pack_id, pack_time, pack_time_or_none, replaced, unpack_id
from aloi.store.connection import Connection, Param, held, marks
from aloi.store.matching import any_contains, pattern
from aloi.store.run_rows import INSERT, RUNS, own_run, run_of, run_params, summary_json

MOVE = """
UPDATE runs SET status = ?, reason = ?, summary = ?, started_at = coalesce(started_at, ?), finished_at = ?
WHERE id = ? AND workspace_id = ?"""
# An execution whose result another run took over goes to that run, at the place that it has there.
BEQUEATH = """
UPDATE executions SET (run_id, position, trial) =
  (SELECT r.run_id, r.position, r.trial FROM results r
   WHERE r.execution_id = executions.id AND r.run_id <> executions.run_id ORDER BY r.run_id LIMIT 1)
WHERE run_id = ? AND EXISTS
  (SELECT 1 FROM results r WHERE r.execution_id = executions.id AND r.run_id <> executions.run_id)"""
COUNT = "SELECT count(*) FROM runs"
OWN = " FROM runs WHERE id = ? AND workspace_id = ?"
# Those that nobody has a lease of any more are told apart by the caller: who holds one may have died.
OPEN = """
SELECT workspace_id, id, lease_owner, lease_until FROM runs
WHERE served = 1 AND status IN ('pending', 'running') ORDER BY created_at, id"""
BEGINS = " WHERE id >= ? AND id <= ? AND workspace_id = ? ORDER BY id LIMIT ?"
LATEST = "latest"
AMBIGUOUS_SHOWN = 3


async def insert(tx: Connection, run: Run) -> None:
    """Store a new run.

    Raises:
        Conflict: its target version or its revision is not stored.
    """
    await tx.execute(INSERT, run_params(tx, run))


async def get(rx: Connection, ref: str) -> Run:
    """A run by its id, by the beginning of it, or the `latest`.

    Raises:
        NotFound: there is no such run.
        InvalidInput: several runs' ids begin so.
    """
    if ref == LATEST:
        found = await listing(rx, limit=1)
    else:
        span = id_range(ref)
        rows = await rx.fetch(RUNS + BEGINS, (*span, rx.workspace, AMBIGUOUS_SHOWN + 1)) if span else []
        found = [run_of(row) for row in rows]
    if not found:
        raise NotFound(f"there is no run {ref!r}; `aloi runs list` shows those there are")
    if len(found) > 1:
        ids = ", ".join(run.id for run in found[:AMBIGUOUS_SHOWN])
        raise InvalidInput(f"several runs begin with {ref!r}: {ids}{', ...' if len(found) > AMBIGUOUS_SHOWN else ''}")
    return found[0]


async def listing(
    rx: Connection,
    *,
    target_id: str | None = None,
    dataset_id: str | None = None,
    schedule_id: str | None = None,
    statuses: Collection[RunStatus] = (),
    text: str | None = None,
    offset: int = 0,
    limit: int = 50,
) -> list[Run]:
    """One page of the runs, newest first; a filter that is not given lets all through.

    Args:
        text: only those where it occurs in the name of the target or of the dataset; case does not count for ASCII.
    """
    where, params = _filter(rx, target_id, dataset_id, schedule_id, statuses, text)
    order = " ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?"
    return [run_of(row) for row in await rx.fetch(RUNS + where + order, (*params, limit, offset))]


async def count(
    rx: Connection,
    *,
    target_id: str | None = None,
    dataset_id: str | None = None,
    schedule_id: str | None = None,
    statuses: Collection[RunStatus] = (),
    text: str | None = None,
) -> int:
    """How many runs the filters let through."""
    where, params = _filter(rx, target_id, dataset_id, schedule_id, statuses, text)
    row = await rx.fetch_one(COUNT + where, params)
    return row[0] if row else 0


def _filter(
    rx: Connection,
    target_id: str | None,
    dataset_id: str | None,
    schedule_id: str | None,
    statuses: Collection[RunStatus],
    text: str | None,
) -> tuple[str, list[Param]]:
    terms: list[str] = ["workspace_id = ?"]
    params: list[Param] = [rx.workspace]
    if target_id is not None:
        terms.append("target_version_id IN (SELECT id FROM target_versions WHERE target_id = ?)")
        params.append(pack_id(target_id))
    if dataset_id is not None:
        terms.append("dataset_id = ?")
        params.append(pack_id(dataset_id))
    if schedule_id is not None:
        terms.append("schedule_id = ?")
        params.append(pack_id(schedule_id))
    if statuses:
        terms.append(f"status IN ({marks(len(statuses))})")
        params.extend(status.value for status in statuses)
    if text:
        terms.append(any_contains("target_name", "dataset_name"))
        params += [pattern(text)] * 2
    return " WHERE " + " AND ".join(terms), params


async def orphans(rx: Connection, now: datetime, is_dead: Callable[[str], bool | None]) -> list[tuple[str, str]]:
    """The runs of servers, of all workspaces, that should be going on and that nobody works on; oldest first.

    Args:
        is_dead: as `claim`.

    Returns:
        The id of the workspace and that of the run, for each.
    """
    rows = await rx.fetch(OPEN)
    return [
        (unpack_id(workspace), unpack_id(run))
        for workspace, run, holder, until in rows
        if holder is None or _is_free(is_dead(holder), until, now)
    ]


def _is_free(dead: bool | None, until: int | None, now: datetime) -> bool:
    """Whether a lease may be taken. A holder that lives on this host is only late to renew it, and works on."""
    return (until is None or until <= pack_time(now)) if dead is None else dead


async def set_status(
    tx: Connection,
    run_id: str,
    from_: Collection[RunStatus],
    to: RunStatus,
    *,
    reason: str | None = None,
    summary: Summary | None = None,
    started_at: datetime | None = None,
    finished_at: datetime | None = None,
) -> bool:
    """Move a run to another state if it is in one of those named; whether it was.

    `reason`, `summary` and `finished_at` become what is given, null included; `started_at` keeps its first value. What
    no database takes of a reason (it may quote anything) is replaced: that a run failed must not be lost.
    """
    changed = await tx.execute(
        MOVE + f" AND status IN ({marks(len(from_))})",
        (
            to.value,
            None if reason is None else replaced(reason),
            summary_json(summary),
            pack_time_or_none(started_at),
            pack_time_or_none(finished_at),
            *own_run(tx, run_id),
            *(status.value for status in from_),
        ),
    )
    return changed > 0


async def claim(
    tx: Connection, run_id: str, owner: str, until: datetime, now: datetime, is_dead: Callable[[str], bool | None]
) -> str | None:
    """Take the lease of a run, so that one process alone works on it.

    Args:
        owner: who asks; asking again renews.
        is_dead: whether a present holder is gone, and so its lease free; null where only the end of the lease tells.

    Returns:
        Null when it was taken, else who holds it.

    Raises:
        NotFound: there is no such run.
    """
    run = own_run(tx, run_id)
    row = await held(tx, "SELECT lease_owner, lease_until" + OWN, run)
    if row is None:
        raise NotFound(f"there is no run {run_id}")
    holder, held_until = row
    if holder is not None and holder != owner and not _is_free(is_dead(holder), held_until, now):
        return str(holder)
    await tx.execute("UPDATE runs SET lease_owner = ?, lease_until = ? WHERE id = ?", (owner, pack_time(until), run[0]))
    return None


async def renew(tx: Connection, run_id: str, owner: str, until: datetime) -> bool:
    """Prolong a lease; false when another has taken it, or the run is gone."""
    changed = await tx.execute(
        "UPDATE runs SET lease_until = ? WHERE id = ? AND workspace_id = ? AND lease_owner = ?",
        (pack_time(until), *own_run(tx, run_id), owner),
    )
    return changed > 0


async def release(tx: Connection, run_id: str, owner: str) -> None:
    """Give a lease back; nothing happens when another has taken it."""
    await tx.execute(
        "UPDATE runs SET lease_owner = NULL, lease_until = NULL WHERE id = ? AND workspace_id = ? AND lease_owner = ?",
        (*own_run(tx, run_id), owner),
    )


async def delete(tx: Connection, run_id: str) -> None:
    """Delete a run with its results. Executions that other runs took over from it go to one of those.

    Raises:
        NotFound: there is no such run.
    """
    run = own_run(tx, run_id)
    if await held(tx, "SELECT 1" + OWN, run) is None:
        raise NotFound(f"there is no run {run_id}")
    await tx.execute(BEQUEATH, run[:1])
    await tx.execute("DELETE FROM runs WHERE id = ?", run[:1])
