"""How a run stands in its table."""

from pydantic_core import from_json

from aloi.core.run import Run, RunSpec, RunStatus
from aloi.core.summary import Summary
from aloi.store.codec import json_of, pack_id, pack_time, pack_time_or_none, unpack_id, unpack_time, unpack_time_or_none
from aloi.store.connection import Connection, Params, Row

RUNS = """
SELECT id, spec, target_name, target_version, dataset_id, dataset_name, status, reason, total, skipped, summary,
  started_by, served, created_at, started_at, finished_at, lease_owner FROM runs"""
INSERT = """
INSERT INTO runs (id, spec, target_name, target_version, dataset_id, dataset_name, status, reason, total, skipped,
  summary, started_by, served, created_at, started_at, finished_at, target_version_id, revision_id, parent_id,
  schedule_id, workspace_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


def own_run(rx: Connection, run_id: str) -> tuple[bytes, bytes]:
    """What a query of one run takes: its id, and the workspace in which it must be."""
    return pack_id(run_id), rx.workspace


def run_params(tx: Connection, run: Run) -> Params:
    """What `INSERT` takes of a run."""
    return (
        pack_id(run.id),
        json_of(run.spec, "the parameters of the run"),
        run.target_name,
        run.target_version,
        pack_id(run.dataset_id),
        run.dataset_name,
        run.status.value,
        run.reason,
        run.total,
        json_of(run.skipped, "the skipped parts of the run"),
        summary_json(run.summary),
        run.started_by,
        int(run.served),
        pack_time(run.created_at),
        pack_time_or_none(run.started_at),
        pack_time_or_none(run.finished_at),
        pack_id(run.spec.target_version_id),
        pack_id(run.spec.revision_id),
        None if run.spec.parent_id is None else pack_id(run.spec.parent_id),
        None if run.spec.schedule_id is None else pack_id(run.spec.schedule_id),
        tx.workspace,
    )


def summary_json(summary: Summary | None) -> str | None:
    """The JSON of a summary."""
    return None if summary is None else json_of(summary, "the summary of the run")


def run_of(row: Row) -> Run:
    """The run of a row that `RUNS` found."""
    packed, spec, target_name, target_version, dataset_id, dataset_name, status, reason = row[:8]
    total, skipped, summary, started_by, served, created_at, started_at, finished_at, holder = row[8:]
    return Run(
        id=unpack_id(packed),
        spec=RunSpec.model_validate_json(spec),
        target_name=target_name,
        target_version=target_version,
        dataset_id=unpack_id(dataset_id),
        dataset_name=dataset_name,
        status=RunStatus(status),
        holder=holder,
        reason=reason,
        total=total,
        skipped=tuple(from_json(skipped)),
        summary=None if summary is None else Summary.model_validate_json(summary),
        started_by=started_by,
        served=bool(served),
        created_at=unpack_time(created_at),
        started_at=unpack_time_or_none(started_at),
        finished_at=unpack_time_or_none(finished_at),
    )
