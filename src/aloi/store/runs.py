"""Runs: their parameters, their state, and who works on them."""

from collections.abc import Callable, Collection
from datetime import datetime

from pydantic_core import from_json

from aloi.core.errors import InvalidInput, NotFound
from aloi.core.run import Run, RunSpec, RunStatus
from aloi.core.summary import Summary
from aloi.store.codec import (
    id_range,
    json_of,
    pack_id,
    pack_time,
    pack_time_or_none,
    unpack_id,
    unpack_time,
    unpack_time_or_none,
)
from aloi.store.connection import Connection, Param, Params, Row, held, marks

RUNS = """
SELECT id, spec, target_name, target_version, dataset_id, dataset_name, status, reason, total, skipped, summary,
  created_at, started_at, finished_at, lease_owner FROM runs"""
INSERT = """
INSERT INTO runs (id, spec, target_name, target_version, dataset_id, dataset_name, status, reason, total, skipped,
  summary, created_at, started_at, finished_at, target_version_id, revision_id, parent_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
MOVE = """
UPDATE runs SET status = ?, reason = ?, summary = ?, started_at = coalesce(started_at, ?), finished_at = ?
WHERE id = ?"""
# An execution whose result another run took over goes to that run, at the place that it has there.
BEQUEATH = """
UPDATE executions SET (run_id, position, trial) =
  (SELECT r.run_id, r.position, r.trial FROM results r
   WHERE r.execution_id = executions.id AND r.run_id <> executions.run_id ORDER BY r.run_id LIMIT 1)
WHERE run_id = ? AND EXISTS
  (SELECT 1 FROM results r WHERE r.execution_id = executions.id AND r.run_id <> executions.run_id)"""
COUNT = "SELECT count(*) FROM runs"
LATEST = "latest"
AMBIGUOUS_SHOWN = 3


async def insert(tx: Connection, run: Run) -> None:
    """Store a new run.

    Raises:
        Conflict: its target version or its revision is not stored.
    """
    await tx.execute(INSERT, _params(run))


def _params(run: Run) -> Params:
    return (
        pack_id(run.id),
        json_of(run.spec, "the parameters of the run"),
        run.target_name,
        run.target_version,
        pack_id(run.dataset_id),
        run.dataset_name,
        run.status.value,
        run.reason,
        run.total,
        json_of(run.skipped, "the skipped parts of the run"),
        _summary_json(run.summary),
        pack_time(run.created_at),
        pack_time_or_none(run.started_at),
        pack_time_or_none(run.finished_at),
        pack_id(run.spec.target_version_id),
        pack_id(run.spec.revision_id),
        None if run.spec.parent_id is None else pack_id(run.spec.parent_id),
    )


def _summary_json(summary: Summary | None) -> str | None:
    return None if summary is None else json_of(summary, "the summary of the run")


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
        rows = await rx.fetch(RUNS + " WHERE id >= ? AND id <= ? ORDER BY id LIMIT ?", (*span, 4)) if span else []
        found = [_run(row) for row in rows]
    if not found:
        raise NotFound(f"there is no run {ref!r}; `aloi runs list` shows those there are")
    if len(found) > 1:
        ids = ", ".join(run.id for run in found[:AMBIGUOUS_SHOWN])
        raise InvalidInput(f"several runs begin with {ref!r}: {ids}{', ...' if len(found) > AMBIGUOUS_SHOWN else ''}")
    return found[0]


async def listing(
    rx: Connection,
    *,
    dataset_id: str | None = None,
    target_name: str | None = None,
    statuses: Collection[RunStatus] = (),
    offset: int = 0,
    limit: int = 50,
) -> list[Run]:
    """One page of the runs, newest first; a filter that is not given lets all through."""
    where, params = _filter(dataset_id, target_name, statuses)
    order = " ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?"
    return [_run(row) for row in await rx.fetch(RUNS + where + order, (*params, limit, offset))]


async def count(
    rx: Connection,
    *,
    dataset_id: str | None = None,
    target_name: str | None = None,
    statuses: Collection[RunStatus] = (),
) -> int:
    """How many runs the filters let through."""
    where, params = _filter(dataset_id, target_name, statuses)
    row = await rx.fetch_one(COUNT + where, params)
    return row[0] if row else 0


def _filter(
    dataset_id: str | None, target_name: str | None, statuses: Collection[RunStatus]
) -> tuple[str, list[Param]]:
    terms: list[str] = []
    params: list[Param] = []
    if dataset_id is not None:
        terms.append("dataset_id = ?")
        params.append(pack_id(dataset_id))
    if target_name is not None:
        terms.append("target_name = ?")
        params.append(target_name)
    if statuses:
        terms.append(f"status IN ({marks(len(statuses))})")
        params.extend(status.value for status in statuses)
    return (" WHERE " + " AND ".join(terms) if terms else ""), params


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
            None if reason is None else reason.replace("\x00", "\ufffd").encode("utf-8", "replace").decode(),
            _summary_json(summary),
            pack_time_or_none(started_at),
            pack_time_or_none(finished_at),
            pack_id(run_id),
            *(status.value for status in from_),
        ),
    )
    return changed > 0


async def claim(
    tx: Connection, run_id: str, owner: str, until: datetime, now: datetime, is_dead: Callable[[str], bool]
) -> str | None:
    """Take the lease of a run, so that one process alone works on it.

    Args:
        owner: who asks; asking again renews.
        is_dead: whether a present holder is known to be gone; its lease is then taken before it ends.

    Returns:
        Null when it was taken, else who holds it.

    Raises:
        NotFound: there is no such run.
    """
    packed = pack_id(run_id)
    row = await held(tx, "SELECT lease_owner, lease_until FROM runs WHERE id = ?", (packed,))
    if row is None:
        raise NotFound(f"there is no run {run_id}")
    holder, held_until = row
    expired = held_until is None or held_until <= pack_time(now)
    if holder is not None and holder != owner and not expired and not is_dead(holder):
        return str(holder)
    await tx.execute("UPDATE runs SET lease_owner = ?, lease_until = ? WHERE id = ?", (owner, pack_time(until), packed))
    return None


async def renew(tx: Connection, run_id: str, owner: str, until: datetime) -> bool:
    """Prolong a lease; false when another has taken it, or the run is gone."""
    changed = await tx.execute(
        "UPDATE runs SET lease_until = ? WHERE id = ? AND lease_owner = ?", (pack_time(until), pack_id(run_id), owner)
    )
    return changed > 0


async def release(tx: Connection, run_id: str, owner: str) -> None:
    """Give a lease back; nothing happens when another has taken it."""
    await tx.execute(
        "UPDATE runs SET lease_owner = NULL, lease_until = NULL WHERE id = ? AND lease_owner = ?",
        (pack_id(run_id), owner),
    )


async def delete(tx: Connection, run_id: str) -> None:
    """Delete a run with its results. Executions that other runs took over from it go to one of those.

    Raises:
        NotFound: there is no such run.
    """
    packed = pack_id(run_id)
    await held(tx, "SELECT 1 FROM runs WHERE id = ?", (packed,))
    await tx.execute(BEQUEATH, (packed,))
    if not await tx.execute("DELETE FROM runs WHERE id = ?", (packed,)):
        raise NotFound(f"there is no run {run_id}")


def _run(row: Row) -> Run:
    packed, spec, target_name, target_version, dataset_id, dataset_name, status, reason = row[:8]
    total, skipped, summary, created_at, started_at, finished_at, holder = row[8:]
    return Run(
        id=unpack_id(packed),
        spec=RunSpec.model_validate_json(spec),
        target_name=target_name,
        target_version=target_version,
        dataset_id=unpack_id(dataset_id),
        dataset_name=dataset_name,
        status=RunStatus(status),
        holder=holder,
        reason=reason,
        total=total,
        skipped=tuple(from_json(skipped)),
        summary=None if summary is None else Summary.model_validate_json(summary),
        created_at=unpack_time(created_at),
        started_at=unpack_time_or_none(started_at),
        finished_at=unpack_time_or_none(finished_at),
    )
