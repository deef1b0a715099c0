"""Outcomes by their executions, for work that grades what was invoked before."""

from typing import NamedTuple

from pydantic import JsonValue
from pydantic_core import from_json

from aloi.core.errors import Conflict, NotFound
from aloi.core.outcome import Outcome
from aloi.core.trace import Span, Trace, senders
from aloi.store.codec import pack_id, short_json, unpack_id
from aloi.store.connection import Connection, Row
from aloi.store.packing import pack_text, unpack_text
from aloi.store.run_rows import own_run

UNGRADED = """
SELECT {columns} FROM executions e
LEFT JOIN results r ON r.run_id = e.run_id AND r.position = e.position AND r.trial = e.trial
WHERE e.run_id = (SELECT id FROM runs WHERE id = ? AND workspace_id = ?) AND r.run_id IS NULL"""
GRADED = """
SELECT position, trial, execution_id FROM results
WHERE run_id = (SELECT id FROM runs WHERE id = ? AND workspace_id = ?)"""

BEHIND = """
SELECT r.execution_id FROM results r JOIN runs u ON u.id = r.run_id
JOIN revision_cases p ON p.revision_id = u.revision_id AND p.position = r.position
WHERE u.id = ? AND u.workspace_id = ? AND p.key = ? AND r.trial = ?"""


class StoredExecution(NamedTuple):
    """Which execution belongs to a place of a run; its outcome is read apart."""

    position: int
    trial: int
    execution_id: str


class OutcomeColumns(NamedTuple):
    """What of an outcome stands in `body`, and its trace, packed, which stands apart: most who read the one do not read
    both. `size`: the characters of both, unpacked, which is what it takes to work with them.
    """

    stored: tuple[str, bytes | None]
    size: int


async def ungraded(rx: Connection, run_id: str) -> list[StoredExecution]:
    """The executions of a run that have no result yet."""
    return [
        _stored(row)
        for row in await rx.fetch(UNGRADED.format(columns="e.position, e.trial, e.id"), own_run(rx, run_id))
    ]


async def graded(rx: Connection, run_id: str) -> list[StoredExecution]:
    """The executions behind the results of a run, those taken over from another run included."""
    return [_stored(row) for row in await rx.fetch(GRADED, own_run(rx, run_id))]


async def behind(rx: Connection, run_id: str, case_key: str, trial: int) -> str:
    """The id of the execution behind one result of a run.

    Raises:
        NotFound: there is no such result.
    """
    row = await rx.fetch_one(BEHIND, (*own_run(rx, run_id), case_key, trial))
    if row is None:
        raise NotFound(f"case {case_key!r} has no result of trial {trial + 1} in run {run_id}")
    return unpack_id(row[0])


def _stored(row: Row) -> StoredExecution:
    position, trial, packed = row
    return StoredExecution(position, trial, unpack_id(packed))


async def get(rx: Connection, execution_id: str) -> Outcome:
    """The outcome of an execution.

    Raises:
        NotFound: there is none of that id.
        Conflict: its trace is damaged.
    """
    row = await rx.fetch_one("SELECT id, body, trace FROM executions WHERE id = ?", (pack_id(execution_id),))
    if row is None:
        raise NotFound(f"there is no execution {execution_id}")
    return outcome_of(*row)


async def used_waiting(rx: Connection, run_id: str) -> list[Outcome]:
    """The outcomes of a run that have no result yet, without their traces: for what they used."""
    rows = await rx.fetch(UNGRADED.format(columns="e.id, e.body"), own_run(rx, run_id))
    return [outcome_of(execution, body, None) for execution, body in rows]


def outcome_columns(outcome: Outcome, what: str) -> OutcomeColumns:
    """How an outcome is stored.

    Raises:
        InvalidInput: it holds text that cannot be stored; `what` it is, for the message.
    """
    body = short_json(outcome, what, exclude={"trace"})
    if outcome.trace is None:
        return OutcomeColumns((body, None), len(body))
    trace = short_json(outcome.trace, what)
    return OutcomeColumns((body, pack_text(trace)), len(body) + len(trace))


def outcome_of(execution: bytes, body: str, trace: bytes | str | None) -> Outcome:
    """The outcome of its two columns, of the execution of that id.

    Raises:
        Conflict: its trace is damaged, or of a later version. It is not the database that fails: all else can be read.
    """
    fields = from_json(body)
    return Outcome.model_validate(fields if trace is None else {**fields, "trace": _trace_of(execution, trace)})


def shown_outcome(execution: bytes, body: str, trace: bytes | str | None) -> Outcome:
    """As `outcome_of`, for people: instead of a trace that cannot be read, one that says so. So it hides no other."""
    try:
        return outcome_of(execution, body, trace)
    except Conflict as error:
        span = Span(span_id="", name="unreadable trace", start_ns=0, end_ns=0, error=str(error))
        unread = Trace(trace_id="", spans=(span,), shows_tools=False)
        return outcome_of(execution, body, None).model_copy(update={"trace": unread})


def _trace_of(execution: bytes, trace: bytes | str) -> JsonValue:
    try:
        found: JsonValue = from_json(unpack_text(trace))
    except ValueError as error:
        raise Conflict(
            f"the trace of execution {unpack_id(execution)} cannot be read: {error}; update Aloi if a later version "
            "wrote it, or restore the database from a backup; all else in it can be read"
        ) from error
    return found


def sent_trace(outcome: Outcome) -> bytes | None:
    """The id of the trace that a service was told to go on with: by it spans find the execution. Null for none."""
    trace = outcome.trace
    return bytes.fromhex(trace.trace_id) if trace is not None and senders(trace) else None
