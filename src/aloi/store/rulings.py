"""What evaluators said of results, without their texts, beside what people said: for the calibration of judges."""

from collections.abc import AsyncIterator, Collection
from typing import Any, NamedTuple

from pydantic_core import from_json

from aloi.core.binding import Binding
from aloi.core.label import LabelVerdict
from aloi.core.ruling import OwnRules, RuledResult, Ruling
from aloi.core.run import Run
from aloi.core.score import Verdict
from aloi.store.codec import pack_id, unpack_id
from aloi.store.connection import Connection, Param, marks
from aloi.store.run_rows import RUNS, own_run, run_of

PAGE = 1000
# The last column: whether it is a copy, taken over from an earlier run that is still there.
OF_RUN = """
SELECT r.position, r.trial, r.verdict, r.body,
  CASE WHEN r.carried_over = 1 AND EXISTS (SELECT 1 FROM results o
    WHERE o.execution_id = r.execution_id AND o.run_id < r.run_id AND o.body = r.body) THEN 1 ELSE 0 END
FROM results r
WHERE r.run_id = (SELECT id FROM runs WHERE id = ? AND workspace_id = ?) AND (r.position, r.trial) > (?, ?)
ORDER BY r.position, r.trial LIMIT ?"""
COUNT_RUNS = "SELECT count(*) FROM runs"
LABELLED = """
SELECT r.position, r.trial, r.verdict, r.body, l.run_id, r.execution_id, l.verdict, l.labelled_at
FROM labels l JOIN runs u ON u.id = l.run_id
JOIN results r ON r.run_id = l.run_id AND r.position = l.position AND r.trial = l.trial
WHERE u.workspace_id = ? AND (l.run_id, l.position, l.trial) > (?, ?, ?)"""
LABELLED_ORDER = " ORDER BY l.run_id, l.position, l.trial LIMIT ?"
# Bodies are written without what is empty, so that the word stands only where there is something.
OWN_RULES = """
SELECT p.position, s.body FROM revision_cases p JOIN case_snapshots s ON s.hash = p.hash
WHERE p.revision_id = ? AND (s.body LIKE '%"criteria":%' OR s.body LIKE '%"evaluators":%')"""
NO_ID = bytes(16)


class Scope(NamedTuple):
    """Which runs are looked at, by ids: of a target, of a dataset, or one; null lets all through."""

    target_id: str | None = None
    dataset_id: str | None = None
    run_id: str | None = None


class StoredRuling(NamedTuple):
    """A result with its rulings; `copied`: it was taken over from an earlier run that is still there."""

    result: RuledResult
    copied: bool


class LabelledRuling(NamedTuple):
    """A labelled result with its rulings. `given_at`: when, in microseconds; `execution`: which output was labelled."""

    result: RuledResult
    run_id: str
    execution: bytes
    label: LabelVerdict
    given_at: int


async def runs_in(rx: Connection, scope: Scope, offset: int, limit: int) -> list[Run]:
    """A page of the runs of a scope, newest first."""
    where, params = _filter(scope)
    order = " ORDER BY u.created_at DESC, u.id DESC LIMIT ? OFFSET ?"
    found = await rx.fetch(f"{RUNS} u WHERE u.workspace_id = ?{where}{order}", (rx.workspace, *params, limit, offset))
    return [run_of(row) for row in found]


async def count_runs(rx: Connection, scope: Scope) -> int:
    """How many runs a scope has."""
    where, params = _filter(scope)
    row = await rx.fetch_one(f"{COUNT_RUNS} u WHERE u.workspace_id = ?{where}", (rx.workspace, *params))
    return row[0] if row else 0


async def of_run(rx: Connection, run_id: str) -> AsyncIterator[StoredRuling]:
    """All results of a run in order, a page of them in memory."""
    last = (-1, -1)
    while rows := await rx.fetch(OF_RUN, (*own_run(rx, run_id), *last, PAGE)):
        for *found, copied in rows:
            yield StoredRuling(_ruled(*found), bool(copied))
        last = (rows[-1][0], rows[-1][1])


async def labelled(rx: Connection, scope: Scope) -> AsyncIterator[LabelledRuling]:
    """The labelled results of a scope, a page of them in memory."""
    where, params = _filter(scope)
    last: tuple[Param, ...] = (NO_ID, -1, -1)
    while rows := await rx.fetch(LABELLED + where + LABELLED_ORDER, (rx.workspace, *last, *params, PAGE)):
        for position, trial, verdict, body, run_id, execution, label, given_at in rows:
            result = _ruled(position, trial, verdict, body)
            yield LabelledRuling(result, unpack_id(run_id), execution, label, given_at)
        last = (rows[-1][4], rows[-1][0], rows[-1][1])


def _filter(scope: Scope) -> tuple[str, list[Param]]:
    terms: dict[str, str | None] = {
        "u.target_version_id IN (SELECT id FROM target_versions WHERE target_id = ?)": scope.target_id,
        "u.dataset_id = ?": scope.dataset_id,
        "u.id = ?": scope.run_id,
    }
    given = {term: pack_id(value) for term, value in terms.items() if value is not None}
    return "".join(f" AND {term}" for term in given), list(given.values())


async def runs_of(rx: Connection, run_ids: Collection[str]) -> dict[str, Run]:
    """Runs by their ids; those that are not there are left out."""
    if not run_ids:
        return {}
    where = f" WHERE workspace_id = ? AND id IN ({marks(len(run_ids))})"
    rows = await rx.fetch(RUNS + where, (rx.workspace, *map(pack_id, run_ids)))
    return {run.id: run for run in map(run_of, rows)}


async def own_rules(rx: Connection, revision_id: str) -> dict[int, OwnRules]:
    """The cases of a revision that are graded otherwise than their dataset says, by position."""
    rows = await rx.fetch(OWN_RULES, (pack_id(revision_id),))
    found = {position: _own(from_json(body)) for position, body in rows}
    return {position: own for position, own in found.items() if own.criteria or own.evaluators}


def _own(case: dict[str, Any]) -> OwnRules:
    evaluators = tuple(map(Binding.model_validate, case.get("evaluators", ())))
    return OwnRules(case.get("criteria", {}), evaluators)


def _ruled(position: int, trial: int, verdict: str, body: str) -> RuledResult:
    """A result of its row. The texts in the body are not looked at: there may be many."""
    fields = from_json(body)
    rulings = tuple(map(_ruling, fields.get("scores", ())))
    return RuledResult(position, trial, Verdict(verdict), rulings, tuple(fields.get("not_applicable", ())))


def _ruling(score: dict[str, Any]) -> Ruling:
    """One of a stored score, in which what is the default is left out."""
    votes = tuple(bool(sample["passed"]) for sample in score.get("samples", ()))
    return Ruling(
        score.get("evaluator", ""), score.get("kind", ""), score.get("weight", 1.0), Verdict(score["verdict"]), votes
    )
