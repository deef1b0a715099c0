"""What rules said of executions, one result for each rule and execution."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from aloi.core.outcome import Failure
from aloi.core.score import Score, Verdict
from aloi.core.spec import Value
from aloi.store.codec import pack_id, pack_time, short_json, unpack_id, unpack_time
from aloi.store.connection import Connection, Param, Row, marks

INSERT = """
INSERT INTO online_results (rule_id, execution_id, created_at, graded_at, verdict, score, body, to_draft)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (rule_id, execution_id) DO NOTHING"""
COLUMNS = "o.rule_id, r.name, o.execution_id, o.created_at, o.graded_at, o.verdict, o.score, o.body"
FROM = "FROM online_results o JOIN online_rules r ON r.id = o.rule_id WHERE r.workspace_id = ?"
NEWEST = " ORDER BY o.created_at DESC, o.execution_id DESC"
TO_DRAFT = """
SELECT r.workspace_id, r.id, r.name, r.drafts_dataset_id, o.execution_id
FROM online_results o JOIN online_rules r ON r.id = o.rule_id WHERE o.to_draft = 1
ORDER BY r.id, o.execution_id LIMIT ?"""
DRAFTED = "UPDATE online_results SET to_draft = 0 WHERE rule_id = ? AND execution_id = ?"


class Grading(Value):
    """What is kept of a grading beside its verdict and its score."""

    scores: tuple[Score, ...] = ()
    failure: Failure | None = None


class ResultRow(NamedTuple):
    """A result as it is stored. `rule_name` is known of those that are read."""

    rule_id: str
    rule_name: str
    execution_id: str
    created_at: datetime
    graded_at: datetime
    verdict: Verdict
    score: float | None
    grading: Grading


class ResultFilter(NamedTuple):
    """Which results; null lets all through. The times are those of the executions; `until` is not included."""

    verdict: Verdict | None = None
    since: datetime | None = None
    until: datetime | None = None


class ToDraft(NamedTuple):
    """A graded execution that should become a draft case; of a dataset that is gone the id is null."""

    workspace_id: str
    rule_id: str
    rule_name: str
    dataset_id: str | None
    execution_id: str


async def insert(tx: Connection, result: ResultRow, *, to_draft: bool) -> bool:
    """Store a result, unless there is one of that rule and execution; whether it was stored.

    Raises:
        Conflict: the execution, or the rule, is gone.
    """
    params = (
        pack_id(result.rule_id),
        pack_id(result.execution_id),
        pack_time(result.created_at),
        pack_time(result.graded_at),
        result.verdict.value,
        result.score,
        short_json(result.grading, f"the online result of execution {result.execution_id}"),
        int(to_draft),
    )
    return await tx.execute(INSERT, params) > 0


async def page(rx: Connection, rule_id: str, wanted: ResultFilter, offset: int, limit: int) -> list[ResultRow]:
    """One page of a rule's results, newest executions first."""
    where, params = _filter(rx, rule_id, wanted)
    query = f"SELECT {COLUMNS} {FROM}{where}{NEWEST} LIMIT ? OFFSET ?"
    return list(map(_result, await rx.fetch(query, (*params, limit, offset))))


async def count(rx: Connection, rule_id: str, wanted: ResultFilter, most: int) -> int:
    """How many results a filter lets through, at most so many."""
    where, params = _filter(rx, rule_id, wanted)
    row = await rx.fetch_one(f"SELECT count(*) FROM (SELECT 1 {FROM}{where} LIMIT ?) f", (*params, most))  # noqa: S608
    return row[0] if row else 0


async def of_execution(rx: Connection, execution_id: str) -> list[ResultRow]:
    """What the rules said of an execution, by their names."""
    query = f"SELECT {COLUMNS} {FROM} AND o.execution_id = ? ORDER BY r.name, r.id"
    return list(map(_result, await rx.fetch(query, (rx.workspace, pack_id(execution_id)))))


async def graded_among(rx: Connection, rule_id: str, execution_ids: Sequence[str]) -> dict[str, Verdict]:
    """Which of some executions a rule graded, with what it said of each."""
    query = (
        f"SELECT o.execution_id, o.verdict {FROM} AND o.rule_id = ? AND o.execution_id IN ({marks(len(execution_ids))})"
    )
    params = (rx.workspace, pack_id(rule_id), *map(pack_id, execution_ids))
    return {unpack_id(packed): Verdict(verdict) for packed, verdict in await rx.fetch(query, params)}


async def to_draft(rx: Connection, most: int) -> list[ToDraft]:
    """Executions, of all workspaces, that should become draft cases; by rule."""
    return [
        ToDraft(
            unpack_id(workspace),
            unpack_id(rule),
            name,
            None if dataset is None else unpack_id(dataset),
            unpack_id(execution),
        )
        for workspace, rule, name, dataset, execution in await rx.fetch(TO_DRAFT, (most,))
    ]


async def drafted(tx: Connection, done: Sequence[ToDraft]) -> None:
    """Take executions off that became draft cases, or cannot."""
    await tx.execute_many((DRAFTED, sorted((pack_id(one.rule_id), pack_id(one.execution_id)) for one in done)))


def _filter(rx: Connection, rule_id: str, wanted: ResultFilter) -> tuple[str, list[Param]]:
    where, params = " AND o.rule_id = ?", list[Param]([rx.workspace, pack_id(rule_id)])
    if wanted.verdict is not None:
        where += " AND o.verdict = ?"
        params.append(wanted.verdict.value)
    if wanted.since is not None:
        where += " AND o.created_at >= ?"
        params.append(pack_time(wanted.since))
    if wanted.until is not None:
        where += " AND o.created_at < ?"
        params.append(pack_time(wanted.until))
    return where, params


def _result(row: Row) -> ResultRow:
    rule_id, name, execution_id, created_at, graded_at, verdict, score, body = row
    return ResultRow(
        rule_id=unpack_id(rule_id),
        rule_name=name,
        execution_id=unpack_id(execution_id),
        created_at=unpack_time(created_at),
        graded_at=unpack_time(graded_at),
        verdict=Verdict(verdict),
        score=score,
        grading=Grading.model_validate_json(body),
    )
