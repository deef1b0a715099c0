"""Working on a run while the database fails: full, gone, read-only."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import StoreUnavailable
from aloi.core.run import Run, RunStatus
from aloi.service import again, runs
from aloi.service.context import Context
from aloi.service.process.lease import LEASE
from aloi.service.running import work
from aloi.settings import Settings
from aloi.store import runs as stored_runs
from tests.service.started_runs import (
    Gate,
    fill_up,
    finished,
    lease_holder,
    make_room,
    prompts,
    results_of,
    save,
    start,
)


class TestFullDisk:
    async def test_the_run_says_so_keeps_what_is_committed_and_goes_on_later(self, context: Context) -> None:
        async def large(given: Any) -> Any:
            calls[given] += 1
            return "ok" + "x" * (100_000 if int(given.split()[1]) >= 5 and not roomy else 0)

        calls, roomy = Counter[str](), False
        await save(context, prompts(10))
        run = await start(context, large, concurrency=1)
        await fill_up(context.database, 4)
        with pytest.raises(StoreUnavailable, match=r"is full.*free some space"):
            await finished(context, run)
        kept = await results_of(context, run)
        assert all(result.outcome.output == "ok" for result in kept.values())
        stopped = await runs.get(context, run.id)
        assert stopped.status in (RunStatus.FAILED, RunStatus.RUNNING)
        assert stopped.status is RunStatus.RUNNING or "is full" in str(stopped.reason)

        await make_room(context.database)
        roomy, before = True, calls.copy()
        run = await finished(context, await runs.resume(context, run.id))
        assert run.status is RunStatus.COMPLETED
        assert run.summary is not None and run.summary.passed == 10
        after = await results_of(context, run)
        assert {key: after[key] for key in kept} == kept
        assert not {call.replace("prompt ", "k") for call in calls - before} & set(kept), (
            "a stored answer was paid twice"
        )

    async def test_at_the_very_end_the_error_surfaces_and_the_run_can_be_resumed(
        self, context: Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def broken(*_: object, **__: object) -> bool:
            raise StoreUnavailable("the database is full; free some space")

        target = Gate(9)
        await save(context, prompts(3))
        run = await start(context, target)
        with monkeypatch.context() as patched:
            patched.setattr(stored_runs, "set_status", broken)
            with pytest.raises(StoreUnavailable, match="free some space") as raised:
                await finished(context, run)
        assert any("could it be written down" in note for note in raised.value.__notes__)
        assert (await runs.get(context, run.id)).status is RunStatus.RUNNING
        assert await lease_holder(context, run) is None
        run = await finished(context, await runs.resume(context, run.id))
        assert run.status is RunStatus.COMPLETED
        assert target.calls.total() == 3

    async def test_a_failure_is_not_masked_by_that_of_writing_it_down(
        self, context: Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def broken(*_: object, **__: object) -> Any:
            raise StoreUnavailable("the database is full; free some space")

        async def wrong(*_: object) -> Any:
            raise ZeroDivisionError("by zero")

        await save(context, prompts(1))
        run = await start(context, Gate(1))
        monkeypatch.setattr(work, "_carry_out", wrong)
        monkeypatch.setattr(work, "finish", broken)
        with pytest.raises(ZeroDivisionError):
            await finished(context, run)

    async def test_a_failure_is_written_down(self, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
        async def wrong(*_: object) -> Any:
            raise ZeroDivisionError("by zero")

        await save(context, prompts(1))
        run = await start(context, Gate(1))
        monkeypatch.setattr(work, "_carry_out", wrong)
        with pytest.raises(ZeroDivisionError):
            await finished(context, run)
        run = await runs.get(context, run.id)
        assert (run.status, run.reason) == (RunStatus.FAILED, "ZeroDivisionError: by zero")
        with pytest.raises(ZeroDivisionError):
            await runs.wait(context, run.id, 0)


class TestWatcher:
    async def test_a_short_gap_of_the_database_is_sat_out(
        self, context: Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gaps = 3
        real = stored_runs.get

        async def sometimes(rx: Any, ref: str) -> Run:
            nonlocal gaps
            if asyncio.current_task() is not task and gaps:
                gaps -= 1
                raise StoreUnavailable("the database is locked")
            return await real(rx, ref)

        task = asyncio.current_task()
        monkeypatch.setattr(work, "WATCH_SECONDS", 0.01)
        await save(context, prompts(1))
        run = await start(context, Gate())
        monkeypatch.setattr(stored_runs, "get", sometimes)
        async with asyncio.timeout(5):
            while gaps:
                await asyncio.sleep(0.01)
        assert work.is_at_work(context, run.id)
        assert (await runs.cancel(context, run.id)).status is RunStatus.CANCELLED

    async def test_a_database_that_is_gone_for_longer_than_the_lease_stops_the_work(
        self, context: Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def gone(*_: object) -> Any:
            raise StoreUnavailable("the database cannot be opened")

        monkeypatch.setattr(work, "WATCH_SECONDS", 0.01)
        monkeypatch.setattr(work, "LEASE", LEASE / 300)
        await save(context, prompts(1))
        run = await start(context, Gate())
        task = context.work[run.id]
        with monkeypatch.context() as patched:
            patched.setattr(stored_runs, "get", gone)
            await asyncio.wait([task], timeout=5)
        assert isinstance(task.exception(), StoreUnavailable)
        run = await runs.get(context, run.id)
        assert (run.status, run.reason) == (RunStatus.FAILED, "the database cannot be opened")


async def test_a_read_only_database_can_be_read_and_starts_nothing(context: Context, tmp_path: Path) -> None:
    await save(context, prompts(2))
    run = await finished(context, await start(context, Gate(9)))
    address = f"file:{tmp_path / 'aloi.db'}?mode=ro"
    reader = await Context.open(Settings(home=tmp_path, database_url=address), {})
    reader.in_memory = context.in_memory
    try:
        assert (await runs.listing(reader, None, 1, 20)).total == 1
        assert len(await results_of(reader, run)) == 2
        for refused in (start(reader, Gate(9)), again.regrade(reader, run.id), runs.delete(reader, run.id)):
            with pytest.raises(StoreUnavailable, match=r"read-only.*without mode=ro"):
                await refused
    finally:
        await reader.close()
