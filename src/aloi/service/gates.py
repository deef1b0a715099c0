"""Gates: what keeps a bad version from becoming active.

Whoever decides holds the target first, and then the datasets of its policies by their ids; an edit of a dataset holds
that dataset, the end of a run and a change of the gate hold the target. So each of these is either there when a version
is let pass, or comes after it.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from pydantic import JsonValue

from aloi.core.dataset import Dataset, case_hash, revision_hash
from aloi.core.errors import Conflict, NotFound
from aloi.core.gate import (
    ActivationRefused,
    DatasetGate,
    Gate,
    GateState,
    Override,
    OverrideReason,
    PolicyState,
    allows,
    policy_state,
)
from aloi.core.listing import Page
from aloi.core.misfit import Misplaced, pointer
from aloi.core.run import Run, TargetVersion
from aloi.core.spec import JsonObject
from aloi.core.summary import Summary
from aloi.core.target_record import TargetRecord
from aloi.service import audit
from aloi.service.changes import brief
from aloi.service.checks import refuse, refuse_stale
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import cases, datasets, overrides, runs, targets
from aloi.store import gates as stored
from aloi.store.connection import Connection

NAMED = 20
Read = Callable[[Connection, str], Awaitable[Dataset]]


async def get(context: Context, ref: str, number: int | None = None) -> GateState:
    """What a target's gate says of a version, by default the newest.

    Raises:
        NotFound: there is no such target, or no such version.
    """
    async with context.database.read() as rx:
        record = await targets.get(rx, ref)
        version = await targets.version(rx, record.id, record.versions if number is None else number)
        return await _state(rx, version, datasets.by_id)


async def replace(context: Context, ref: str, gate: Gate, if_match: str | None = None) -> GateState:
    """Make these the policies of a target, and no others; what they say of its newest version.

    Args:
        gate: its datasets go by id or name.
        if_match: the ETag of the `Gate` that the caller read; null for any.

    Raises:
        NotFound: there is no such target.
        Misfit: a dataset is not there, or named twice.
        Stale: the policies were changed since.
    """
    async with context.database.transaction() as tx:
        record = await targets.hold(tx, ref)
        present = await stored.policies(tx, record.id)
        refuse_stale(Gate(policies=tuple(present)), if_match, f"the gate of {record.name!r}")
        wanted = await _found(tx, gate.policies)
        for policy in wanted:
            await datasets.hold_by_id(tx, policy.dataset_id)
        if wanted != present:
            before, after = await _named(tx, present), await _named(tx, wanted)
            await stored.replace(tx, record.id, wanted)
            await _record(context, tx, "gate.update", record, before, after)
        return await _state(tx, await targets.version(tx, record.id, record.versions), datasets.by_id)


async def _found(tx: Connection, given: Sequence[DatasetGate]) -> list[DatasetGate]:
    """The policies with the ids of their datasets, in the order of these."""
    found: dict[str, DatasetGate] = {}
    for index, policy in enumerate(given):
        place = pointer(("policies", index, "dataset_id"))
        try:
            dataset = await datasets.get(tx, policy.dataset_id)
        except NotFound as absent:
            refuse([Misplaced(place, str(absent))])
            raise
        if dataset.id in found:
            refuse([Misplaced(place, f"{dataset.name!r} is named twice; a dataset has one threshold")])
        found[dataset.id] = policy.model_copy(update={"dataset_id": dataset.id})
    return [found[dataset_id] for dataset_id in sorted(found)]


async def _named(rx: Connection, policies: Sequence[DatasetGate]) -> JsonObject:
    """Policies as the audit log keeps them."""
    said: list[JsonValue] = []
    for policy in policies:
        name = (await datasets.by_id(rx, policy.dataset_id)).name
        said.append({"dataset": name, "threshold": policy.threshold, "enabled": policy.enabled})
    return {"policies": said}


async def let_pass(
    context: Context, tx: Connection, record: TargetRecord, version: TargetVersion, override: OverrideReason | None
) -> None:
    """Nothing when a version of a target that is held may become active; an override that it takes is written down.

    Raises:
        ActivationRefused: the gate does not allow it, and there is no override.
    """
    state = await _state(tx, version, datasets.hold_by_id)
    if state.allowed:
        return
    if override is None:
        raise ActivationRefused(state)
    made = Override(
        id=new_id(),
        target_id=record.id,
        version=version.number,
        reason=override.reason,
        by=context.principal.name,
        at=now(),
        state=state,
    )
    await overrides.insert(tx, made)
    said: JsonObject = {policy.dataset_name: policy.reason for policy in state.policies}
    after: JsonObject = {"version": made.version, "reason": made.reason, "gate": said}
    await _record(context, tx, "gate.override", record, None, after)


async def overrides_of(context: Context, ref: str, page: int, size: int) -> Page[Override]:
    """A page of the overrides of a target's gate, counted from 1, newest first.

    Raises:
        NotFound: there is no such target.
    """
    async with context.database.read() as rx:
        return await overrides.page(rx, (await targets.get(rx, ref)).id, page, size)


async def of_run(context: Context, ref: str) -> tuple[PolicyState, ...]:
    """What the policies on a run's dataset say now of the version that it evaluated; empty without any.

    Raises:
        NotFound: there is no such run.
    """
    async with context.database.read() as rx:
        run = await runs.get(rx, ref)
        version = await targets.version_by_id(rx, run.spec.target_version_id)
        policies = await stored.policies(rx, version.target_id)
        return await _policies(rx, version, [p for p in policies if p.dataset_id == run.dataset_id], datasets.by_id)


async def hold_for(tx: Connection, run: Run) -> None:
    """Keep the gate of a run's target from being decided or changed until this transaction ends."""
    version = await targets.version_by_id(tx, run.spec.target_version_id)
    await targets.hold(tx, version.target_id)


async def count_run(tx: Connection, run: Run, summary: Summary, finished_at: datetime) -> None:
    """Let a run that came to its end be decided on, in the transaction that ends it; a run of a part never is."""
    if run.spec.complete:
        await stored.count_run(tx, run, summary, finished_at)


async def refuse_deletion(tx: Connection, dataset: Dataset) -> None:
    """Nothing when no gate needs a dataset that is held.

    Raises:
        Conflict: some do; up to 20 of their targets are named.
    """
    names = await stored.targets_on(tx, dataset.id)
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        raise Conflict(
            f"the dataset {dataset.name!r} decides which versions of {', '.join(names[:NAMED])}{more} may become "
            "active; an owner takes it off the gate first (aloi gate remove)"
        )


async def _state(rx: Connection, version: TargetVersion, read: Read) -> GateState:
    """What the gate of a version's target says of it; `read` gives its datasets, held where that is wanted."""
    policies = await _policies(rx, version, await stored.policies(rx, version.target_id), read)
    return GateState(
        target_id=version.target_id,
        target_name=version.target_name,
        version=version.number,
        allowed=allows(policies),
        policies=policies,
    )


async def _policies(
    rx: Connection, version: TargetVersion, policies: Sequence[DatasetGate], read: Read
) -> tuple[PolicyState, ...]:
    """What these policies say of a version, by the names of their datasets."""
    states = [await _policy(rx, version, policy, await read(rx, policy.dataset_id)) for policy in policies]
    return tuple(sorted(states, key=lambda state: state.dataset_name))


async def _policy(rx: Connection, version: TargetVersion, policy: DatasetGate, dataset: Dataset) -> PolicyState:
    older = await stored.latest(rx, version.id, dataset.id)
    current = older and await stored.latest_present(rx, version.id, dataset, await _revision_hash(rx, dataset))
    return policy_state(policy, dataset.name, f"{version.target_name}@{version.number}", current, older)


async def _revision_hash(rx: Connection, dataset: Dataset) -> str:
    """The content hash of what a run on the dataset would freeze now. 10,000 cases take about 0.15 s."""
    hashes = [case_hash(case) async for case in cases.every(rx, dataset.id) if case.runs]
    return revision_hash(hashes, dataset.bindings, dataset.simulations)


async def _record(
    context: Context, tx: Connection, action: str, record: TargetRecord, before: JsonObject | None, after: JsonObject
) -> None:
    old = None if before is None else brief(before)
    await audit.record(
        context, tx, action=action, kind="gate", id=record.id, name=record.name, before=old, after=brief(after)
    )
