"""Executions: those outside of runs are written here, all are read here."""

from collections.abc import Sequence

from pydantic_core import from_json

from aloi.core.errors import NotFound
from aloi.core.execution import EXCERPT, Execution, ExecutionEntry, ExecutionFilter, ExecutionStatus
from aloi.core.listing import Page
from aloi.core.outcome import Failure
from aloi.core.usage import NO_USAGE, Usage
from aloi.store.codec import id_or_none, json_of, pack_id, pack_time, short_json, unpack_id, unpack_time
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
HEAD = "SELECT e.id, t.id, t.name, t.kind, v.number, e.source, e.run_id, p.key, e.created_at"
IN_WORKSPACE = " WHERE t.workspace_id = ?"
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


async def get(rx: Connection, execution_id: str) -> Execution:
    """An execution with its trace.

    Raises:
        NotFound: there is none of that id.
    """
    packed = id_or_none(execution_id)
    query = f"{HEAD}, {INPUT}, e.body{WHOLE}{IN_WORKSPACE} AND e.id = ?"
    row = await rx.fetch_one(query, (rx.workspace, packed)) if packed else None
    if row is None:
        raise NotFound(f"there is no execution {execution_id}; those of a deleted run or target are gone with it")
    given, body = row[9:]
    own = {"target_kind": row[3], "input": from_json(given)["input"], "outcome": from_json(body)}
    return Execution.model_validate({**_head(row), **own})


async def page(rx: Connection, number: int, size: int, wanted: ExecutionFilter) -> Page[ExecutionEntry]:
    """A page of executions, newest first, counted from 1; their traces are not read."""
    where, params = _where(rx, wanted)
    total = await rx.fetch_one("SELECT count(*)" + (WHOLE if wanted.text else OWN) + where, params)
    query = f"{HEAD}, {_excerpts(rx.dialect)}{WHOLE}{where} ORDER BY e.id DESC LIMIT ? OFFSET ?"
    rows = await rx.fetch(query, (*params, size, (number - 1) * size))
    return Page(items=tuple(map(_entry, rows)), total=total[0] if total else 0, page=number, size=size)


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
    if wanted.status is not None:
        failed = "NOT NULL" if wanted.status is ExecutionStatus.ERROR else "NULL"
        terms.append(f"{rx.dialect.json_field('e.body', 'failure')} IS {failed}")
    if wanted.text:
        field = rx.dialect.json_field
        terms.append(any_contains(field(INPUT, "input"), field("e.body", "output")))
        params += [pattern(wanted.text)] * 2
    return " AND ".join(terms), params


def _head(row: Row) -> dict[str, object]:
    packed, target, name, _, number, source, run, key, created_at = row[:9]
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
    given, output, failure, latency, usage = row[9:]
    return ExecutionEntry.model_validate(
        {
            **_head(row),
            "input": given or "",
            "output": None if output is None else str(output),
            "failure": None if failure is None else Failure.model_validate_json(failure),
            "latency": 0.0 if latency is None else float(latency),
            "usage": NO_USAGE if usage is None else Usage.model_validate_json(usage),
        }
    )
