"""Gates: the policies of targets, and the figures of complete runs that they decide on."""

from collections.abc import Sequence
from datetime import datetime

from aloi.core.dataset import Dataset
from aloi.core.gate import DatasetGate, GateRun
from aloi.core.run import Run
from aloi.core.summary import Summary
from aloi.store import revisions
from aloi.store.codec import pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Param, Row

POLICIES = """
SELECT p.dataset_id, p.threshold, p.enabled FROM gate_policies p JOIN targets t ON t.id = p.target_id
WHERE t.id = ? AND t.workspace_id = ? ORDER BY p.dataset_id"""
FORGET = """
DELETE FROM gate_policies WHERE target_id IN (SELECT id FROM targets WHERE id = ? AND workspace_id = ?)"""
INSERT = "INSERT INTO gate_policies (target_id, dataset_id, threshold, enabled) VALUES (?, ?, ?, ?)"
TARGETS = """
SELECT t.name FROM targets t JOIN gate_policies p ON p.target_id = t.id
WHERE p.dataset_id = ? AND t.workspace_id = ? ORDER BY t.name"""
COUNT_RUN = """
INSERT INTO gate_runs (run_id, target_version_id, dataset_id, revision_hash, judge_samples, passed, failed, errors,
  finished_at, outcomes_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run_id) DO UPDATE SET passed = excluded.passed, failed = excluded.failed, errors = excluded.errors,
  finished_at = excluded.finished_at, outcomes_at = excluded.outcomes_at"""
LATEST = """
SELECT g.run_id, g.passed, g.failed, g.errors, g.finished_at, EXISTS (SELECT 1 FROM runs r WHERE r.id = g.run_id)
FROM gate_runs g JOIN target_versions v ON v.id = g.target_version_id JOIN targets t ON t.id = v.target_id
WHERE g.target_version_id = ? AND g.dataset_id = ? AND t.workspace_id = ?"""
PRESENT = " AND g.revision_hash = ? AND (g.judge_samples IS NULL OR g.judge_samples = ?)"
# A retry or a regrade of an older run must not stand before a newer run: it goes with the one that it goes back to.
NEWEST = " ORDER BY g.outcomes_at DESC, g.finished_at DESC, g.run_id DESC LIMIT 1"


async def policies(rx: Connection, target_id: str) -> list[DatasetGate]:
    """The policies of a target, by the ids of their datasets: the order in which datasets are held."""
    rows = await rx.fetch(POLICIES, (pack_id(target_id), rx.workspace))
    return [
        DatasetGate(dataset_id=unpack_id(dataset), threshold=threshold, enabled=bool(enabled))
        for dataset, threshold, enabled in rows
    ]


async def replace(tx: Connection, target_id: str, given: Sequence[DatasetGate]) -> None:
    """Make these the policies of a target that is held, and no others.

    Raises:
        Conflict: a dataset is not there, or named twice.
    """
    target = pack_id(target_id)
    await tx.execute(FORGET, (target, tx.workspace))
    rows = [(target, pack_id(policy.dataset_id), policy.threshold, int(policy.enabled)) for policy in given]
    await tx.execute_many((INSERT, rows))


async def targets_on(rx: Connection, dataset_id: str) -> list[str]:
    """The names of the targets that have a policy on a dataset, be it on or off."""
    return [name for (name,) in await rx.fetch(TARGETS, (pack_id(dataset_id), rx.workspace))]


async def others_on(rx: Connection, dataset_id: str, target_ids: Sequence[str]) -> bool:
    """Whether a target that is not one of these has a policy on a dataset."""
    query = "SELECT DISTINCT target_id FROM gate_policies WHERE dataset_id = ?"
    found = {unpack_id(packed) for (packed,) in await rx.fetch(query, (pack_id(dataset_id),))}
    return bool(found - set(target_ids))


async def count_run(tx: Connection, run: Run, summary: Summary, finished_at: datetime) -> None:
    """Write the figures of a complete run down, for they outlive it. Those of its last end stand."""
    revision = await revisions.get(tx, run.spec.revision_id)
    # The model that judges may be set for generated simulations alone: only what was judged depends on the samples.
    samples = run.spec.judge.samples if run.spec.judge and summary.judged else None
    await tx.execute(
        COUNT_RUN,
        (
            pack_id(run.id),
            pack_id(run.spec.target_version_id),
            pack_id(run.dataset_id),
            bytes.fromhex(revision.content_hash),
            samples,
            summary.passed,
            summary.failed,
            summary.errors,
            pack_time(finished_at),
            pack_time(run.spec.outcomes_at or finished_at),
        ),
    )


async def latest(rx: Connection, version_id: str, dataset_id: str) -> GateRun | None:
    """The latest complete run of a target's version on a dataset, whatever the dataset was then.

    The latest by when it came to its end; a retry or a regrade counts as of the run that it goes back to.
    """
    return await _one(rx, LATEST + NEWEST, (pack_id(version_id), pack_id(dataset_id), rx.workspace))


async def latest_present(rx: Connection, version_id: str, dataset: Dataset, revision_hash: str) -> GateRun | None:
    """The latest complete run of a target's version on a dataset as it is now.

    Args:
        revision_hash: 64 hex digits, of what a run on the dataset would freeze now.
    """
    place = (pack_id(version_id), pack_id(dataset.id), rx.workspace)
    return await _one(rx, LATEST + PRESENT + NEWEST, (*place, bytes.fromhex(revision_hash), dataset.judge_samples))


async def _one(rx: Connection, query: str, params: Sequence[Param]) -> GateRun | None:
    row = await rx.fetch_one(query, params)
    return None if row is None else _run_of(row)


def _run_of(row: Row) -> GateRun:
    run_id, passed, failed, errors, finished_at, there = row
    return GateRun(
        run_id=unpack_id(run_id),
        passed=passed,
        failed=failed,
        errors=errors,
        finished_at=unpack_time(finished_at),
        deleted=not there,
    )
