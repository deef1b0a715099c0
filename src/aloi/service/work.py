"""Working on a run: the lease, the one path, and how it ends."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager

from aloi.core.errors import AloiError, Conflict
from aloi.core.evaluator import bound
from aloi.core.outcome import Outcome
from aloi.core.run import Run, RunStatus
from aloi.core.summary import Summary, Tally
from aloi.runner import pipeline
from aloi.runner.budget import Budget
from aloi.runner.grade import Grader
from aloi.runner.invoke import Invoker
from aloi.runner.local import LocalExecutor
from aloi.runner.plan import plan
from aloi.runner.task import Place
from aloi.runner.worker import Worker
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.service.frozen import Frozen, placed_cases
from aloi.service.head import Head
from aloi.service.lease import LEASE, RENEW_SECONDS, is_dead
from aloi.service.sink import StoreSink
from aloi.store import outcomes, result_pages, runs

WATCH_SECONDS = 0.4
OPEN = {RunStatus.PENDING, RunStatus.RUNNING}


async def begin(context: Context, run: Run, frozen: Frozen, head: Head, from_: Iterable[RunStatus]) -> Run:
    """Take the run's lease and start to work on it in the background; the run as it is now.

    Raises:
        Conflict: another process works on it, or it is in another state.
    """
    async with context.database.transaction() as tx:
        holder = await runs.claim(tx, run.id, context.owner, now() + LEASE, now(), is_dead)
        if holder is not None:
            raise Conflict(f"run {run.id} is worked on by {holder}; wait for it, or cancel the run")
        if not await runs.set_status(tx, run.id, set(from_), RunStatus.RUNNING, started_at=now()):
            raise Conflict(f"run {run.id} is {run.status}, so it cannot be started")
        started = await runs.get(tx, run.id)
    task = asyncio.create_task(_work(context, started, frozen, head), name=f"run {run.id}")
    context.work[run.id] = task
    return started


async def _work(context: Context, run: Run, frozen: Frozen, head: Head) -> None:
    """Carry the run out and write down how it ended. An interrupted run stays `running`, without a lease."""
    try:
        async with _watched(context, run.id):
            reason = await _carry_out(context, run, frozen, head)
        status = RunStatus.CANCELLED if reason else RunStatus.COMPLETED
        await finish(context, run, OPEN, status, reason)
    except asyncio.CancelledError:
        await asyncio.shield(_interrupted(context, run))
        raise
    except Exception as error:
        message = str(error) if isinstance(error, AloiError) else f"{type(error).__name__}: {error}"
        await finish(context, run, OPEN, RunStatus.FAILED, message)
        raise


async def _carry_out(context: Context, run: Run, frozen: Frozen, head: Head) -> str | None:
    spec = run.spec
    build = evaluator_builder(context.settings.allow_code)
    worker = Worker(
        Invoker(frozen.target, context.target_context, spec.limits.seconds_per_case),
        Grader(
            bindings=bound(frozen.revision.bindings, build),
            build=build,
            judge=context.models.chat(spec.judge.model_spec) if spec.judge else None,
            samples=spec.judge.samples if spec.judge else 1,
        ),
    )

    async def outcome_of(place: Place) -> Outcome | None:
        if place not in head.ungraded:
            return None
        async with context.database.read() as rx:
            return await outcomes.get(rx, head.ungraded[place])

    cases = placed_cases(context, spec.revision_id, spec.case_keys)
    tasks = plan(cases, spec.limits.trials, head.done, outcome_of)
    sink = StoreSink(context.database, run.id, frozen.version.id, dict(head.ungraded))
    budget = Budget(spec.limits, head.spent)
    return await pipeline.run(tasks, worker.run_case, LocalExecutor(spec.limits.concurrency), sink, budget)


@asynccontextmanager
async def _watched(context: Context, run_id: str) -> AsyncGenerator[None, None]:
    """Around the work: the lease is renewed, and a cancel by anybody interrupts the work."""
    worker = asyncio.current_task()

    async def watch() -> None:
        renewed = 0.0
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            async with context.database.read() as rx:
                status = (await runs.get(rx, run_id)).status
            if status not in OPEN and worker is not None:
                worker.cancel()
                return
            renewed += WATCH_SECONDS
            if renewed >= RENEW_SECONDS:
                renewed = 0.0
                async with context.database.transaction() as tx:
                    await runs.renew(tx, run_id, context.owner, now() + LEASE)

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()
        await asyncio.gather(watcher, return_exceptions=True)


async def _interrupted(context: Context, run: Run) -> None:
    """After an interruption: a cancelled run gets its summary, another one is given back to be resumed."""
    async with context.database.read() as rx:
        status = (await runs.get(rx, run.id)).status
    if status is RunStatus.CANCELLED:
        await finish(context, run, {RunStatus.CANCELLED}, RunStatus.CANCELLED, "cancelled")
    else:
        await _release(context, run.id)


async def finish(context: Context, run: Run, from_: set[RunStatus], status: RunStatus, reason: str | None) -> None:
    """Write down how a run ended, with its summary over the rows that are stored, and give the lease back."""
    summary = await summarised(context, run)
    async with context.database.transaction() as tx:
        await runs.set_status(tx, run.id, from_, status, reason=reason, summary=summary, finished_at=now())
        await runs.release(tx, run.id, context.owner)


async def _release(context: Context, run_id: str) -> None:
    async with context.database.transaction() as tx:
        await runs.release(tx, run_id, context.owner)


async def summarised(context: Context, run: Run) -> Summary:
    """The summary of the results that a run has now."""
    tally = Tally()
    async with context.database.read() as rx:
        async for row in result_pages.rows(rx, run.id):
            tally.add(row)
    return tally.summary(run.spec.limits.trials)
