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

PAGE = 1000
WHOLE_PAGE = 200
ORDER = " ORDER BY r.position, r.trial"
OUTCOME = " JOIN executions e ON e.id = r.execution_id"
# A result's case is where its place in the run's revision says.
WHOLE = f"""
FROM results r JOIN runs u ON u.id = r.run_id
JOIN revision_cases p ON p.revision_id = u.revision_id AND p.position = r.position{OUTCOME}"""
# The page behind a place is cut before its cases are looked up: a database that has no statistics of a young table yet
# would else look through the whole revision for each page.
PAGED = """
FROM (SELECT * FROM results WHERE run_id = ? AND (position, trial) > (?, ?) ORDER BY position, trial LIMIT ?) r
JOIN revision_cases p ON p.revision_id = (SELECT revision_id FROM runs WHERE id = ?) AND p.position = r.position"""
FIGURES = "SELECT r.position, r.trial, p.case_id, p.key, p.hash, r.verdict, r.score, r.carried_over, r.figures"
RESULTS = "SELECT r.position, r.trial, p.case_id, p.key, r.verdict, r.score, r.carried_over, r.body, e.body"
CASE_PLACE = """
SELECT p.position FROM runs u JOIN revision_cases p ON p.revision_id = u.revision_id WHERE u.id = ? AND """
CONTAINS = "lower({}) LIKE lower(?) ESCAPE '!'"
START = (-1, -1)


class ResultPage(NamedTuple):
    """Some results in order, and how many there are in all."""

    results: Sequence[CaseResult]
    total: int


async def rows(rx: Connection, run_id: str) -> AsyncIterator[ResultRow]:
    """The figures of all results in order, a page of them in memory."""
    run, last = pack_id(run_id), START
    while page := await rx.fetch(FIGURES + PAGED + ORDER, (run, *last, PAGE, run)):
        for row in page:
            yield _figures(row)
        last = (page[-1][0], page[-1][1])


async def every(rx: Connection, run_id: str) -> AsyncIterator[CaseResult]:
    """All whole results in order, a page of them in memory."""
    run, last = pack_id(run_id), START
    while found := await rx.fetch(RESULTS + PAGED + OUTCOME + ORDER, (run, *last, WHOLE_PAGE, run)):
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
) -> ResultPage:
    """One page of whole results in order.

    Args:
        verdict: only those of this verdict.
        text: only those where it occurs in the case's key or name, in the output, or in what the evaluators said. Case
            does not count for ASCII letters.
    """
    terms: list[str] = ["r.run_id = ?"]
    params: list[Param] = [pack_id(run_id)]
    if verdict is not None:
        terms.append("r.verdict = ?")
        params.append(verdict.value)
    if text:
        columns = ("p.key", "p.name", rx.dialect.json_field("e.body", "output"), "r.body")
        terms.append("(" + " OR ".join(CONTAINS.format(column) for column in columns) + ")")
        params += [_like(text)] * 3 + [_like(json.dumps(text, ensure_ascii=False)[1:-1])]
    where = " WHERE " + " AND ".join(terms)
    found = await rx.fetch(RESULTS + WHOLE + where + ORDER + " LIMIT ? OFFSET ?", (*params, limit, offset))
    total = await rx.fetch_one("SELECT count(*)" + WHOLE + where, params)
    return ResultPage([_result(row) for row in found], total[0] if total else 0)


def _like(text: str) -> str:
    """A pattern for a text anywhere, its own wildcards taken as they are."""
    return f"%{text.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%"


async def one(rx: Connection, run_id: str, case: str, trial: int = 0) -> CaseResult:
    """The result of one trial of a case, named by its key or its id.

    Raises:
        NotFound: it has no result in this run.
    """
    packed = id_or_none(case)
    ways: list[tuple[str, Param]] = [("p.key = ?", case), *([("p.case_id = ?", packed)] if packed else [])]
    for way, value in ways:
        place = await rx.fetch_one(CASE_PLACE + way, (pack_id(run_id), value))
        if place is not None:
            return await _at(rx, run_id, case, place[0], trial)
    raise NotFound(f"run {run_id} has no case {case!r}; a case is named by its key or its id")


async def _at(rx: Connection, run_id: str, case: str, position: int, trial: int) -> CaseResult:
    row = await rx.fetch_one(
        RESULTS + WHOLE + " WHERE r.run_id = ? AND r.position = ? AND r.trial = ?", (pack_id(run_id), position, trial)
    )
    if row is None:
        raise NotFound(f"case {case!r} has no result of trial {trial + 1} in run {run_id}; is the run finished?")
    return _result(row)


def _figures(row: Row) -> ResultRow:
    _, trial, case_id, key, hashed, verdict, score, carried_over, figures = row
    own = {
        "case_id": unpack_id(case_id),
        "case_key": key,
        "case_hash": hashed.hex(),
        "trial": trial,
        "verdict": verdict,
        "score": score,
        "carried_over": bool(carried_over),
    }
    return ResultRow.model_validate({**from_json(figures), **own})


def _result(row: Row) -> CaseResult:
    _, trial, case_id, key, verdict, score, carried_over, body, outcome = row
    own = {
        "case_id": unpack_id(case_id),
        "case_key": key,
        "trial": trial,
        "verdict": verdict,
        "score": score,
        "carried_over": bool(carried_over),
        "outcome": from_json(outcome),
    }
    return CaseResult.model_validate({**from_json(body), **own})
