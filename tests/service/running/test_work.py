"""Working on a run: who works on it, what interrupts the work, and how every end is written down."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import Conflict, NotFound
from aloi.core.run import Run, RunStatus
from aloi.core.usage import Usage
from aloi.service import runs
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.process.lease import LEASE, Lost, is_dead
from aloi.service.running import work
from aloi.settings import Settings
from aloi.store import runs as stored_runs
from aloi.targets.python import Answer
from tests.service.started_runs import Gate, finished, lease_holder, prompts, save, start, until_passed

ELSEWHERE = "elsewhere.example:1:1"


@pytest.fixture
async def other(context: Context, tmp_path: Path) -> AsyncIterator[Context]:
    """A second context on the same file, which has the same functions in memory."""
    opened = await Context.open(Settings(home=tmp_path), {})
    opened.in_memory = context.in_memory
    yield opened
    await opened.close()


async def give_away(context: Context, run: Run) -> None:
    """Make the lease another's, as after a long sleep of this machine."""
    async with context.database.transaction() as tx:
        await stored_runs.release(tx, run.id, context.owner)
        await stored_runs.claim(tx, run.id, ELSEWHERE, now() + LEASE, now(), is_dead)


class TestLease:
    async def test_it_is_held_while_the_run_goes_on_and_given_back_at_the_end(self, context: Context) -> None:
        target = Gate(1)
        await save(context, prompts(2))
        run = await start(context, target, concurrency=1)
        assert await lease_holder(context, run) == context.owner
        await runs.cancel(context, run.id)
        assert await lease_holder(context, run) is None

    async def test_it_is_renewed(self, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(work, "WATCH_SECONDS", 0.01)
        monkeypatch.setattr(work, "RENEW_SECONDS", 0.02)
        await save(context, prompts(1))
        run = await start(context, Gate())
        untils: set[int] = set()
        async with asyncio.timeout(5):
            while len(untils) < 4:
                async with context.database.read() as rx:
                    untils.add((await rx.fetch("SELECT lease_until FROM runs"))[0][0])
                await asyncio.sleep(0.01)
        assert (await runs.get(context, run.id)).status is RunStatus.RUNNING

    async def test_when_another_took_it_the_work_stops_and_writes_nothing_of_its_end(
        self, context: Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(work, "WATCH_SECONDS", 0.01)
        monkeypatch.setattr(work, "RENEW_SECONDS", 0.02)
        target = Gate(1)
        await save(context, prompts(5))
        run = await start(context, target, concurrency=1)
        await until_passed(context, run, 1)
        await give_away(context, run)
        with pytest.raises(Lost, match="taken over by another process"):
            await finished(context, run)
        assert not work.is_at_work(context, run.id)
        assert await lease_holder(context, run) == ELSEWHERE
        assert (await runs.get(context, run.id)).status is RunStatus.RUNNING
        assert target.calls.total() == 2

    async def test_a_run_that_ends_after_its_lease_was_lost_is_not_completed(self, context: Context) -> None:
        release = asyncio.Event()

        async def slow(given: Any) -> Any:
            await release.wait()
            return "ok"

        await save(context, prompts(1))
        run = await start(context, slow)
        await give_away(context, run)
        release.set()
        with pytest.raises(Lost):
            await finished(context, run)
        assert (await runs.get(context, run.id)).status is RunStatus.RUNNING

    async def test_two_contexts_of_one_process_are_two_holders(self, context: Context, other: Context) -> None:
        await save(context, prompts(1))
        run = await start(context, Gate())
        with pytest.raises(Conflict, match="is worked on by"):
            await runs.resume(other, run.id)

    @pytest.mark.parametrize("same", [True, False])
    async def test_of_many_that_resume_at_once_one_wins(self, context: Context, other: Context, same: bool) -> None:
        target = Gate(2)
        await save(context, prompts(6))
        run = await start(context, target, concurrency=2)
        await until_passed(context, run, 2)
        await runs.cancel(context, run.id)
        target.free, before = 100, target.calls.copy()
        second = context if same else other
        tried = await asyncio.gather(
            *(runs.resume(one, run.id) for one in (context, second) * 3), return_exceptions=True
        )
        assert sum(isinstance(outcome, Run) for outcome in tried) == 1
        assert sum(isinstance(outcome, Conflict) for outcome in tried) == 5
        async with asyncio.timeout(5):
            while (run := await runs.get(context, run.id)).status is not RunStatus.COMPLETED:
                await asyncio.sleep(0.01)
        assert run.summary is not None and run.summary.passed == 6
        assert (target.calls - before).total() == 4


class TestCancel:
    async def test_one_of_another_context_is_seen(self, context: Context, other: Context) -> None:
        target = Gate(3)
        await save(context, prompts(8))
        run = await start(context, target, concurrency=2)
        await until_passed(context, run, 3)
        assert work.WATCH_SECONDS < 0.5
        assert (await runs.cancel(other, run.id)).status is RunStatus.CANCELLED
        run = await finished(context, run)
        assert run.status is RunStatus.CANCELLED
        assert run.summary is not None and run.summary.passed == 3
        assert await lease_holder(context, run) is None

    async def test_one_just_before_the_end_still_has_a_summary(self, context: Context) -> None:
        async def quick(given: Any) -> Any:
            async with context.database.transaction() as tx:
                await stored_runs.set_status(
                    tx, run.id, work.OPEN, RunStatus.CANCELLED, reason="cancelled", finished_at=now()
                )
            return "ok"

        await save(context, prompts(1))
        run = await start(context, quick)
        run = await finished(context, run)
        assert run.status is RunStatus.CANCELLED
        assert run.summary is not None and run.summary.passed == 1

    async def test_a_run_that_nobody_works_on_is_cancelled_at_once(self, context: Context, other: Context) -> None:
        await save(context, prompts(2))
        run = await start(context, Gate(1), concurrency=1)
        await until_passed(context, run, 1)
        await context.close()
        run = await runs.cancel(other, run.id)
        assert run.status is RunStatus.CANCELLED
        assert run.summary is not None and run.summary.passed == 1

    async def test_the_work_is_interrupted_once_however_often_it_is_asked(self, context: Context) -> None:
        """A second cancel would break off the commit of what had been finished."""
        target = Gate(30)
        await save(context, prompts(40))
        run = await start(context, target, concurrency=30)
        async with asyncio.timeout(5):
            while target.calls.total() < 30:
                await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        task = context.work[run.id]
        await asyncio.gather(runs.cancel(context, run.id), context.close(), asyncio.wait([task]))
        assert task.cancelling() == 1


class TestEnd:
    async def test_closing_interrupts_and_leaves_the_run_to_be_resumed(self, context: Context, other: Context) -> None:
        target = Gate(2)
        await save(context, prompts(5))
        run = await start(context, target, concurrency=1)
        await until_passed(context, run, 2)
        await context.close()
        assert (await runs.get(other, run.id)).status is RunStatus.RUNNING
        assert await lease_holder(other, run) is None
        target.free = 100
        run = await finished(other, await runs.resume(other, run.id))
        assert run.status is RunStatus.COMPLETED
        assert target.calls == Counter({"prompt 0": 1, "prompt 1": 1, "prompt 2": 2, "prompt 3": 1, "prompt 4": 1})

    async def test_waiting_for_interrupted_work_says_so(self, context: Context) -> None:
        await save(context, prompts(1))
        run = await start(context, Gate())
        context.work[run.id].cancel()
        with pytest.raises(Conflict, match="was interrupted; resume"):
            await finished(context, run)

    async def test_work_that_ends_during_the_look_is_no_interruption(
        self, context: Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target, looks = Gate(), Counter[str]()
        await save(context, prompts(1))
        run = await start(context, target)
        look = runs.get

        async def slow_look(context: Context, ref: str) -> Run:
            seen = await look(context, ref)
            looks[ref] += 1
            if looks[ref] == 2:  # the run ends between what is seen and what is made of it
                context.work[run.id].cancel()
                await asyncio.wait([context.work[run.id]])
            return seen

        monkeypatch.setattr(runs, "get", slow_look)
        assert (await runs.wait(context, run.id, 0.01)).status is RunStatus.RUNNING

    async def test_a_run_with_a_result_missing_is_not_completed(self, context: Context) -> None:
        async def vanishing(given: Any) -> Any:
            task = asyncio.current_task()
            if task is not None and given == "prompt 1":
                task.cancel()
                await asyncio.sleep(0)
            return "ok"

        await save(context, prompts(3))
        run = await finished(context, await start(context, vanishing, concurrency=2))
        assert (run.status, run.reason) == (RunStatus.FAILED, "1 result never came; resume the run")
        assert run.summary is not None and run.summary.passed == 2

    async def test_work_that_ended_well_is_forgotten(self, context: Context) -> None:
        await save(context, prompts(1))
        run = await finished(context, await start(context, Gate(1)))
        assert run.status is RunStatus.COMPLETED
        assert context.work == {}

    async def test_a_budget_that_ends_with_the_last_case_stopped_nothing(self, context: Context) -> None:
        async def costly(given: Any) -> Any:
            return Answer(output="ok", usage=Usage(calls=1, input_tokens=60, output_tokens=40))

        await save(context, prompts(3))
        run = await finished(context, await start(context, costly, concurrency=1, max_tokens=300))
        assert (run.status, run.reason) == (RunStatus.COMPLETED, None)

    async def test_a_deleted_run_stops_its_work(
        self, context: Context, other: Context, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(work, "WATCH_SECONDS", 0.01)
        await save(context, prompts(1))
        run = await start(context, Gate())
        async with other.database.transaction() as tx:
            await stored_runs.delete(tx, run.id)
        task = context.work[run.id]
        await asyncio.wait([task], timeout=5)
        assert isinstance(task.exception(), NotFound)


class TestOnAServer:
    async def test_work_that_broke_is_logged_and_forgotten(
        self, context: Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def broken(*_: object) -> None:
            raise ZeroDivisionError("by zero")

        monkeypatch.setattr(work, "head_of", broken)
        context.served = True
        await save(context, prompts(1))
        run = await start(context, Gate(1))
        async with asyncio.timeout(5):
            while context.work:
                await asyncio.sleep(0.01)
        failed = await runs.get(context, run.id)
        assert (failed.status, failed.reason) == (RunStatus.FAILED, "ZeroDivisionError: by zero")
        assert f"run {run.id} broke: by zero" in caplog.text

    async def test_when_it_ends_what_is_in_flight_ends_and_the_run_is_given_back(self, context: Context) -> None:
        begun, released = Counter[str](), asyncio.Event()

        async def slow(given: Any) -> Any:
            begun[given] += 1
            await released.wait()
            return "ok"

        await save(context, prompts(9))
        run = await start(context, slow, concurrency=2)
        async with asyncio.timeout(5):
            while begun.total() < 2:
                await asyncio.sleep(0.01)
        draining = asyncio.create_task(context.drain(5))
        await context.draining.wait()
        released.set()
        await draining
        assert begun.total() == (await runs.progress(context, run.id)).passed == 2
        assert (await runs.get(context, run.id)).interrupted
        assert await lease_holder(context, run) is None
