"""What came out of a run, as it is read: figures for the statistics, whole results for people."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from pydantic_core import from_json

from aloi.core.errors import NotFound
from aloi.core.result import CaseResult, ResultRow
from aloi.core.score import Verdict
from aloi.store.codec import id_or_none, pack_id, unpack_id
from aloi.store.connection import Connection, Param, Row
from aloi.store.matching import any_contains, pattern
from aloi.store.outcomes import shown_outcome
from aloi.store.run_rows import own_run

PAGE = 1000
WHOLE_PAGE = 200
ORDER = " ORDER BY r.position, r.trial"
OUTCOME = " JOIN executions e ON e.id = r.execution_id"
# A result's case is where its place in the run's revision says. The parameter is the run.
CASES = """
JOIN revision_cases p ON p.revision_id = (SELECT revision_id FROM runs WHERE id = ?) AND p.position = r.position"""
OF_RUN = "FROM results r WHERE r.run_id = (SELECT id FROM runs WHERE id = ? AND workspace_id = ?)"
TEXTS_OF_RUN = OF_RUN.replace(" WHERE", f"{CASES}{OUTCOME} WHERE", 1)
# A page is cut before its cases are looked up: a database that has no statistics of a young table yet would else look
# through the whole revision for each page.
CUT = "FROM (SELECT r.* {chosen} LIMIT ?{offset}) r" + CASES
BEHIND = CUT.format(chosen=f"{OF_RUN} AND (r.position, r.trial) > (?, ?){ORDER}", offset="")
FIGURES = "SELECT r.position, r.trial, p.case_id, p.key, p.hash, r.verdict, r.score, r.carried_over, r.figures"
RESULTS = "SELECT r.position, r.trial, p.case_id, p.key, r.verdict, r.score, r.carried_over, r.body, e.id, {outcome}"
WHOLE = RESULTS.format(outcome="e.body, e.trace")
CASE_PLACE = """
SELECT p.position FROM runs u JOIN revision_cases p ON p.revision_id = u.revision_id
WHERE u.id = ? AND u.workspace_id = ? AND """
LABELLED = """EXISTS
  (SELECT 1 FROM labels l WHERE l.run_id = r.run_id AND l.position = r.position AND l.trial = r.trial)"""
COUNT = "SELECT count(*) "
START = (-1, -1)


class ResultPage(NamedTuple):
    """Some results in order, and how many there are in all."""

    results: Sequence[CaseResult]
    total: int


async def rows(rx: Connection, run_id: str) -> AsyncIterator[ResultRow]:
    """The figures of all results in order, a page of them in memory."""
    run, last = own_run(rx, run_id), START
    while page := await rx.fetch(f"{FIGURES} {BEHIND}{ORDER}", (*run, *last, PAGE, run[0])):
        for row in page:
            yield figures(row)
        last = (page[-1][0], page[-1][1])


async def every(rx: Connection, run_id: str) -> AsyncIterator[CaseResult]:
    """All whole results in order, a page of them in memory."""
    run, last = own_run(rx, run_id), START
    while found := await rx.fetch(f"{WHOLE} {BEHIND}{OUTCOME}{ORDER}", (*run, *last, WHOLE_PAGE, run[0])):
        for row in found:
            yield _result(row)
        last = (found[-1][0], found[-1][1])


async def page(
    rx: Connection,
    run_id: str,
    verdict: Verdict | None = None,
    text: str | None = None,
    offset: int = 0,
    limit: int = 50,
    *,
    labelled: bool | None = None,
    traces: bool = True,
) -> ResultPage:
    """One page of whole results in order.

    Args:
        verdict: only those of this verdict.
        text: only those where it occurs in the case's key or name, in the output, or in what the evaluators said. Case
            does not count for ASCII letters.
        labelled: only those that somebody labelled, or only the others.
        traces: false leaves the outcomes' traces out; they are most of what a page weighs.
    """
    chosen, params = _chosen(rx, run_id, verdict, text, labelled)
    outcome = "e.body, e.trace" if traces else "e.body, NULL"
    cut = CUT.format(chosen=chosen + ORDER, offset=" OFFSET ?") + OUTCOME + ORDER
    found = await rx.fetch(f"{RESULTS.format(outcome=outcome)} {cut}", (*params, limit, offset, pack_id(run_id)))
    total = await rx.fetch_one(COUNT + chosen, params)
    return ResultPage([_result(row) for row in found], total[0] if total else 0)


def _chosen(
    rx: Connection, run_id: str, verdict: Verdict | None, text: str | None, labelled: bool | None
) -> tuple[str, list[Param]]:
    """The results that the filters let through. Cases and outcomes are only looked up where a text is looked for."""
    run = own_run(rx, run_id)
    chosen = TEXTS_OF_RUN if text else OF_RUN
    params: list[Param] = [run[0], *run] if text else [*run]
    if verdict is not None:
        chosen += " AND r.verdict = ?"
        params.append(verdict.value)
    if labelled is not None:
        chosen += f" AND {'' if labelled else 'NOT '}{LABELLED}"
    if text:
        chosen += " AND " + any_contains("p.key", "p.name", rx.dialect.json_field("e.body", "output"), "r.body")
        params += [pattern(text)] * 3 + [pattern(json.dumps(text, ensure_ascii=False)[1:-1])]
    return chosen, params


async def one(rx: Connection, run_id: str, case: str, trial: int = 0) -> CaseResult:
    """The result of one trial of a case, named by its key or its id.

    Raises:
        NotFound: it has no result in this run.
    """
    run, position = own_run(rx, run_id), await position_of(rx, run_id, case)
    row = await rx.fetch_one(
        f"{WHOLE} {TEXTS_OF_RUN} AND r.position = ? AND r.trial = ?", (run[0], *run, position, trial)
    )
    if row is None:
        raise no_result(run_id, case, trial)
    return _result(row)


async def position_of(rx: Connection, run_id: str, case: str) -> int:
    """Where in the run's revision a case is, named by its key or its id.

    Raises:
        NotFound: it is not in it.
    """
    packed = id_or_none(case)
    ways: list[tuple[str, Param]] = [("p.key = ?", case), *([("p.case_id = ?", packed)] if packed else [])]
    for way, value in ways:
        place = await rx.fetch_one(CASE_PLACE + way, (*own_run(rx, run_id), value))
        if place is not None:
            return place[0]
    raise NotFound(f"run {run_id} has no case {case!r}; a case is named by its key or its id")


def no_result(run_id: str, case: str, trial: int) -> NotFound:
    """The error for a place that has no result."""
    return NotFound(f"case {case!r} has no result of trial {trial + 1} in run {run_id}; is the run finished?")


def figures(row: Row) -> ResultRow:
    """The figures of a row that `FIGURES` found."""
    _, trial, case_id, key, hashed, verdict, score, carried_over, rest = row
    own = {
        "case_id": unpack_id(case_id),
        "case_key": key,
        "case_hash": hashed.hex(),
        "trial": trial,
        "verdict": verdict,
        "score": score,
        "carried_over": bool(carried_over),
    }
    return ResultRow.model_validate({**from_json(rest), **own})


def _result(row: Row) -> CaseResult:
    _, trial, case_id, key, verdict, score, carried_over, body, *outcome = row
    own = {
        "case_id": unpack_id(case_id),
        "case_key": key,
        "trial": trial,
        "verdict": verdict,
        "score": score,
        "carried_over": bool(carried_over),
        "outcome": shown_outcome(*outcome),
    }
    return CaseResult.model_validate({**from_json(body), **own})
