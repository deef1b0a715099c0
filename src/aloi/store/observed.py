"""Executions that were observed by their traces: one for each trace of a workspace, however often it is written."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from aloi.core.outcome import Outcome
from aloi.core.spec import JsonObject
from aloi.core.trace import TRACE_AWAITED, Span, senders
from aloi.store.codec import json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Params, Row, marks
from aloi.store.outcomes import outcome_columns, outcome_of

AT_ONCE = 500
KNOWN = """
SELECT trace_id, id, created_at, body, trace, size, progress IS NOT NULL, run_id IS NOT NULL, EXISTS
  (SELECT 1 FROM results r
   WHERE r.run_id = executions.run_id AND r.position = executions.position AND r.trial = executions.trial),
  target_id, target_version_id
FROM executions WHERE workspace_id = ? AND trace_id IN ({ids}) AND trace_id IS NOT NULL"""
PUT = """
INSERT INTO executions
  (id, source, trace_id, created_at, input, body, trace, failed, size, target_version_id, target_id, workspace_id)
VALUES (?, 'production', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (workspace_id, trace_id) WHERE trace_id IS NOT NULL DO UPDATE SET
  created_at = excluded.created_at, input = excluded.input, body = excluded.body, trace = excluded.trace,
  failed = excluded.failed, size = excluded.size, target_version_id = excluded.target_version_id,
  target_id = excluded.target_id"""
COMPLETE = "UPDATE executions SET body = ?, trace = ?, size = ? WHERE id = ? AND progress IS NULL"
REMOTE = "SELECT count(*) FROM targets WHERE workspace_id = ? AND kind = 'remote'"
VERSIONS = """
SELECT t.name, t.id, v.id FROM targets t JOIN target_versions v ON v.target_id = t.id
  AND v.number = coalesce(t.active, (SELECT max(n.number) FROM target_versions n WHERE n.target_id = t.id))
WHERE t.workspace_id = ? AND t.name IN ({names})"""


class VersionIds(NamedTuple):
    """A version of a target, and the target."""

    target_id: str
    version_id: str


class Known(NamedTuple):
    """The execution that a trace has already. `size`: the characters of its outcome.

    `goes_on`: it is not over; `in_run`: it belongs to a run; `graded`: its result is stored. `version`: what it is of.
    """

    execution_id: str
    created_at: datetime
    outcome: Outcome
    size: int
    goes_on: bool = False
    in_run: bool = False
    graded: bool = False
    version: VersionIds | None = None

    @property
    def is_ours(self) -> bool:
        """Whether the trace is that of an invocation of ours, which went on elsewhere."""
        return self.in_run or bool(self._sent)

    @property
    def was_read(self) -> bool:
        """Whether it belongs to a run that has graded its trace, or is about to."""
        awaited = not self._sent or any(TRACE_AWAITED in span.attributes for span in self._sent)
        return self.in_run and (awaited or not self.graded)

    @property
    def _sent(self) -> tuple[Span, ...]:
        return () if self.outcome.trace is None else senders(self.outcome.trace)


class ObservedRow(NamedTuple):
    """An execution as its trace tells it. `execution_id` counts where the trace has none yet."""

    execution_id: str
    trace_id: str
    created_at: datetime
    input: str | JsonObject
    outcome: Outcome
    version: VersionIds


async def known(rx: Connection, trace_ids: Sequence[str]) -> dict[str, Known]:
    """The executions of the workspace that some traces have, by the ids of the traces.

    Raises:
        Conflict: the trace of one of them is damaged.
    """
    found: dict[str, Known] = {}
    packed = list(map(bytes.fromhex, trace_ids))
    for start in range(0, len(packed), AT_ONCE):
        some = packed[start : start + AT_ONCE]
        for row in await rx.fetch(KNOWN.format(ids=marks(len(some))), (rx.workspace, *some)):
            found[row[0].hex()] = _known(row)
    return found


def _known(row: Row) -> Known:
    _, packed, created_at, body, trace, size, goes_on, in_run, graded, target_id, version_id = row
    state = bool(goes_on), bool(in_run), bool(graded)
    version = VersionIds(unpack_id(target_id), unpack_id(version_id))
    return Known(unpack_id(packed), unpack_time(created_at), outcome_of(packed, body, trace), size, *state, version)


async def put(tx: Connection, rows: Iterable[ObservedRow]) -> None:
    """Store executions; one that the trace has already is replaced, and keeps its id.

    Raises:
        Conflict: a target was deleted meanwhile.
        InvalidInput: there is text that cannot be stored.
    """
    await tx.execute_many((PUT, [_params(tx, row) for row in rows]))


async def complete(tx: Connection, execution_id: str, outcome: Outcome) -> None:
    """Store what others sent of an execution of ours that is over.

    Raises:
        InvalidInput: there is text that cannot be stored.
    """
    columns = outcome_columns(outcome, f"the execution {execution_id}")
    await tx.execute(COMPLETE, (*columns.stored, columns.size, pack_id(execution_id)))


def _params(tx: Connection, row: ObservedRow) -> Params:
    what = f"the execution of trace {row.trace_id}"
    columns = outcome_columns(row.outcome, what)
    given = json_of({"input": row.input}, what)
    return (
        pack_id(row.execution_id),
        bytes.fromhex(row.trace_id),
        pack_time(row.created_at),
        given,
        *columns.stored,
        int(row.outcome.failure is not None),
        len(given) + columns.size,
        pack_id(row.version.version_id),
        pack_id(row.version.target_id),
        tx.workspace,
    )


async def versions(rx: Connection, names: Sequence[str]) -> dict[str, VersionIds]:
    """The active versions of the targets of those names that are there, by their names."""
    rows = await rx.fetch(VERSIONS.format(names=marks(len(names))), (rx.workspace, *names)) if names else []
    return {name: VersionIds(unpack_id(target), unpack_id(version)) for name, target, version in rows}


async def remote_targets(rx: Connection) -> int:
    """How many targets of kind `remote` the workspace has."""
    row = await rx.fetch_one(REMOTE, (rx.workspace,))
    return row[0] if row else 0
