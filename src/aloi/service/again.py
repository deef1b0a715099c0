"""Runs made of earlier runs: retry what ended badly, grade the same outcomes anew."""

from collections.abc import AsyncIterator, Mapping, Sequence

from aloi.core.case import Case
from aloi.core.errors import Conflict, InvalidInput
from aloi.core.run import Run, RunRequest, RunStatus
from aloi.core.score import Verdict
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.running.freezing import Filled, insert_run
from aloi.service.running.frozen import Frozen, Untouched, load
from aloi.service.running.head import KnownCase, outcomes_by_key
from aloi.service.running.run_audit import record_run
from aloi.service.running.work import set_off, take
from aloi.service.runs import get
from aloi.store import cases, datasets, results, revisions, runs, targets


async def retry(context: Context, ref: str, verdicts: Sequence[Verdict]) -> Run:
    """See `Client.retry`. It is complete, and can decide a gate, only when nothing but errors is tried again.

    Cases that a stopped run had not reached run too. A retry of a run that graded anew does so as well: it invokes
    nothing.
    """
    parent = await _finished(context, ref)
    kept = [verdict for verdict in Verdict if verdict not in verdicts]
    frozen = await load(context, parent)
    spec = parent.spec.model_copy(
        update={
            "parent_id": parent.id,
            "complete": parent.spec.complete and set(verdicts) == {Verdict.ERROR},
            "outcomes_at": parent.spec.outcomes_at or parent.finished_at,
        }
    )
    run = parent.model_copy(
        update={
            "id": new_id(),
            "spec": spec,
            "status": RunStatus.PENDING,
            "reason": None,
            "summary": None,
            "started_by": context.principal.name,
            "served": context.served,
            "created_at": now(),
            "started_at": None,
            "finished_at": None,
        }
    )
    async with context.database.transaction() as tx:
        await runs.insert(tx, run)
        carried = await results.carry(tx, parent.id, run.id, kept)
        if carried == run.total:
            names = " or ".join(verdicts) or "missing"
            raise InvalidInput(f"run {parent.id} has no result that is {names}; there is nothing to retry")
        await record_run(context, tx, "retry", run)
        run = await take(context, tx, run, {RunStatus.PENDING})
    return set_off(context, run, frozen)


async def regrade(context: Context, ref: str) -> Run:
    """See `Client.regrade`. Cases that are new, or whose input changed since, have no outcome and are left out."""
    parent = await _finished(context, ref)
    known = await outcomes_by_key(context, parent)
    async with context.database.transaction() as tx:
        version = await targets.version_by_id(tx, parent.spec.target_version_id)
        dataset = await datasets.hold(tx, parent.dataset_id)
        present = [case async for case in cases.every(tx, dataset.id) if case.runs]
        kept = tuple(case.key for case in present if case.key in known and known[case.key].input == case.input)
        frozen = await revisions.get(tx, parent.spec.revision_id)
        if not kept:
            raise InvalidInput(f"none of the outcomes of run {parent.id} belongs to a present case; start a new run")
        request = RunRequest(
            target_version_id=parent.spec.target_version_id,
            dataset=dataset.id,
            judge=parent.spec.judge,
            limits=parent.spec.limits,
            allow_side_effects=parent.spec.allow_side_effects,
            case_keys=None if len(kept) == len(present) else kept,
            tags=parent.spec.tags,
        )
        simulated = dataset.model_copy(update={"simulations": frozen.simulations})
        filled = Filled(simulated, _as_simulated(cases.pages(tx, dataset.id), known))
        pending, revision = await insert_run(context, tx, request, filled, version, Untouched(), parent)
        await record_run(context, tx, "regrade", pending)
        run = await take(context, tx, pending, {RunStatus.PENDING})
    return set_off(context, run, Frozen(version, Untouched(), revision))


async def _as_simulated(
    pages: AsyncIterator[Mapping[str, Case]], known: Mapping[str, KnownCase]
) -> AsyncIterator[Mapping[str, Case]]:
    """The cases with the simulations that their outcomes came of, so that a gate does not take them for others."""
    async for page in pages:
        yield {
            case_id: case.model_copy(update={"simulations": known[case.key].simulations}) if case.key in known else case
            for case_id, case in page.items()
        }


async def _finished(context: Context, ref: str) -> Run:
    run = await get(context, ref)
    if not run.status.finished:
        raise Conflict(f"run {run.id} is {run.status}; wait for it, resume it or cancel it first")
    return run
