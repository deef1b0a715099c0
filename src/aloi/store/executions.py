"""Executions: those outside of runs are written here, all are read here."""

from collections.abc import Sequence

from pydantic_core import from_json

from aloi.core.errors import InvalidInput, NotFound
from aloi.core.execution import EXCERPT, Execution, ExecutionEntry, ExecutionFilter, ExecutionStatus
from aloi.core.listing import Page
from aloi.core.outcome import Failure, Outcome
from aloi.core.usage import NO_USAGE, Usage
from aloi.store import human_steps
from aloi.store.codec import id_range, json_of, pack_id, pack_time, short_json, unpack_id, unpack_time
from aloi.store.connection import Connection, Dialect, Param, Row
from aloi.store.matching import any_contains, pattern

# The input of an execution of a run stands in the snapshot of its case; that of another beside it, in the same form.
INPUT = "coalesce(e.input, s.body)"
OWN = """
FROM executions e JOIN target_versions v ON v.id = e.target_version_id JOIN targets t ON t.id = v.target_id"""
WHOLE = (
    OWN
    + """
LEFT JOIN runs u ON u.id = e.run_id
LEFT JOIN revision_cases p ON p.revision_id = u.revision_id AND p.position = e.position
LEFT JOIN case_snapshots s ON s.hash = p.hash"""
)
HEAD = "SELECT e.id, t.id, t.name, t.kind, v.number, e.source, e.run_id, p.key, e.created_at, e.progress"
HEAD_COLUMNS = 10
UNFINISHED = {ExecutionStatus.RUNNING, ExecutionStatus.WAITING}
IN_WORKSPACE = " WHERE t.workspace_id = ?"
BEGINS = " AND e.id >= ? AND e.id <= ? ORDER BY e.id LIMIT 2"
INSERT = """
INSERT INTO executions (id, target_version_id, source, created_at, input, body) VALUES (?, ?, ?, ?, ?, ?)"""


async def insert(tx: Connection, execution: Execution, target_version_id: str) -> None:
    """Store an execution that belongs to no run.

    Raises:
        Conflict: its target was deleted meanwhile.
        InvalidInput: it holds text that cannot be stored.
    """
    what = f"the execution of target {execution.target_name!r}"
    params = (
        pack_id(execution.id),
        pack_id(target_version_id),
        execution.source.value,
        pack_time(execution.created_at),
        json_of({"input": execution.input}, what),
        short_json(execution.outcome, what),
    )
    await tx.execute(INSERT, params)


async def get(rx: Connection, ref: str) -> Execution:
    """An execution with its trace, by its id or the beginning of it.

    Raises:
        NotFound: there is none.
        InvalidInput: several executions' ids begin so.
    """
    span = id_range(ref)
    query = f"{HEAD}, {INPUT}, e.body{WHOLE}{IN_WORKSPACE}{BEGINS}"
    rows = await rx.fetch(query, (rx.workspace, *span)) if span else []
    if not rows:
        raise NotFound(f"there is no execution {ref}; those of a deleted run or target are gone with it")
    if len(rows) > 1:
        raise InvalidInput(f"several executions begin with {ref!r}; give more of the id")
    [row] = rows
    given, body = row[HEAD_COLUMNS:]
    outcome = Outcome.model_validate(from_json(body))
    own = {
        "target_kind": row[3],
        "input": from_json(given)["input"],
        "outcome": outcome,
        "status": status_of(row[9], outcome.failure),
        "human_steps": await human_steps.of_execution(rx, unpack_id(row[0])),
    }
    return Execution.model_validate({**_head(row), **own})


async def page(rx: Connection, number: int, size: int, wanted: ExecutionFilter) -> Page[ExecutionEntry]:
    """A page of executions, newest first, counted from 1; their traces are not read."""
    where, params = _where(rx, wanted)
    total = await rx.fetch_one("SELECT count(*)" + (WHOLE if wanted.text else OWN) + where, params)
    query = f"{HEAD}, {_excerpts(rx.dialect)}{WHOLE}{where} ORDER BY e.id DESC LIMIT ? OFFSET ?"
    rows = await rx.fetch(query, (*params, size, (number - 1) * size))
    return Page(items=tuple(map(_entry, rows)), total=total[0] if total else 0, page=number, size=size)


def status_of(progress: str | None, failure: Failure | None) -> ExecutionStatus:
    """The state of an execution: `progress` as it is stored, null once it is over."""
    if progress is not None:
        return ExecutionStatus(progress)
    return ExecutionStatus.OK if failure is None else ExecutionStatus.ERROR


def _excerpts(dialect: Dialect) -> str:
    """The columns of an entry behind its head: no more of long texts than is shown."""
    field = dialect.json_field
    texts = [f"substr({field(INPUT, 'input')}, 1, {EXCERPT})", f"substr({field('e.body', 'output')}, 1, {EXCERPT})"]
    return ", ".join([*texts, *(field("e.body", name) for name in ("failure", "latency", "usage"))])


def _where(rx: Connection, wanted: ExecutionFilter) -> tuple[str, Sequence[Param]]:
    terms, params = [IN_WORKSPACE], list[Param]([rx.workspace])
    if wanted.target_id is not None:
        terms.append("t.id = ?")
        params.append(pack_id(wanted.target_id))
    if wanted.source is not None:
        terms.append("e.source = ?")
        params.append(wanted.source.value)
    if wanted.since is not None:
        terms.append("e.created_at >= ?")
        params.append(pack_time(wanted.since))
    if wanted.until is not None:
        terms.append("e.created_at < ?")
        params.append(pack_time(wanted.until))
    if wanted.status is not None and wanted.status in UNFINISHED:
        terms.append("e.progress = ?")
        params.append(wanted.status.value)
    elif wanted.status is not None:
        failed = "NOT NULL" if wanted.status is ExecutionStatus.ERROR else "NULL"
        terms.append(f"e.progress IS NULL AND {rx.dialect.json_field('e.body', 'failure')} IS {failed}")
    if wanted.text:
        field = rx.dialect.json_field
        terms.append(any_contains(field(INPUT, "input"), field("e.body", "output")))
        params += [pattern(wanted.text)] * 2
    return " AND ".join(terms), params


def _head(row: Row) -> dict[str, object]:
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


def _entry(row: Row) -> ExecutionEntry:
    given, output, failed, latency, usage = row[HEAD_COLUMNS:]
    failure = None if failed is None else Failure.model_validate_json(failed)
    return ExecutionEntry.model_validate(
        {
            **_head(row),
            "status": status_of(row[9], failure),
            "input": given or "",
            "output": None if output is None else str(output),
            "failure": failure,
            "latency": 0.0 if latency is None else float(latency),
            "usage": NO_USAGE if usage is None else Usage.model_validate_json(usage),
        }
    )
