"""Traces that invocations of ours were sent with: spans of them belong to those, and become no execution by themselves.

One is expected until its invocation is stored; from then on its execution has the id of the trace.
"""

from collections.abc import Sequence
from datetime import datetime

from aloi.store.codec import pack_time, unpack_time
from aloi.store.connection import Connection, marks

EXPECT = """
INSERT INTO expected_traces (workspace_id, trace_id, until) VALUES (?, ?, ?)
ON CONFLICT (workspace_id, trace_id) DO UPDATE SET until = excluded.until"""
UNTIL = "SELECT trace_id, until FROM expected_traces WHERE workspace_id = ? AND trace_id IN ({ids})"
FORGET = "DELETE FROM expected_traces WHERE until < ?"


async def expect(tx: Connection, trace_id: str, until: datetime) -> None:
    """Write down that an invocation of the workspace is sent with this trace, and stored by that time."""
    await tx.execute(EXPECT, (tx.workspace, bytes.fromhex(trace_id), pack_time(until)))


async def until(rx: Connection, trace_ids: Sequence[str]) -> dict[str, datetime]:
    """Which of some traces (a few hundred at most) the workspace expects, and until when."""
    packed = list(map(bytes.fromhex, trace_ids))
    rows = await rx.fetch(UNTIL.format(ids=marks(len(packed))), (rx.workspace, *packed)) if packed else []
    return {trace_id.hex(): unpack_time(moment) for trace_id, moment in rows}


async def forget(tx: Connection, before: datetime) -> None:
    """Forget the traces, of all workspaces, that were expected until then."""
    await tx.execute(FORGET, (pack_time(before),))
