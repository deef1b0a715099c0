"""What people do with runs, in the audit log."""

from typing import Literal

from aloi.core.run import Run
from aloi.core.spec import JsonObject
from aloi.service.audit import record
from aloi.service.context import Context
from aloi.store.connection import Connection

Verb = Literal["start", "cancel", "resume", "retry", "regrade", "delete"]


async def record_run(context: Context, tx: Connection, verb: Verb, run: Run) -> None:
    """Write down what is done with a run, in the transaction that does it."""
    facts: JsonObject = {"target": run.target, "dataset": run.dataset_name, "cases": run.total}
    if run.spec.parent_id is not None:
        facts["parent_id"] = run.spec.parent_id
    gone = verb == "delete"
    await record(
        context,
        tx,
        action=f"run.{verb}",
        kind="run",
        id=run.id,
        name=f"{run.dataset_name} on {run.target}",
        before=facts if gone else None,
        after=None if gone else facts,
    )
