"""Pages of datasets, as lists show them."""

from pydantic_core import from_json

from aloi.core.listing import DatasetEntry, DatasetFilter, LastRun
from aloi.core.run import RunStatus
from aloi.store.codec import pack_id, unpack_id, unpack_time, unpack_time_or_none
from aloi.store.connection import Connection, Param, Row
from aloi.store.matching import any_contains, pattern

COUNT = "SELECT count(*) FROM datasets WHERE workspace_id = ?"
CHOSEN = "SELECT * FROM datasets WHERE workspace_id = ?"
ORDER = " ORDER BY updated_at DESC, id DESC"
# The page is chosen first, so that only its datasets are counted.
ENTRIES = """
SELECT d.id, d.name, d.description, d.target_id, d.judge_samples, d.bindings, d.updated_at,
  (SELECT count(*) FROM cases c WHERE c.dataset_id = d.id),
  EXISTS (SELECT 1 FROM cases c WHERE c.dataset_id = d.id AND c.enabled = 1 AND c.status = 'ready'),
  r.id, r.status, r.summary, r.finished_at
FROM ({chosen}) d LEFT JOIN runs r ON r.id =
  (SELECT n.id FROM runs n WHERE n.dataset_id = d.id ORDER BY n.created_at DESC, n.id DESC LIMIT 1)
ORDER BY d.updated_at DESC, d.id DESC"""


async def page(rx: Connection, wanted: DatasetFilter, offset: int, limit: int) -> list[DatasetEntry]:
    """One page of the datasets that a filter lets through, the last changed first."""
    where, params = _filter(rx, wanted)
    chosen = CHOSEN + where + ORDER + " LIMIT ? OFFSET ?"
    rows = await rx.fetch(ENTRIES.format(chosen=chosen), (rx.workspace, *params, limit, offset))
    return [_entry(row) for row in rows]


async def count(rx: Connection, wanted: DatasetFilter) -> int:
    """How many datasets a filter lets through."""
    where, params = _filter(rx, wanted)
    row = await rx.fetch_one(COUNT + where, (rx.workspace, *params))
    return row[0] if row else 0


def _filter(rx: Connection, wanted: DatasetFilter) -> tuple[str, list[Param]]:
    where = ""
    params: list[Param] = []
    if wanted.q:
        where += " AND " + any_contains("name", "description")
        params += [pattern(wanted.q)] * 2
    if wanted.name is not None:
        where += " AND name = ?"
        params.append(wanted.name)
    if wanted.target_id is not None:
        where += " AND target_id = ?"
        params.append(pack_id(wanted.target_id))
    return where, params


def _entry(row: Row) -> DatasetEntry:
    packed, name, description, target_id, judge_samples, bindings, updated_at, cases, runnable = row[:9]
    return DatasetEntry(
        id=unpack_id(packed),
        name=name,
        description=description,
        target_id=None if target_id is None else unpack_id(target_id),
        case_count=cases,
        runnable=bool(runnable),
        evaluator_count=len(from_json(bindings)),
        judge_samples=judge_samples,
        last_run=_last_run(row[9:]),
        updated_at=unpack_time(updated_at),
    )


def _last_run(row: Row) -> LastRun | None:
    packed, status, summary, finished_at = row
    if packed is None:
        return None
    figures = None if summary is None else from_json(summary)
    return LastRun(
        id=unpack_id(packed),
        status=RunStatus(status),
        passed=figures and figures["passed"],
        decided=figures and figures["passed"] + figures["failed"],
        finished_at=unpack_time_or_none(finished_at),
    )
