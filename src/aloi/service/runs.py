"""Runs: start, resume, cancel, wait, read."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.chat import ModelSpec
from aloi.core.dataset import Dataset, DatasetRevision
from aloi.core.errors import Conflict, InvalidInput
from aloi.core.evaluator import bound
from aloi.core.listing import Page
from aloi.core.result import CaseResult
from aloi.core.run import JudgeSpec, Progress, Run, RunRequest, RunSpec, RunStatus, TargetVersion
from aloi.core.score import Verdict
from aloi.core.target import Target
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.evaluators import Preflight, evaluator_builder
from aloi.service.frozen import load
from aloi.service.head import Head, head_of
from aloi.service.judges import judge_model
from aloi.service.lease import is_dead
from aloi.service.targets import built
from aloi.service.work import OPEN, begin, finish
from aloi.store import cases, datasets, result_pages, results, revisions, runs, targets
from aloi.store.connection import Connection


async def start(context: Context, request: RunRequest) -> Run:
    """See `Client.start`."""
    async with context.database.read() as rx:
        version = await targets.version_by_id(rx, request.target_version_id)
    target = built(context, version)
    if isinstance(target, ModelSpec):
        context.models.check(target)
    async with context.database.transaction() as tx:
        dataset = await datasets.get(tx, request.dataset)
        run = await insert_run(context, tx, request, dataset, version, target)
    return await begin(context, run, await load(context, run), Head(), {RunStatus.PENDING})


async def insert_run(
    context: Context,
    tx: Connection,
    request: RunRequest,
    dataset: Dataset,
    version: TargetVersion,
    target: Target,
    regraded: str | None = None,
) -> Run:
    """Look at every case, freeze the revision, and store the pending run; `regraded` is the run it grades anew."""
    preflight = _preflight(context, dataset.bindings)
    seen = _looked_at(cases.every(tx, dataset.id), preflight, request.case_keys)
    frozen = await revisions.freeze(tx, dataset, dataset.bindings, seen, new_id, now())
    judge = _judge(context, request, dataset, preflight)
    if request.case_keys is not None and preflight.cases < len(set(request.case_keys)):
        raise InvalidInput(f"dataset {dataset.name!r} has not all of the cases asked for; see `aloi datasets export`")
    run = Run(
        id=new_id(),
        spec=RunSpec(
            target_version_id=version.id,
            revision_id=frozen.revision.id,
            judge=judge,
            judge_prompts=preflight.prompts,
            limits=request.limits,
            case_keys=request.case_keys,
            parent_id=regraded,
            regrades=regraded is not None,
            complete=request.case_keys is None,
            tags=request.tags,
        ),
        target_name=version.target_name,
        target_version=version.number,
        dataset_id=dataset.id,
        dataset_name=dataset.name,
        total=preflight.cases * request.limits.trials,
        skipped=target.skipped(),
        created_at=now(),
    )
    await runs.insert(tx, run)
    return run


def _preflight(context: Context, bindings: Sequence[Binding]) -> Preflight:
    build = evaluator_builder(context.settings.allow_code)
    return Preflight(bound(bindings, build), build)


async def _looked_at(
    every: AsyncIterator[Case], preflight: Preflight, keys: tuple[str, ...] | None
) -> AsyncIterator[Case]:
    wanted = None if keys is None else set(keys)
    async for case in every:
        if case.runs and (wanted is None or case.key in wanted):
            preflight.look_at(case)
        yield case


def _judge(context: Context, request: RunRequest, dataset: Dataset, preflight: Preflight) -> JudgeSpec | None:
    """The judge as the run freezes it, with the dataset's samples; null when no case is judged."""
    model = judge_model(request.judge, context.settings)
    preflight.conclude(has_judge=model is not None)
    if model is None or not preflight.judged:
        return None
    context.models.check(model)
    return JudgeSpec.model_validate({**dict(model), "samples": dataset.judge_samples})


async def resume(context: Context, ref: str) -> Run:
    """See `Client.resume`."""
    run = await get(context, ref)
    if run.status is RunStatus.COMPLETED:
        raise Conflict(f"run {run.id} is completed; there is nothing to resume")
    if _is_at_work(context, run.id):
        raise Conflict(f"run {run.id} is going on in this process")
    frozen = await load(context, run)
    return await begin(context, run, frozen, await head_of(context, run), set(RunStatus) - {RunStatus.COMPLETED})


def _is_at_work(context: Context, run_id: str) -> bool:
    task = context.work.get(run_id)
    return task is not None and not task.done()


async def cancel(context: Context, ref: str) -> Run:
    """See `Client.cancel`. Whoever works on the run sees it within half a second."""
    run = await get(context, ref)
    async with context.database.transaction() as tx:
        cancelled = await runs.set_status(tx, run.id, OPEN, RunStatus.CANCELLED, reason="cancelled", finished_at=now())
    if not cancelled:
        raise Conflict(f"run {run.id} is {run.status}; there is nothing to cancel")
    task = context.work.get(run.id)
    if task is not None:
        task.cancel()
        await asyncio.wait([task])
    elif await _is_orphan(context, run.id):
        await finish(context, run, {RunStatus.CANCELLED}, RunStatus.CANCELLED, "cancelled")
    return await get(context, run.id)


async def _is_orphan(context: Context, run_id: str) -> bool:
    """Whether nobody works on the run; this process then holds its lease."""
    async with context.database.transaction() as tx:
        return await runs.claim(tx, run_id, context.owner, now(), now(), is_dead) is None


async def wait(context: Context, ref: str, seconds: float) -> Run:
    """See `Client.wait`. What broke the work in this process is raised here."""
    run = await get(context, ref)
    task = context.work.get(run.id)
    if task is not None:
        await asyncio.wait([task], timeout=seconds)
        if task.done() and not task.cancelled() and (fault := task.exception()) is not None:
            raise fault
    elif not run.status.finished:
        await asyncio.sleep(seconds)
    return await get(context, run.id)


async def get(context: Context, ref: str) -> Run:
    """See `Client.run`."""
    async with context.database.read() as rx:
        return await runs.get(rx, ref)


async def listing(context: Context, dataset: str | None, page: int, size: int) -> Page[Run]:
    """See `Client.runs`."""
    async with context.database.read() as rx:
        dataset_id = (await datasets.get(rx, dataset)).id if dataset else None
        items = await runs.listing(rx, dataset_id=dataset_id, offset=(page - 1) * size, limit=size)
        total = await runs.count(rx, dataset_id=dataset_id)
    return Page[Run](items=tuple(items), total=total, page=page, size=size)


async def delete(context: Context, ref: str) -> None:
    """See `Client.delete_run`."""
    run = await get(context, ref)
    if not run.status.finished:
        run = await cancel(context, run.id)
    async with context.database.transaction() as tx:
        await runs.delete(tx, run.id)


async def progress(context: Context, ref: str) -> Progress:
    """See `Client.progress`."""
    run = await get(context, ref)
    async with context.database.read() as rx:
        return await results.counts(rx, run.id)


async def results_page(context: Context, ref: str, verdict: Verdict | None, page: int, size: int) -> Page[CaseResult]:
    """See `Client.results`."""
    run = await get(context, ref)
    async with context.database.read() as rx:
        found = await result_pages.page(rx, run.id, verdict, offset=(page - 1) * size, limit=size)
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
