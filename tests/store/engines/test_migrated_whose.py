"""Of which target usage is, and who sent files, in a database that did not say so."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.store.codec import pack_id, pack_time
from aloi.store.connection import FIRST, Connection, Row
from aloi.store.database import Database
from aloi.store.usage import day_number
from tests.store.backends import BACKENDS
from tests.store.engines.test_migrated_data import filled, move, opened
from tests.store.samples import NOW, new_id

FILE = b"\x01" * 32
TARGET, VERSION, EXECUTION, GONE, ADA = (new_id() for _ in range(5))
USAGE = "SELECT source_id, side, calls FROM usage ORDER BY source_id"


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """A database of the version before."""
    async with filled(request, tmp_path, "0010", fill) as where:
        yield where


async def rows(address: str, query: str) -> list[Row]:
    backend = await opened(address)
    async with backend.read() as rx:
        found = await rx.fetch(query)
    await backend.close()
    return found


async def test_what_can_be_known_is(address: str) -> None:
    before = await rows(address, USAGE)
    await (await Database.open(address)).close()
    assert await rows(address, "SELECT source_id, target_id FROM usage ORDER BY source_id") == sorted(
        [(pack_id(EXECUTION), pack_id(TARGET)), (pack_id(GONE), None)]
    )
    assert await rows(address, "SELECT workspace_id, hash, member_id FROM attachment_senders") == [
        (FIRST, FILE, pack_id(ADA))
    ]
    await move(address, "0010", up=False)
    assert await rows(address, USAGE) == before


async def fill(tx: Connection) -> None:
    """An execution with what it used, usage of one that is gone, and files of a member and of a key."""
    now, day = pack_time(NOW), day_number(NOW.date())
    await tx.execute(
        "INSERT INTO targets (id, name, kind, created_at, workspace_id, description, updated_at)"
        " VALUES (?, 'bot', 'openai', ?, ?, '', ?)",
        (pack_id(TARGET), now, FIRST, now),
    )
    await tx.execute(
        "INSERT INTO target_versions (id, target_id, number, kind, definition, fingerprint, content_hash, created_at,"
        " note) VALUES (?, ?, 1, 'openai', '{}', '{}', ?, ?, '')",
        (pack_id(VERSION), pack_id(TARGET), FILE, now),
    )
    await tx.execute(
        "INSERT INTO executions (id, target_version_id, source, created_at, body, workspace_id, target_id)"
        " VALUES (?, ?, 'production', ?, '{}', ?, ?)",
        (pack_id(EXECUTION), pack_id(VERSION), now, FIRST, pack_id(TARGET)),
    )
    for source in (EXECUTION, GONE):
        await tx.execute(
            "INSERT INTO usage (source_id, side, model, workspace_id, day, calls, unpriced)"
            " VALUES (?, 'target', 'openai:m', ?, ?, 1, 1)",
            (pack_id(source), FIRST, day),
        )
    await tx.execute(
        "INSERT INTO members (id, workspace_id, email, role, created_at) VALUES (?, ?, 'ada@b.c', 'editor', ?)",
        (pack_id(ADA), FIRST, now),
    )
    for file, sender in ((FILE, "ada@b.c"), (b"\x02" * 32, "ci")):
        await tx.execute(
            "INSERT INTO attachments (workspace_id, hash, blob_id, name, media_type, size, created_by, created_at)"
            " VALUES (?, ?, ?, 'a.txt', 'text/plain', 1, ?, ?)",
            (FIRST, file, pack_id(new_id()), sender, now),
        )
