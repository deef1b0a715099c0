"""Spans that were received, and who makes executions of them.

What is received is written down at once, a row for each trace of a request. A trace is due when nothing came of it for
a while; who claims it then reads its rows, makes an execution of them, and deletes them in the same transaction. A
claim that nobody lives up to ends, and the trace is due again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from aloi.store.codec import pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Param, Row, marks

LOCK = "claims of traces"
AT_ONCE = 500  # ids behind one IN
# What waits of one trace, in spans and in characters; what comes beyond is counted and left out.
MOST_SPANS = 100_000
MOST_SIZE = 64_000_000
PENDING = "SELECT trace_id, spans, size FROM traces WHERE workspace_id = ? AND trace_id IN ({ids})"
# A trace that never comes to rest is due all the same: past a time, spans that come do not put it off.
RECEIVE = """
INSERT INTO traces (workspace_id, trace_id, first_at, due_at, spans, size, left_out, works, tries)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)
ON CONFLICT (workspace_id, trace_id) DO UPDATE SET
  due_at = CASE WHEN traces.first_at < ? THEN traces.due_at
    WHEN traces.works > excluded.works THEN ? ELSE excluded.due_at END,
  spans = traces.spans + excluded.spans, size = traces.size + excluded.size,
  left_out = traces.left_out + excluded.left_out,
  works = CASE WHEN traces.works > excluded.works THEN traces.works ELSE excluded.works END"""
COUNTS = "SELECT trace_id, spans, left_out FROM traces WHERE workspace_id = ? AND trace_id IN ({ids})"
KEEP = "INSERT INTO received_spans (id, workspace_id, trace_id, body) VALUES (?, ?, ?, ?)"
FREE = "due_at <= ? AND (claimed_until IS NULL OR claimed_until <= ?)"
IS_DUE = f"SELECT 1 FROM traces WHERE {FREE} LIMIT 1"  # noqa: S608
DUE = f"""
SELECT workspace_id, trace_id, first_at, size, left_out, works, tries FROM traces WHERE {FREE}
ORDER BY due_at LIMIT ?"""  # noqa: S608
CLAIM = "UPDATE traces SET claim = ?, claimed_until = ? WHERE workspace_id = ? AND trace_id = ?"
RECEIVED = """
SELECT trace_id, id, body FROM received_spans WHERE workspace_id = ? AND trace_id IN ({ids}) ORDER BY id"""
MINE = "SELECT trace_id FROM traces WHERE workspace_id = ? AND claim = ? ORDER BY trace_id"
DROP_SPANS = "DELETE FROM received_spans WHERE id = ?"
SETTLE = """
DELETE FROM traces WHERE workspace_id = ? AND trace_id = ? AND left_out = ? AND NOT EXISTS
  (SELECT 1 FROM received_spans r WHERE r.workspace_id = traces.workspace_id AND r.trace_id = traces.trace_id)"""
REOPEN = """
UPDATE traces SET claim = NULL, claimed_until = NULL, tries = 0, first_at = ?, spans = spans - ?, size = size - ?,
  left_out = left_out - ?
WHERE workspace_id = ? AND trace_id = ?"""
PUT_BACK = """
UPDATE traces SET claim = NULL, claimed_until = NULL, due_at = ?
WHERE workspace_id = ? AND trace_id = ? AND claim = ?"""
PUT_OFF = """
UPDATE traces SET claim = NULL, claimed_until = NULL, tries = tries + 1, due_at = ?
WHERE workspace_id = ? AND trace_id = ? AND claim = ?"""


class Batch(NamedTuple):
    """What one request brought of one trace: `body` is a JSON list of `spans` spans.

    `works`: whether any of them is work of an agent, a model or a tool.
    """

    trace_id: str
    body: str
    spans: int
    works: bool


class Times(NamedTuple):
    """When a trace is due that something came of at `at`.

    `due`: where there is work of an agent in it; `due_without`: where there is none so far; `since`: one that waits
    since before then is not put off.
    """

    at: datetime
    due: datetime
    due_without: datetime
    since: datetime


class Claimed(NamedTuple):
    """A trace that the holder of a claim makes an execution of. `left_out`: spans that were too many to wait."""

    workspace_id: str
    trace_id: str
    first_at: datetime
    size: int
    left_out: int
    works: bool
    tries: int


class Counts(NamedTuple):
    """How many spans of a trace came lately: those that wait, and those that were too many."""

    spans: int
    left_out: int


class Waiting(NamedTuple):
    """A row of spans that wait, with its JSON list of spans."""

    row_id: bytes
    body: str


async def receive(tx: Connection, batches: Sequence[Batch], row_ids: Sequence[str], times: Times) -> int:
    """Write down what a request brought, a batch for each trace; `row_ids` are fresh ids for them, in order.

    Returns:
        How many spans were left out, because too many of their trace wait already.
    """
    # In one order everywhere, so that two servers do not wait for one another.
    ordered = sorted(zip(batches, row_ids, strict=True))
    pending = await _pending(tx, [bytes.fromhex(batch.trace_id) for batch in batches])
    traces: list[Sequence[Param]] = []
    rows: list[Sequence[Param]] = []
    left_out = 0
    for batch, row_id in ordered:
        packed = bytes.fromhex(batch.trace_id)
        spans, size = pending.get(packed, (0, 0))
        if spans + batch.spans > MOST_SPANS or size + len(batch.body) > MOST_SIZE:
            left_out += batch.spans
            traces.append(_trace(tx, batch, times, kept=False))
        else:
            traces.append(_trace(tx, batch, times, kept=True))
            rows.append((pack_id(row_id), tx.workspace, packed, batch.body))
    await tx.execute_many((RECEIVE, traces), (KEEP, rows))
    return left_out


async def _pending(rx: Connection, ids: Sequence[bytes]) -> dict[bytes, tuple[int, int]]:
    found: dict[bytes, tuple[int, int]] = {}
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        for trace_id, spans, size in await rx.fetch(PENDING.format(ids=marks(len(some))), (rx.workspace, *some)):
            found[trace_id] = (spans, size)
    return found


def _trace(tx: Connection, batch: Batch, times: Times, *, kept: bool) -> Sequence[Param]:
    due = pack_time(times.due if batch.works else times.due_without)
    counts = (batch.spans, len(batch.body), 0) if kept else (0, 0, batch.spans)
    again = pack_time(times.since), pack_time(times.due)
    return (tx.workspace, bytes.fromhex(batch.trace_id), pack_time(times.at), due, *counts, int(batch.works), *again)


async def is_any_due(rx: Connection, at: datetime) -> bool:
    """Whether a trace of any workspace is due that nobody works on."""
    return await rx.fetch_one(IS_DUE, (pack_time(at), pack_time(at))) is not None


async def claim(
    tx: Connection, claim_id: str, at: datetime, until: datetime, most: int, most_size: int
) -> list[Claimed]:
    """Claim the traces, of all workspaces, that are due longest and that nobody works on.

    Args:
        claim_id: a fresh id for this claim.
        most, most_size: of traces, and of characters in them all; one trace may be larger.
    """
    await tx.lock(LOCK)
    found: list[Claimed] = []
    size = 0
    for row in await tx.fetch(DUE, (pack_time(at), pack_time(at), most)):
        size += row[3]
        if found and size > most_size:
            break
        found.append(_claimed(row))
    held = pack_id(claim_id), pack_time(until)
    rows = [(*held, pack_id(trace.workspace_id), bytes.fromhex(trace.trace_id)) for trace in found]
    await tx.execute_many((CLAIM, sorted(rows)))
    return found


def _claimed(row: Row) -> Claimed:
    workspace, trace_id, first_at, size, left_out, works, tries = row
    return Claimed(unpack_id(workspace), trace_id.hex(), unpack_time(first_at), size, left_out, bool(works), tries)


async def received(rx: Connection, trace_ids: Sequence[str]) -> dict[str, list[Waiting]]:
    """What waits of some traces of the workspace, in the order of its coming."""
    found: dict[str, list[Waiting]] = {trace_id: [] for trace_id in trace_ids}
    packed = list(map(bytes.fromhex, trace_ids))
    for start in range(0, len(packed), AT_ONCE):
        some = packed[start : start + AT_ONCE]
        for trace_id, row_id, body in await rx.fetch(RECEIVED.format(ids=marks(len(some))), (rx.workspace, *some)):
            found[trace_id.hex()].append(Waiting(row_id, body))
    return found


async def counts(rx: Connection, trace_ids: Sequence[str]) -> dict[str, Counts]:
    """How many spans of some traces of the workspace came lately; those that none came of are not in it."""
    packed = list(map(bytes.fromhex, trace_ids))
    found: dict[str, Counts] = {}
    for start in range(0, len(packed), AT_ONCE):
        some = packed[start : start + AT_ONCE]
        rows = await rx.fetch(COUNTS.format(ids=marks(len(some))), (rx.workspace, *some))
        found |= {trace_id.hex(): Counts(*number) for trace_id, *number in rows}
    return found


async def still_claimed(tx: Connection, claim_id: str) -> set[str]:
    """The ids of the workspace's traces that are held by a claim; nobody changes them until the transaction ends."""
    rows = await tx.fetch(MINE + tx.dialect.for_update, (tx.workspace, pack_id(claim_id)))
    return {row[0].hex() for row in rows}


async def settle(tx: Connection, done: Sequence[tuple[Claimed, Sequence[Waiting], int]], at: datetime) -> None:
    """Forget what was made into executions: traces that are held, with the rows that were read, and their spans.

    A trace that something came of meanwhile stays, and is due in its turn.
    """
    keys = [(tx.workspace, bytes.fromhex(trace.trace_id)) for trace, _, _ in done]
    sizes = [(spans, sum(len(row.body) for row in rows), trace.left_out) for trace, rows, spans in done]
    await tx.execute_many(
        (DROP_SPANS, [(row.row_id,) for _, rows, _ in done for row in rows]),
        (SETTLE, [(*key, size[2]) for key, size in zip(keys, sizes, strict=True)]),
        (REOPEN, [(pack_time(at), *size, *key) for key, size in zip(keys, sizes, strict=True)]),
    )


async def put_off(tx: Connection, claim_id: str, trace_id: str, until: datetime) -> None:
    """Give a trace of the workspace back, to be tried again later."""
    await tx.execute(PUT_OFF, (pack_time(until), tx.workspace, bytes.fromhex(trace_id), pack_id(claim_id)))


async def put_back(tx: Connection, claim_id: str, trace_id: str, until: datetime) -> None:
    """Give a trace of the workspace back that is not ripe yet; it is due again then."""
    await tx.execute(PUT_BACK, (pack_time(until), tx.workspace, bytes.fromhex(trace_id), pack_id(claim_id)))
