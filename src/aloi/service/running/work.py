"""Working on a run: the lease, the one path, and how it ends."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta

from aloi.core.errors import AloiError, Conflict, StoreUnavailable, reason_of
from aloi.core.evaluator import bound
from aloi.core.outcome import Outcome
from aloi.core.run import Run, RunStatus
from aloi.core.summary import Summary, Tally
from aloi.core.target import Target
from aloi.core.wording import count
from aloi.plugins import module
from aloi.runner import pipeline
from aloi.runner.budget import Budget
from aloi.runner.evidence import NO_EVIDENCE, Evidence
from aloi.runner.grade import Grader
from aloi.runner.invoke import Invoker
from aloi.runner.local import LocalExecutor
from aloi.runner.plan import plan
from aloi.runner.task import Place
from aloi.runner.worker import Worker
from aloi.service import gates
from aloi.service.clock import now
from aloi.service.context import Context, interrupt
from aloi.service.evaluators import evaluator_builder
from aloi.service.process.lease import LEASE, RENEW_SECONDS, Lost, is_dead
from aloi.service.running.frozen import Frozen, placed_cases
from aloi.service.running.head import head_of
from aloi.service.running.sink import StoreSink
from aloi.service.running.spending import Spending
from aloi.service.served_tools.serving import StoreServing
from aloi.service.target_secrets import secrets_of
from aloi.simulation.generated import AnswerWriter
from aloi.simulation.simulator import Simulator
from aloi.store import outcomes, result_pages, results, runs
from aloi.store.connection import Connection

log = logging.getLogger("aloi.service")
WATCH_SECONDS = 0.4
OPEN = {RunStatus.PENDING, RunStatus.RUNNING}


async def take(context: Context, tx: Connection, run: Run, from_: Iterable[RunStatus]) -> Run:
    """Take the run's lease and make it `running`, in the caller's transaction; the run as it is then.

    Raises:
        Conflict: it is worked on, or it is in another state.
    """
    if is_at_work(context, run.id):
        raise Conflict(f"run {run.id} is going on in this process")
    holder = await runs.claim(tx, run.id, context.owner, now() + LEASE, now(), is_dead)
    if holder is not None:
        raise Conflict(f"run {run.id} is worked on by {holder}; wait for it, or cancel the run")
    if not await runs.set_status(tx, run.id, set(from_), RunStatus.RUNNING, started_at=now()):
        raise Conflict(f"run {run.id} is {(await runs.get(tx, run.id)).status}, so it cannot be started")
    return await runs.get(tx, run.id)


def is_at_work(context: Context, run_id: str) -> bool:
    """Whether this context works on the run."""
    task = context.work.get(run_id)
    return task is not None and not task.done()


def set_off(context: Context, run: Run, frozen: Frozen) -> Run:
    """Work in the background on a run that was just taken; the same run.

    Nothing may be awaited between the end of the transaction that took it and this, so that it is not taken twice.
    """
    task = asyncio.create_task(_work(context, run, frozen), name=f"run {run.id}")
    context.work[run.id] = task
    task.add_done_callback(lambda done: _forget(context, run.id, done))
    return run


def _forget(context: Context, run_id: str, done: asyncio.Task[None]) -> None:
    """Let go of work that ended well; how other work ended is told to who waits, or by a server's log."""
    fault = None if done.cancelled() else done.exception()
    if context.served and fault is not None:
        # Nobody waits here for the work itself, as a command does: the run's own state says how it ended.
        log.error("run %s broke: %s", run_id, fault, exc_info=None if isinstance(fault, AloiError) else fault)
    ended_well = not done.cancelled() and fault is None
    if (ended_well or context.served) and context.work.get(run_id) is done:
        del context.work[run_id]


async def _work(context: Context, run: Run, frozen: Frozen) -> None:
    """Carry the run out and write down how it ended. An interrupted run stays `running`, without a lease."""
    try:
        async with _watched(context, run.id):
            reason = await _carry_out(context, run, frozen)
        await _end(context, run, reason)
    except asyncio.CancelledError:
        await asyncio.shield(_interrupted(context, run))
        raise
    except Lost:
        raise
    except Exception as error:
        await _failed(context, run, error)
        raise


async def _carry_out(context: Context, run: Run, frozen: Frozen) -> str | None:
    """Do what is left of the run; why it stopped before its end, or null.

    What is left is only read now that nobody else works on it: else it could be done, and paid, twice.
    """
    spec, head = run.spec, await head_of(context, run)
    build = evaluator_builder(context.settings.allow_code)
    judge = context.models.chat(spec.judge.model_spec) if spec.judge else None
    simulator = Simulator(frozen.revision.simulations, AnswerWriter(judge) if judge else None)
    serving = StoreServing(context, frozen.target, run.id, spec.judge.model_spec if spec.judge else None)
    evidence = _evidence(context, frozen.target)
    worker = Worker(
        Invoker(frozen.target, context.target_context, spec.limits.seconds_per_case, simulator, serving, evidence),
        Grader(
            bindings=bound(frozen.revision.bindings, build),
            build=build,
            judge=judge,
            samples=spec.judge.samples if spec.judge else 1,
        ),
        evidence,
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
    executor = LocalExecutor(spec.limits.concurrency)
    return await pipeline.run(tasks, worker.run_case, executor, sink, budget, context.draining)


def _evidence(context: Context, target: Target) -> Evidence:
    """What brings spans of others; its readers of spans are imported only for a target that is sent a trace."""
    if target.span_seconds() is None:
        return NO_EVIDENCE
    received: Evidence = module("aloi.service.traces.evidence").ReceivedSpans(context, secrets_of(context, target))
    return received


@asynccontextmanager
async def _watched(context: Context, run_id: str) -> AsyncGenerator[None, None]:
    """Around the work: the lease is renewed; a cancel by anybody, or a lost lease, interrupts the work.

    Raises:
        Lost, StoreUnavailable: what made the watcher interrupt it.
    """
    worker = asyncio.current_task()
    watcher = asyncio.create_task(_watch(context, run_id))
    if worker is not None:
        watcher.add_done_callback(lambda done: None if done.cancelled() else interrupt(worker))
    try:
        yield
    except asyncio.CancelledError:
        if watcher.done() and (fault := watcher.exception()) is not None:
            raise fault from None
        raise
    finally:
        watcher.cancel()
        await asyncio.gather(watcher, return_exceptions=True)


async def _watch(context: Context, run_id: str) -> None:
    """Keep the lease, and return when somebody ended the run.

    Raises:
        Lost: another process has the lease now.
        StoreUnavailable: the database could not be used for as long as the lease lasts; shorter gaps are sat out.
    """
    renewed_at = now()
    while True:
        await asyncio.sleep(WATCH_SECONDS)
        try:
            async with context.database.read() as rx:
                status = (await runs.get(rx, run_id)).status
            if status not in OPEN:
                return
            if now() - renewed_at >= timedelta(seconds=RENEW_SECONDS):
                renewed_at = await _renewed(context, run_id)
        except StoreUnavailable:
            if now() - renewed_at >= LEASE:
                raise


async def _renewed(context: Context, run_id: str) -> datetime:
    """Prolong the lease; when that was."""
    moment = now()
    async with context.database.transaction() as tx:
        if not await runs.renew(tx, run_id, context.owner, moment + LEASE):
            raise Lost(run_id)
    return moment


async def _end(context: Context, run: Run, reason: str | None) -> None:
    """Write down the end of the work. A budget that ran out only with the last case stopped nothing; a run that was
    drained is given back.

    A run is never `completed` with results missing: a gate would decide on the others alone.
    """
    async with context.database.read() as rx:
        progress = await results.counts(rx, run.id)
    missing = progress.total - (progress.passed + progress.failed + progress.errors)
    if missing <= 0:
        status, reason = RunStatus.COMPLETED, None
    elif reason is not None:
        status = RunStatus.CANCELLED
    elif context.draining.is_set():
        await _interrupted(context, run)
        return
    else:
        status, reason = RunStatus.FAILED, f"{count(missing, 'result')} never came; resume the run"
    if not await finish(context, run, OPEN, status, reason):
        await _interrupted(context, run)


async def _interrupted(context: Context, run: Run) -> None:
    """After an interruption: a cancelled run gets its summary, another one is given back to be resumed."""
    async with context.database.read() as rx:
        status = (await runs.get(rx, run.id)).status
    if status is RunStatus.CANCELLED:
        await finish(context, run, {RunStatus.CANCELLED}, RunStatus.CANCELLED, "cancelled")
    else:
        await _give_back(context, run)


async def _failed(context: Context, run: Run, error: Exception) -> None:
    """Write down why the run broke. Where that fails too it is only noted on the error, which says more."""
    try:
        if not await finish(context, run, OPEN, RunStatus.FAILED, reason_of(error)):
            await _interrupted(context, run)
    except AloiError as fault:
        error.add_note(f"Nor could it be written down that run {run.id} failed: {fault}")
        with suppress(AloiError):
            async with context.database.transaction() as tx:
                await runs.release(tx, run.id, context.owner)


async def finish(context: Context, run: Run, from_: set[RunStatus], status: RunStatus, reason: str | None) -> bool:
    """Write down how a run ended, with its summary over the rows that are stored and what it used, and give the lease
    back. A complete run's figures are there for its target's gate from then on.

    Returns:
        Whether it was in one of those states; if not, nothing was changed.

    Raises:
        Lost: this context does not hold the lease any more.
    """
    spending = Spending(run)
    async with context.database.read() as rx:
        summary = await summarised(rx, run, spending)
        await spending.add_waiting(rx)
    async with context.database.transaction() as tx:
        if status is RunStatus.COMPLETED:
            await gates.hold_for(tx, run)
        moment = now()
        if not await runs.renew(tx, run.id, context.owner, moment + LEASE):
            raise Lost(run.id)
        moved = await runs.set_status(tx, run.id, from_, status, reason=reason, summary=summary, finished_at=moment)
        if moved:
            if status is RunStatus.COMPLETED:
                await gates.count_run(tx, run, summary, moment)
            await spending.record(context, tx)
            await runs.release(tx, run.id, context.owner)
    return moved


async def _give_back(context: Context, run: Run) -> None:
    """Let others go on with the run; what it used until now is written down."""
    spending = Spending(run)
    async with context.database.read() as rx:
        async for row in result_pages.rows(rx, run.id):
            spending.add(row)
        await spending.add_waiting(rx)
    async with context.database.transaction() as tx:
        await spending.record(context, tx)
        await runs.release(tx, run.id, context.owner)


async def summarised(rx: Connection, run: Run, spending: Spending | None = None) -> Summary:
    """The summary of the results that a run has now; they are counted in `spending` too."""
    tally = Tally()
    async for row in result_pages.rows(rx, run.id):
        tally.add(row)
        if spending is not None:
            spending.add(row)
    # In a thread: the bootstrap over many cases takes seconds, and other work of this process must go on.
    return await asyncio.to_thread(tally.summary, run.spec.limits.trials)
