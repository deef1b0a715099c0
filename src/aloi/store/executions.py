"""Executions: those outside of runs are written here, all are read here; `execution_pages` lists them."""

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import JsonValue
from pydantic_core import from_json

from aloi.core.attachment import Attachment
from aloi.core.errors import InvalidInput, NotFound
from aloi.core.execution import Execution, ExecutionStatus
from aloi.core.outcome import Failure
from aloi.core.spec import JsonObject
from aloi.store import human_steps
from aloi.store.codec import id_or_none, id_range, json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Row, marks
from aloi.store.outcomes import outcome_columns, outcome_of, sent_trace

# The input of an execution of a run stands in the snapshot of its case; that of another beside it, in the same form.
INPUT = "coalesce(e.input, s.body)"
CASES = """
LEFT JOIN runs u ON u.id = e.run_id
LEFT JOIN revision_cases p ON p.revision_id = u.revision_id AND p.position = e.position
LEFT JOIN case_snapshots s ON s.hash = p.hash"""
WHOLE = f"""
JOIN target_versions v ON v.id = e.target_version_id JOIN targets t ON t.id = v.target_id{CASES}"""
HEAD = "SELECT e.id, t.id, t.name, t.kind, v.number, e.source, e.run_id, p.key, e.created_at, e.progress"
HEAD_COLUMNS = 10
UNFINISHED = {ExecutionStatus.RUNNING, ExecutionStatus.WAITING}
BEGINS = " WHERE e.workspace_id = ? AND e.id >= ? AND e.id <= ? ORDER BY e.id LIMIT 2"
GET = f"{HEAD}, {INPUT}, e.body, e.trace FROM executions e{WHOLE}{BEGINS}"
ANSWER = f"SELECT e.id, {INPUT}, e.body, e.progress"
ANSWERS = f"{ANSWER} FROM executions e{CASES}"
INSERT = """
INSERT INTO executions
  (id, source, created_at, input, body, trace, failed, size, trace_id, target_version_id, target_id, workspace_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class Answered(NamedTuple):
    """An execution without its trace: what was put to the target, and what it answered (null when it failed)."""

    id: str
    input: str | JsonObject
    attachments: tuple[Attachment, ...]
    output: JsonValue
    status: ExecutionStatus


async def insert(tx: Connection, execution: Execution, target_version_id: str) -> None:
    """Store an execution that belongs to no run.

    Raises:
        Conflict: its target was deleted meanwhile.
        InvalidInput: it holds text that cannot be stored.
    """
    what = f"the execution of target {execution.target_name!r}"
    columns = outcome_columns(execution.outcome, what)
    params = (
        pack_id(execution.id),
        execution.source.value,
        pack_time(execution.created_at),
        json_of(_put(execution), what),
        *columns.stored,
        int(execution.outcome.failure is not None),
        columns.size,
        sent_trace(execution.outcome),
        pack_id(target_version_id),
        pack_id(execution.target_id),
        tx.workspace,
    )
    await tx.execute(INSERT, params)


def _put(execution: Execution) -> JsonObject:
    """What was put to the target, in the form of a case's snapshot."""
    files: list[JsonValue] = [file.model_dump(mode="json") for file in execution.attachments]
    return {"input": execution.input, **({"attachments": files} if files else {})}


async def get(rx: Connection, ref: str) -> Execution:
    """An execution with its trace, by its id or the beginning of it.

    Raises:
        NotFound: there is none.
        InvalidInput: several executions' ids begin so.
        Conflict: its trace is damaged.
    """
    span = id_range(ref)
    rows = await rx.fetch(GET, (rx.workspace, *span)) if span else []
    if not rows:
        raise NotFound(f"there is no execution {ref}; those of a deleted run or target are gone with it")
    if len(rows) > 1:
        raise InvalidInput(f"several executions begin with {ref!r}; give more of the id")
    [row] = rows
    given, body, trace = row[HEAD_COLUMNS:]
    put = from_json(given)
    outcome = outcome_of(row[0], body, trace)
    own = {
        "target_kind": row[3],
        "input": put["input"],
        "attachments": put.get("attachments", ()),
        "outcome": outcome,
        "status": status_of(row[9], outcome.failure),
        "human_steps": await human_steps.of_execution(rx, unpack_id(row[0])),
    }
    return Execution.model_validate({**head(row), **own})


async def answers(rx: Connection, ids: Sequence[str]) -> dict[str, Answered]:
    """Those of these executions that are there, by id; their traces are not read."""
    packed = [found for found in map(id_or_none, ids) if found is not None]
    if not packed:
        return {}
    among = f" WHERE e.id IN ({marks(len(packed))}) AND e.workspace_id = ?"
    rows = await rx.fetch(ANSWERS + among, (*packed, rx.workspace))
    return {found.id: found for found in map(_answered, rows)}


def _answered(row: Row) -> Answered:
    packed, given, body, progress = row
    put, fields = from_json(given), from_json(body)
    files = tuple(Attachment.model_validate(file) for file in put.get("attachments", ()))
    failure = fields.get("failure")
    status = status_of(progress, None if failure is None else Failure.model_validate(failure))
    return Answered(unpack_id(packed), put["input"], files, fields.get("output"), status)


def status_of(progress: str | None, failure: Failure | None) -> ExecutionStatus:
    """The state of an execution: `progress` as it is stored, null once it is over."""
    if progress is not None:
        return ExecutionStatus(progress)
    return ExecutionStatus.OK if failure is None else ExecutionStatus.ERROR


def head(row: Row) -> dict[str, object]:
    """The fields of a row that `HEAD` found."""
    packed, target, name, _, number, source, run, key, created_at, _ = row[:HEAD_COLUMNS]
    return {
        "id": unpack_id(packed),
        "target_id": unpack_id(target),
        "target_name": name,
        "version": number,
        "source": source,
        "run_id": None if run is None else unpack_id(run),
        "case_key": key,
        "created_at": unpack_time(created_at),
    }
