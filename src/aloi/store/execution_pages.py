"""Lists of executions. There may be millions, so nothing here takes longer the more there are.

The filters choose ids by an index alone; what is shown of an execution is looked up for those of the page.
"""

from aloi.core.execution import (
    EXCERPT,
    MOST_COUNTED,
    MOST_SEARCHED,
    ExecutionEntry,
    ExecutionFilter,
    ExecutionStatus,
)
from aloi.core.listing import Page
from aloi.core.outcome import Failure
from aloi.core.usage import NO_USAGE, Usage
from aloi.store.codec import pack_id, pack_time
from aloi.store.connection import Connection, Dialect, Param, Row
from aloi.store.executions import CASES, HEAD, HEAD_COLUMNS, INPUT, UNFINISHED, WHOLE, head, status_of
from aloi.store.matching import any_contains, pattern

NEWEST = " ORDER BY e.created_at DESC, e.id DESC"
# The columns that are looked at, and not `trace`; joined to the table again, PostgreSQL would go through all of it.
SEARCHED = f"""
FROM (SELECT e.id, e.created_at, e.run_id, e.position, e.input, e.body
      FROM executions e{{where}}{NEWEST} LIMIT ?) e{CASES}"""  # noqa: S608
OF_TARGET = """
WHERE e.target_id = ? AND EXISTS (SELECT 1 FROM targets o WHERE o.id = ? AND o.workspace_id = ?)"""
COUNT = "SELECT count(*) FROM (SELECT 1 {chosen} LIMIT ?) f"
PAGE = f"{HEAD}, {{excerpts}} FROM (SELECT e.id {{chosen}}{NEWEST} LIMIT ? OFFSET ?) f JOIN executions e ON e.id = f.id"


async def page(rx: Connection, number: int, size: int, wanted: ExecutionFilter) -> Page[ExecutionEntry]:
    """A page of executions, newest first, counted from 1; their traces are not read.

    The total is exact up to `MOST_COUNTED`; one more stands for more than that. A text is looked for in the newest
    `MOST_SEARCHED` that the other filters let through.
    """
    chosen, params = _chosen(rx, wanted)
    total = await rx.fetch_one(COUNT.format(chosen=chosen), (*params, MOST_COUNTED + 1))
    query = PAGE.format(excerpts=_excerpts(rx.dialect), chosen=chosen) + WHOLE + NEWEST
    rows = await rx.fetch(query, (*params, size, (number - 1) * size))
    return Page(items=tuple(map(_entry, rows)), total=total[0] if total else 0, page=number, size=size)


def _chosen(rx: Connection, wanted: ExecutionFilter) -> tuple[str, list[Param]]:
    """The executions that the filters let through, as the end of a query, and its parameters."""
    where, params = _where(rx, wanted)
    if not wanted.text:
        return f"FROM executions e{where}", params
    field = rx.dialect.json_field
    contains = any_contains(field(INPUT, "input"), field("e.body", "output"))
    found = [pattern(wanted.text)] * 2
    return f"{SEARCHED.format(where=where)} WHERE {contains}", [*params, MOST_SEARCHED, *found]


def _where(rx: Connection, wanted: ExecutionFilter) -> tuple[str, list[Param]]:
    terms, params = [" WHERE e.workspace_id = ?"], list[Param]([rx.workspace])
    if wanted.target_id is not None:
        # Not the workspace of each execution, or a database would rather go through all that the workspace has.
        packed = pack_id(wanted.target_id)
        terms, params = [OF_TARGET], list[Param]([packed, packed, rx.workspace])
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
        terms.append("e.failed = ?")
        params.append(int(wanted.status is ExecutionStatus.ERROR))
    return " AND ".join(terms), params


def _excerpts(dialect: Dialect) -> str:
    """The columns of an entry behind its head: no more of long texts than is shown."""
    field = dialect.json_field
    texts = [f"substr({field(INPUT, 'input')}, 1, {EXCERPT})", f"substr({field('e.body', 'output')}, 1, {EXCERPT})"]
    return ", ".join([*texts, *(field("e.body", name) for name in ("failure", "latency", "usage"))])


def _entry(row: Row) -> ExecutionEntry:
    given, output, failed, latency, usage = row[HEAD_COLUMNS:]
    failure = None if failed is None else Failure.model_validate_json(failed)
    return ExecutionEntry.model_validate(
        {
            **head(row),
            "status": status_of(row[9], failure),
            "input": given or "",
            "output": None if output is None else str(output),
            "failure": failure,
            "latency": 0.0 if latency is None else float(latency),
            "usage": NO_USAGE if usage is None else Usage.model_validate_json(usage),
        }
    )
