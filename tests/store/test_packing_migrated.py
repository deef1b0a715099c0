"""Traces that were stored before they were packed, and packed ones on the way back."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.errors import StoreUnavailable
from aloi.core.outcome import Outcome
from aloi.core.trace import Span, Trace
from aloi.store import executions, observed
from aloi.store.codec import pack_id, pack_time
from aloi.store.connection import FIRST, Connection
from aloi.store.database import Database
from tests.store.backends import BACKENDS
from tests.store.engines.test_migrated_data import filled, move, opened
from tests.store.samples import NOW, new_id

TARGET, VERSION, OLD, NEW, BARE = (new_id() for _ in range(5))
SPAN = Span(span_id="0a" * 8, name="chat é", start_ns=1, end_ns=2, attributes={"say": "yes \x00 🙂"})
TRACE = Trace(trace_id="0b" * 16, spans=(SPAN,))
OUTCOME = Outcome(output="yes", trace=TRACE)
TEXT = TRACE.model_dump_json(exclude_defaults=True)


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """A database of the version before, with an execution that has a trace, and ones that have none."""
    async with filled(request, tmp_path, "0011", fill) as where:
        yield where


async def texts(address: str) -> dict[bytes, str | None]:
    """What stands in the column."""
    backend = await opened(address)
    async with backend.read() as rx:
        found = dict(await rx.fetch("SELECT id, trace FROM executions"))
    await backend.close()
    return found


async def test_both_are_read_and_both_go_back(address: str) -> None:
    assert await texts(address) == {pack_id(OLD): TEXT, pack_id(NEW): None, pack_id(BARE): None}
    db = await Database.open(address)
    async with db.transaction() as tx:
        await observed.complete(tx, NEW, OUTCOME)
        stored = dict(await tx.fetch("SELECT id, trace FROM executions"))
        assert stored[pack_id(NEW)] not in (TEXT, TEXT.encode()), "it is packed"
        assert [(await executions.get(tx, one)).outcome for one in (OLD, NEW)] == [OUTCOME, OUTCOME]
        assert (await executions.get(tx, BARE)).outcome.trace is None
    await db.close()
    await move(address, "0011", up=False)
    assert await texts(address) == {pack_id(OLD): TEXT, pack_id(NEW): TEXT, pack_id(BARE): None}


async def test_a_damaged_one_is_named_and_nothing_goes_back(address: str) -> None:
    db = await Database.open(address)
    async with db.transaction() as tx:
        await tx.execute("UPDATE executions SET trace = ? WHERE id = ?", (b"\x02", pack_id(NEW)))
    await db.close()
    before = await texts(address)
    with pytest.raises(StoreUnavailable, match=f"the trace of execution {NEW} cannot be read: its format"):
        await move(address, "0011", up=False)
    assert await texts(address) == before


async def fill(tx: Connection) -> None:
    now = pack_time(NOW)
    await tx.execute(
        "INSERT INTO targets (id, name, kind, created_at, workspace_id, description, updated_at)"
        " VALUES (?, 'bot', 'openai', ?, ?, '', ?)",
        (pack_id(TARGET), now, FIRST, now),
    )
    await tx.execute(
        "INSERT INTO target_versions (id, target_id, number, kind, definition, fingerprint, content_hash, created_at,"
        " note) VALUES (?, ?, 1, 'openai', '{}', '{}', ?, ?, '')",
        (pack_id(VERSION), pack_id(TARGET), b"\x01" * 32, now),
    )
    for execution_id in (OLD, NEW, BARE):
        await tx.execute(
            "INSERT INTO executions (id, target_version_id, source, created_at, body, input, workspace_id, target_id,"
            " trace, failed) VALUES (?, ?, 'production', ?, ?, ?, ?, ?, ?, 0)",
            (
                pack_id(execution_id),
                pack_id(VERSION),
                now,
                json.dumps({"output": "yes"}),
                json.dumps({"input": "q"}),
                FIRST,
                pack_id(TARGET),
                TEXT if execution_id == OLD else None,
            ),
        )
