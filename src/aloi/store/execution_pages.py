"""Lists of executions. There may be millions, so nothing here takes longer the more there are.

The filters choose ids by an index alone; what is shown of an execution is looked up for those of the page.
"""

from collections.abc import Sequence

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
from aloi.store.codec import id_or_none, pack_id, pack_time, unpack_id
from aloi.store.connection import Connection, Dialect, Param, Row, marks
from aloi.store.executions import CASES, HEAD, HEAD_COLUMNS, INPUT, UNFINISHED, WHOLE, head, status_of
from aloi.store.matching import any_contains, pattern
from aloi.store.narrowing import granted

NEWEST = " ORDER BY e.created_at DESC, e.id DESC"
# The columns that are looked at, and not `trace`; joined to the table again, PostgreSQL would go through all of it.
LOOKED_AT = "e.id, e.created_at, e.run_id, e.position, e.input, e.body"
SEARCHED = f"FROM (SELECT {LOOKED_AT} FROM {{source}}{NEWEST} LIMIT ?) e{CASES}"  # noqa: S608
# Of so many targets that somebody is narrowed to the newest are looked up one by one: where they have few executions, a
# database would else go through all of the workspace.
MOST_APART = 50
NEWEST_OF = f"SELECT * FROM (SELECT {{columns}} FROM executions e{{where}}{NEWEST} LIMIT ?) p"  # noqa: S608
OF_TARGET = """
WHERE e.target_id = ? AND EXISTS (SELECT 1 FROM targets o WHERE o.id = ? AND o.workspace_id = ?)"""
COUNT = "SELECT count(*) FROM (SELECT 1 {chosen} LIMIT ?) f"
PAGE = f"{HEAD}, {{excerpts}} FROM (SELECT e.id {{chosen}}{NEWEST} LIMIT ? OFFSET ?) f JOIN executions e ON e.id = f.id"


async def page(rx: Connection, number: int, size: int, wanted: ExecutionFilter) -> Page[ExecutionEntry]:
    """A page of executions, newest first, counted from 1; their traces are not read.

    The total is exact up to `MOST_COUNTED`; one more stands for more than that. A text is looked for in the newest
    `MOST_SEARCHED` that the other filters let through.
    """
    chosen, params = _chosen(rx, wanted, MOST_COUNTED + 1)
    total = await rx.fetch_one(COUNT.format(chosen=chosen), (*params, MOST_COUNTED + 1))
    chosen, params = _chosen(rx, wanted, number * size)
    query = PAGE.format(excerpts=_excerpts(rx.dialect), chosen=chosen) + WHOLE + NEWEST
    rows = await rx.fetch(query, (*params, size, (number - 1) * size))
    return Page(items=tuple(map(_entry, rows)), total=total[0] if total else 0, page=number, size=size)


async def entries(rx: Connection, ids: Sequence[str]) -> dict[str, ExecutionEntry]:
    """Those of these executions that are there, by id, as a list shows them."""
    packed = [found for found in map(id_or_none, ids) if found is not None]
    if not packed:
        return {}
    query = f"{HEAD}, {_excerpts(rx.dialect)} FROM executions e{WHOLE} WHERE e.id IN ({marks(len(packed))})"
    rows = await rx.fetch(query + " AND e.workspace_id = ?", (*packed, rx.workspace))
    return {entry.id: entry for entry in map(_entry, rows)}


def _chosen(rx: Connection, wanted: ExecutionFilter, most: int) -> tuple[str, list[Param]]:
    """The executions that the filters let through, as the end of a query, and its parameters.

    Args:
        most: of how many of the newest something is wanted.
    """
    if not wanted.text:
        source, params = _source(rx, wanted, "e.id, e.created_at", most)
        return f"FROM {source}", params
    source, params = _source(rx, wanted, LOOKED_AT, MOST_SEARCHED)
    field = rx.dialect.json_field
    contains = any_contains(field(INPUT, "input"), field("e.body", "output"))
    found = [pattern(wanted.text)] * 2
    return f"{SEARCHED.format(source=source)} WHERE {contains}", [*params, MOST_SEARCHED, *found]


def _source(rx: Connection, wanted: ExecutionFilter, columns: str, most: int) -> tuple[str, list[Param]]:
    """Where they come from, as `e` with these columns, and the parameters; the newest so many are among them."""
    targets = granted(rx)
    if targets is None or wanted.target_id is not None or len(targets) > MOST_APART:
        where, params = _where(rx, wanted)
        return f"executions e{where}", params
    if not targets:
        return "executions e WHERE 1 = 0", []
    parts, params = list[str](), list[Param]()
    for target in targets:
        where, own = _where(rx, wanted._replace(target_id=unpack_id(target)))
        parts.append(NEWEST_OF.format(columns=columns, where=where))
        params += [*own, most]
    return f"({' UNION ALL '.join(parts)}) e", params


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
        # The value itself: a database uses the index of those that failed only where it sees that they are wanted.
        terms.append(f"e.failed = {int(wanted.status is ExecutionStatus.ERROR)}")
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
