"""What was stored before a migration is there after it, and after the way back."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from aloi.core.access import FIRST_WORKSPACE
from aloi.store import cases, datasets, result_feed, result_pages, runs, targets
from aloi.store.codec import pack_id, pack_time
from aloi.store.connection import Backend, Connection, Row
from aloi.store.database import Database
from aloi.store.engines import migrate, postgres_migrate
from aloi.store.engines.address import SqliteAddress, parse_address
from aloi.store.engines.postgres import PostgresBackend
from aloi.store.engines.sqlite import SqliteBackend
from tests.store.backends import BACKENDS, fresh
from tests.store.samples import NOW, a_run, another_workspace

OLD_TABLES = {
    "targets": "id, name, kind, active, created_at",
    "target_versions": "id, target_id, number",
    "datasets": "id, name, description, judge_samples, bindings, created_at, updated_at",
    "cases": "id, dataset_id, position, key, enabled, status, body",
    "revision_cases": "revision_id, position, case_id, key, name, tags, hash",
    "runs": "id, spec, target_version_id, revision_id, dataset_id, status, total, created_at, lease_owner, lease_until",
    "executions": "id, run_id, position, trial, target_version_id, source, created_at, body",
    "results": "run_id, position, trial, execution_id, verdict, score, carried_over, figures, body",
}
PLACES = ((2, 0), (0, 1), (0, 0))


def ident(number: int) -> str:
    return f"00000000-0000-7000-8000-{number:012x}"


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """A database of version 0001 with a run in it."""
    async with filled(request, tmp_path, "0001", fill) as where:
        yield where


@asynccontextmanager
async def filled(
    request: pytest.FixtureRequest, folder: Path, version: str, fill: Callable[[Connection], Awaitable[None]]
) -> AsyncGenerator[str]:
    """The address of a database of that version, with what `fill` writes."""
    async with fresh(request, folder) as where:
        await move(where, version, up=True)
        backend = await opened(where)
        async with backend.transaction() as tx:
            await fill(tx)
        await backend.close()
        yield where


async def move(address: str, version: str, up: bool) -> None:
    parsed = parse_address(address)
    if isinstance(parsed, SqliteAddress):
        await asyncio.to_thread(migrate.upgrade if up else migrate.downgrade, parsed.path, version)
    else:
        await (postgres_migrate.upgrade if up else postgres_migrate.downgrade)(parsed, version)


async def opened(address: str) -> Backend:
    """The database as it is, without a migration."""
    parsed = parse_address(address)
    return await (
        SqliteBackend.open(parsed, 1.0) if isinstance(parsed, SqliteAddress) else PostgresBackend.open(parsed, 1.0)
    )


async def fill(tx: Connection) -> None:
    """One thing of each table, and three results of a run, all refering to each other."""
    target, version, dataset, revision, run = (pack_id(ident(n)) for n in range(1, 6))
    now, hashed = pack_time(NOW), b"\x01" * 32
    spec = f'{{"target_version_id": "{ident(2)}", "revision_id": "{ident(4)}"}}'
    rows: list[tuple[str, tuple[bytes | str | int | float | None, ...]]] = [
        ("targets (id, name, kind, active, created_at)", (target, "bot", "openai", 1, now)),
        (
            "target_versions (id, target_id, number, kind, definition, fingerprint, content_hash, created_at)",
            (version, target, 1, "openai", "{}", "{}", hashed, now),
        ),
        (
            "datasets (id, name, description, judge_samples, bindings, created_at, updated_at)",
            (dataset, "questions", "", 1, "[]", now, now),
        ),
        ("case_snapshots (hash, body)", (hashed, '{"input": "q"}')),
        (
            "dataset_revisions (id, dataset_id, content_hash, bindings, case_count, created_at)",
            (revision, dataset, hashed, "[]", 3, now),
        ),
        (
            "runs (id, spec, target_version_id, revision_id, dataset_id, dataset_name, target_name, target_version,"
            " status, total, skipped, created_at)",
            (run, spec, version, revision, dataset, "questions", "bot", 1, "completed", 3, "[]", now),
        ),
    ]
    for position in range(3):
        case = pack_id(ident(10 + position))
        key = "abc"[position]
        rows.append(
            (
                "cases (id, dataset_id, position, key, enabled, status, body)",
                (case, dataset, position, key, 1, "ready", '{"input": "q"}'),
            )
        )
        rows.append(
            (
                "revision_cases (revision_id, position, case_id, key, name, tags, hash)",
                (revision, position, case, key, "", "", hashed),
            )
        )
    for number, (position, trial) in enumerate(PLACES):
        execution = pack_id(ident(20 + number))
        rows.append(
            (
                "executions (id, run_id, position, trial, target_version_id, source, created_at, body)",
                (execution, run, position, trial, version, "run", now, '{"output": "é"}'),
            )
        )
        rows.append(
            (
                "results (run_id, position, trial, execution_id, verdict, score, carried_over, figures, body)",
                (run, position, trial, execution, "pass", 0.5, 0, "{}", "{}"),
            )
        )
    for table, values in rows:
        await tx.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)


async def old_content(address: str) -> dict[str, list[Row]]:
    """What is in the columns that the older tables have too."""
    backend = await opened(address)
    async with backend.read() as rx:
        found = {
            table: sorted(await rx.fetch(f"SELECT {columns} FROM {table}"), key=repr)
            for table, columns in OLD_TABLES.items()
        }
    await backend.close()
    return found


async def test_everything_goes_to_the_first_workspace(address: str):
    before = await old_content(address)
    assert all(before.values())
    db = await Database.open(address)
    async with db.read() as rx:
        target = await targets.get(rx, "bot")
        dataset = await datasets.get(rx, "questions")
        run = await runs.get(rx, "latest")
        feed = await result_feed.after(rx, run.id, 0)
        page = await result_pages.page(rx, run.id)
        found = [case.key async for case in cases.every(rx, dataset.id)]
        assert await rx.fetch("SELECT id FROM workspaces") == [(pack_id(FIRST_WORKSPACE),)]
    await db.close()
    assert (target.description, target.updated_at, target.active, target.versions) == ("", NOW, 1, 1)
    assert (dataset.target_id, run.started_by, run.served) == (None, "local", False)
    assert [(entry.seq, entry.position, entry.row.trial) for entry in feed] == [(1, 0, 0), (2, 0, 1), (3, 2, 0)]
    assert (page.total, found) == (3, ["a", "b", "c"])
    assert await old_content(address) == before


async def test_the_way_back_keeps_everything(address: str):
    before = await old_content(address)
    await move(address, "head", up=True)
    await move(address, "0001", up=False)
    assert await old_content(address) == before
    await (await Database.open(address)).close()
    assert await old_content(address) == before


async def test_what_refers_to_each_other_still_does(address: str):
    db = await Database.open(address)
    async with db.transaction() as tx:
        await datasets.delete(tx, ident(3))
        await runs.delete(tx, ident(5))
        for table in ("cases", "executions", "results"):
            assert await tx.fetch("SELECT 1 FROM " + table) == []
    await db.close()


async def test_there_is_no_way_back_from_several_workspaces(address: str):
    db = await Database.open(address)
    await a_run(await another_workspace(db))
    await db.close()
    before = await old_content(address)
    with pytest.raises(ValueError, match="several workspaces"):
        await move(address, "0001", up=False)
    assert await old_content(address) == before
