"""What comes out of a run, as it is written: executions first, then their results."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from aloi.core.errors import Conflict, NotFound
from aloi.core.outcome import Outcome
from aloi.core.result import CaseResult
from aloi.core.run import Progress, RunStatus
from aloi.core.score import Verdict
from aloi.core.usage import add_known
from aloi.store.codec import pack_id, pack_time, short_json
from aloi.store.connection import Connection, Params, held, marks
from aloi.store.outcomes import outcome_columns, sent_trace
from aloi.store.run_rows import own_run

# What of a row is not in the JSON of its figures: it has its own column, or is looked up by its place.
PLACED = {"case_id", "case_key", "case_hash", "trial", "verdict", "score", "carried_over"}
BODY = {"scores", "failure", "not_applicable"}
# How a run is, and the number of the result that was committed last.
STATE = """
SELECT status, (SELECT coalesce(max(seq), 0) FROM results WHERE run_id = runs.id)
FROM runs WHERE id = ? AND workspace_id = ?"""
# The first invocation of a place stands, whoever comes later.
INSERT_EXECUTION = """
INSERT INTO executions
  (id, run_id, position, trial, source, created_at, body, trace, failed, trace_id, target_version_id, target_id,
  workspace_id)
SELECT ?, ?, ?, ?, 'run', ?, ?, ?, ?, ?, v.id, t.id, t.workspace_id
FROM target_versions v JOIN targets t ON t.id = v.target_id WHERE v.id = ? ON CONFLICT DO NOTHING"""
COMPLETE_EXECUTION = "UPDATE executions SET body = ?, trace = ? WHERE id = ? AND run_id = ?"
# A result counts only with its execution: one of an invocation that came second has none.
INSERT_RESULT = """
INSERT INTO results
  (run_id, position, trial, seq, execution_id, verdict, score, tokens, cost, carried_over, figures, body)
SELECT ?, ?, ?, ?, id, ?, ?, ?, ?, ?, ?, ? FROM executions WHERE id = ?
ON CONFLICT (run_id, position, trial) DO UPDATE SET
  seq = excluded.seq, execution_id = excluded.execution_id, verdict = excluded.verdict, score = excluded.score,
  tokens = excluded.tokens, cost = excluded.cost, carried_over = excluded.carried_over, figures = excluded.figures,
  body = excluded.body"""
CARRY = """
INSERT INTO results
  (run_id, position, trial, seq, execution_id, verdict, score, tokens, cost, carried_over, figures, body)
SELECT ?, position, trial, ? + row_number() OVER (ORDER BY position, trial), execution_id, verdict, score, tokens,
  cost, 1, figures, body
FROM results WHERE run_id = (SELECT id FROM runs WHERE id = ? AND workspace_id = ?)"""
DONE = """
SELECT position, trial FROM results WHERE run_id = (SELECT id FROM runs WHERE id = ? AND workspace_id = ?)"""


class InvokedRow(NamedTuple):
    """One execution of a run. `position` is that of its case in the revision."""

    position: int
    trial: int
    execution_id: str
    target_version_id: str
    created_at: datetime
    outcome: Outcome


class CompletedRow(NamedTuple):
    """The outcome of an execution that was stored before, or in this batch, with what others sent of it since."""

    execution_id: str
    outcome: Outcome


class GradedRow(NamedTuple):
    """One result of a run, with the execution that it grades: of this batch, stored earlier, or of another run."""

    position: int
    trial: int
    execution_id: str
    result: CaseResult


async def write(
    tx: Connection,
    run_id: str,
    invoked: Sequence[InvokedRow],
    graded: Sequence[GradedRow],
    completed: Sequence[CompletedRow] = (),
) -> None:
    """Store what came of some cases. Writing the same again changes nothing but the results' numbers.

    The first execution of a place stands; a result whose execution is not stored is left out, and the place is graded
    from the one that is. A result that comes later replaces an earlier one, until the run is completed. Each is
    numbered (`seq`) behind all that the run has, so that who follows the run sees it.

    Raises:
        NotFound: the run was deleted.
        Conflict: the run is completed.
        InvalidInput: an output or a score holds text that cannot be stored.
    """
    run = pack_id(run_id)
    last = await _last_of_open(tx, run_id)
    await tx.execute_many(
        (INSERT_EXECUTION, [_execution(run, row) for row in invoked]),
        (COMPLETE_EXECUTION, [_completed(run, row) for row in completed]),
        (INSERT_RESULT, [_result(run, seq, row) for seq, row in enumerate(graded, last + 1)]),
    )


async def _last_of_open(tx: Connection, run_id: str) -> int:
    """The number of the run's last result, 0 when it has none. Only its present worker writes, so that it stays so."""
    row = await held(tx, STATE, own_run(tx, run_id))
    if row is None:
        raise NotFound(f"run {run_id} was deleted, so its results cannot be stored")
    if row[0] == RunStatus.COMPLETED:
        raise Conflict(f"run {run_id} is completed, so its results do not change; start a new run")
    return row[1]


def _execution(run: bytes, row: InvokedRow) -> Params:
    position, trial, execution_id, version_id, created_at, outcome = row
    stored = outcome_columns(outcome, f"the outcome of case {position + 1}").stored
    placed = pack_id(execution_id), run, position, trial, pack_time(created_at)
    return (*placed, *stored, int(outcome.failure is not None), sent_trace(outcome), pack_id(version_id))


def _completed(run: bytes, row: CompletedRow) -> Params:
    stored = outcome_columns(row.outcome, f"the outcome of execution {row.execution_id}").stored
    return (*stored, pack_id(row.execution_id), run)


def _result(run: bytes, seq: int, graded: GradedRow) -> Params:
    position, trial, execution_id, result = graded
    row = result.row()
    what = f"the result of case {result.case_key!r}"
    return (
        run,
        position,
        trial,
        seq,
        row.verdict.value,
        row.score,
        add_known(row.usage.tokens, row.judge_side.tokens),
        add_known(row.usage.cost, row.judge_side.cost),
        int(row.carried_over),
        short_json(row, what, exclude=PLACED),
        short_json(result, what, include=BODY),
        pack_id(execution_id),
    )


async def carry(tx: Connection, from_run: str, to_run: str, verdicts: Collection[Verdict]) -> int:
    """Take over results of those verdicts from a run over the same revision, marked so; their texts are not copied.

    Returns:
        How many were taken over.
    """
    wanted = f" AND verdict IN ({marks(len(verdicts))}) ON CONFLICT DO NOTHING"
    source = own_run(tx, from_run)
    # So that the run is not deleted meanwhile, with executions that are taken over.
    await held(tx, "SELECT 1 FROM runs WHERE id = ? AND workspace_id = ?", source)
    last = await _last_of_open(tx, to_run)
    params = (pack_id(to_run), last, *source, *(verdict.value for verdict in verdicts))
    return await tx.execute(CARRY + wanted, params)


async def done(rx: Connection, run_id: str) -> set[tuple[int, int]]:
    """The places, (position, trial), that have a result."""
    rows = await rx.fetch(DONE, own_run(rx, run_id))
    return {(position, trial) for position, trial in rows}


async def counts(rx: Connection, run_id: str) -> Progress:
    """How far a run is; tokens and cost of the target and the judge's side together.

    Raises:
        NotFound: there is no such run.
    """
    run = own_run(rx, run_id)
    row = await rx.fetch_one("SELECT total FROM runs WHERE id = ? AND workspace_id = ?", run)
    if row is None:
        raise NotFound(f"there is no run {run_id}")
    rows = await rx.fetch(
        "SELECT verdict, count(*), CAST(sum(tokens) AS BIGINT), sum(cost) FROM results WHERE run_id = ?"
        " GROUP BY verdict",
        run[:1],
    )
    number = {verdict: count for verdict, count, _, _ in rows}
    costs = [cost for _, _, _, cost in rows if cost is not None]
    return Progress(
        total=row[0],
        passed=number.get(Verdict.PASS, 0),
        failed=number.get(Verdict.FAIL, 0),
        errors=number.get(Verdict.ERROR, 0),
        tokens=sum(tokens or 0 for _, _, tokens, _ in rows),
        cost=sum(costs) if costs else None,
    )
