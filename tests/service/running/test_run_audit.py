"""Who did what with a run is in the audit log, once, and only what was done."""

from collections import Counter
from typing import Any

import pytest

from aloi.core.errors import AloiError
from aloi.core.score import Verdict
from aloi.service import again, audit, runs
from aloi.service.context import Context
from tests.service.started_runs import Gate, finished, prompts, save, start, until_passed

VERBS = ["run.start", "run.cancel", "run.resume", "run.retry", "run.regrade", "run.delete"]


async def actions(context: Context) -> list[str]:
    """What was done with runs, oldest first."""
    found = await audit.listing(context, 1, 100)
    return [entry.action for entry in reversed(found.items) if entry.object_kind == "run"]


async def test_everything_that_is_done_with_runs(context: Context) -> None:
    target = Gate(2)
    await save(context, prompts(3))
    run = await start(context, target, concurrency=1)
    await until_passed(context, run, 2)
    await runs.cancel(context, run.id)
    target.free = 100
    await finished(context, await runs.resume(context, run.id))
    await finished(context, await again.retry(context, run.id, [Verdict.PASS]))
    regraded = await finished(context, await again.regrade(context, run.id))
    await runs.delete(context, regraded.id)
    assert await actions(context) == [
        f"run.{verb}" for verb in ["start", "cancel", "resume", "retry", "regrade", "delete"]
    ]
    deleted, again_graded, *_ = (await audit.listing(context, 1, 100)).items
    assert (deleted.object_id, deleted.object_name, deleted.actor) == (regraded.id, "data on target@1", "local")
    facts: dict[str, Any] = {"target": "target@1", "dataset": "data", "cases": 3, "parent_id": run.id}
    assert (deleted.before, deleted.after) == (facts, None)
    assert (again_graded.before, again_graded.after) == (None, facts)


async def test_what_was_refused_is_not_there(context: Context) -> None:
    await save(context, prompts(1))
    run = await finished(context, await start(context, Gate(5)))
    for refused in (runs.cancel(context, run.id), runs.resume(context, run.id), again.retry(context, run.id, [])):
        with pytest.raises(AloiError):
            await refused
    assert Counter(await actions(context)) == {"run.start": 1}
