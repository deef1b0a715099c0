"""Runs: start, resume, cancel, wait, read."""

import asyncio
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Sequence
from contextlib import suppress

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.dataset import DatasetRevision
from aloi.core.errors import Conflict, InvalidInput
from aloi.core.listing import Page
from aloi.core.result import CaseResult
from aloi.core.run import Progress, Run, RunRequest, RunStatus
from aloi.core.run_start import RunStart
from aloi.core.score import Verdict
from aloi.core.simulation import Simulations
from aloi.service.clock import now
from aloi.service.context import Context, stop
from aloi.service.datasets import filling, prepared
from aloi.service.process.lease import is_dead
from aloi.service.running.freezing import Filled, insert_run
from aloi.service.running.frozen import Frozen, live_target, load
from aloi.service.running.run_audit import record_run
from aloi.service.running.work import OPEN, WATCH_SECONDS, finish, set_off, take
from aloi.store import cases, datasets, result_pages, results, revisions, runs, targets
from aloi.store.connection import Connection


async def start(context: Context, request: RunRequest) -> Run:
    """See `Client.start`."""

    async def as_it_is(tx: Connection) -> Filled:
        dataset = await datasets.hold(tx, request.dataset)
        return Filled(dataset, cases.pages(tx, dataset.id))

    return await _start(context, request, as_it_is)


async def start_for(context: Context, wanted: RunStart) -> Run:
    """Start a run of a target that is named by its id or its name, or of one of its versions.

    Raises:
        NotFound, InvalidInput, NotPermitted, Conflict: as `start`.
    """
    async with context.database.read() as rx:
        if wanted.target is not None:
            version = await targets.version(rx, wanted.target, wanted.version)
        else:
            version = await targets.version_by_id(rx, wanted.target_version_id or "")
    return await start(context, wanted.request(version.id))


async def start_with(
    context: Context,
    request: RunRequest,
    given: AsyncIterable[Case],
    bindings: Sequence[Binding],
    judge_samples: int | None = None,
    simulations: Simulations | None = None,
) -> Run:
    """See `Client.start_with`."""

    async def filled(tx: Connection) -> Filled:
        dataset = await prepared(context, tx, request.dataset, bindings, judge_samples, simulations)
        return Filled(dataset, filling(context, tx, dataset, given))

    return await _start(context, request, filled)


async def _start(context: Context, request: RunRequest, fill: Callable[[Connection], Awaitable[Filled]]) -> Run:
    async with context.database.read() as rx:
        version = await targets.version_by_id(rx, request.target_version_id)
    target = live_target(context, version)
    async with context.database.transaction() as tx:
        pending, revision = await insert_run(context, tx, request, await fill(tx), version, target)
        await record_run(context, tx, "start", pending)
        run = await take(context, tx, pending, {RunStatus.PENDING})
    return set_off(context, run, Frozen(version, target, revision))


async def resume(context: Context, ref: str) -> Run:
    """See `Client.resume`."""
    run = await get(context, ref)
    if run.status is RunStatus.COMPLETED:
        raise Conflict(f"run {run.id} is completed; there is nothing to resume")
    frozen = await load(context, run)
    async with context.database.transaction() as tx:
        run = await take(context, tx, run, set(RunStatus) - {RunStatus.COMPLETED})
        await record_run(context, tx, "resume", run)
    return set_off(context, run, frozen)


async def cancel(context: Context, ref: str) -> Run:
    """See `Client.cancel`. Whoever works on the run sees it within half a second."""
    run = await get(context, ref)
    async with context.database.transaction() as tx:
        cancelled = await runs.set_status(tx, run.id, OPEN, RunStatus.CANCELLED, reason="cancelled", finished_at=now())
        if cancelled:
            await record_run(context, tx, "cancel", run)
    if not cancelled:
        raise Conflict(f"run {run.id} is {(await get(context, run.id)).status}; there is nothing to cancel")
    task = context.work.get(run.id)
    if task is not None and not task.done():
        await stop([task])
    elif await _is_orphan(context, run.id):
        await finish(context, run, {RunStatus.CANCELLED}, RunStatus.CANCELLED, "cancelled")
    return await get(context, run.id)


async def _is_orphan(context: Context, run_id: str) -> bool:
    """Whether nobody works on the run; this process then holds its lease."""
    async with context.database.transaction() as tx:
        return await runs.claim(tx, run_id, context.owner, now(), now(), is_dead) is None


async def wait(context: Context, ref: str, seconds: float) -> Run:
    """See `Client.wait`. What broke the work in this process is raised here.

    Raises:
        Conflict: the work was interrupted, so that the run does not go on by itself.
    """
    run = await get(context, ref)
    task = context.work.get(run.id)
    if task is None:
        return await _wait_for_others(context, run, seconds)
    await asyncio.wait([task], timeout=seconds)
    ended = task.done()  # before the look: of work that ends during it, the run is not yet known to have ended
    run = await get(context, run.id)
    if not ended or run.status is RunStatus.COMPLETED:
        return run
    if not task.cancelled() and (fault := task.exception()) is not None:
        raise fault
    if not run.status.finished:
        raise Conflict(f"the work on run {run.id} was interrupted; resume the run to go on")
    return run


async def _wait_for_others(context: Context, run: Run, seconds: float) -> Run:
    """Look at a run that somebody else works on, or nobody, until it is finished or the time is over."""
    until = time.monotonic() + seconds
    while not run.status.finished and (left := until - time.monotonic()) > 0:
        await asyncio.sleep(min(left, WATCH_SECONDS))
        run = await get(context, run.id)
    return run


async def get(context: Context, ref: str) -> Run:
    """See `Client.run`."""
    async with context.database.read() as rx:
        return seen(await runs.get(rx, ref))


def seen(run: Run) -> Run:
    """The run without a holder that is known to be gone."""
    gone = run.holder is not None and is_dead(run.holder)
    return run.model_copy(update={"holder": None}) if gone else run


async def listing(context: Context, dataset: str | None, page: int, size: int) -> Page[Run]:
    """See `Client.runs`."""
    async with context.database.read() as rx:
        dataset_id = (await datasets.get(rx, dataset)).id if dataset is not None else None
        items = await runs.listing(rx, dataset_id=dataset_id, offset=offset_of(page, size), limit=size)
        total = await runs.count(rx, dataset_id=dataset_id)
    return Page[Run](items=tuple(map(seen, items)), total=total, page=page, size=size)


def offset_of(page: int, size: int) -> int:
    """How many come before a page.

    Raises:
        InvalidInput: there is no such page.
    """
    if page < 1 or size < 1:
        raise InvalidInput(f"there is no page {page} of {size} each; pages count from 1 and hold at least 1")
    return (page - 1) * size


async def delete(context: Context, ref: str) -> None:
    """See `Client.delete_run`."""
    run = await get(context, ref)
    if not run.status.finished:
        with suppress(Conflict):  # it finished just now
            run = await cancel(context, run.id)
    async with context.database.transaction() as tx:
        await runs.delete(tx, run.id)
        await record_run(context, tx, "delete", run)


async def progress(context: Context, ref: str) -> Progress:
    """See `Client.progress`."""
    run = await get(context, ref)
    async with context.database.read() as rx:
        return await results.counts(rx, run.id)


async def results_page(context: Context, ref: str, verdict: Verdict | None, page: int, size: int) -> Page[CaseResult]:
    """See `Client.results`."""
    run = await get(context, ref)
    async with context.database.read() as rx:
        found = await result_pages.page(rx, run.id, verdict, offset=offset_of(page, size), limit=size)
    return Page[CaseResult](items=tuple(found.results), total=found.total, page=page, size=size)


async def result(context: Context, ref: str, case: str, trial: int) -> CaseResult:
    """See `Client.result`."""
    run = await get(context, ref)
    async with context.database.read() as rx:
        return await result_pages.one(rx, run.id, case, trial)


async def revision_of(context: Context, run: Run) -> DatasetRevision:
    """The dataset revision that a run froze."""
    async with context.database.read() as rx:
        return await revisions.get(rx, run.spec.revision_id)


async def frozen_case(context: Context, ref: str, case: str) -> Case:
    """See `Client.frozen_case`."""
    run = await get(context, ref)
    async with context.database.read() as rx:
        return await revisions.case(rx, run.spec.revision_id, case)
