"""What a run froze, read back to be worked on."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from aloi.core.dataset import DatasetRevision
from aloi.core.errors import Conflict
from aloi.core.run import Run, TargetVersion
from aloi.core.target import Target
from aloi.runner.plan import PlacedCase
from aloi.service.context import Context
from aloi.service.targets import built
from aloi.store import revisions, targets

PAGE = 500


@dataclass(frozen=True)
class Frozen:
    """The run's target version, ready to invoke, and its dataset revision."""

    version: TargetVersion
    target: Target
    revision: DatasetRevision


async def load(context: Context, run: Run) -> Frozen:
    """What the run froze, checked to be what it was.

    Raises:
        Conflict: what the definition names (a module, a file) has changed since, or lived in another process.
    """
    async with context.database.read() as rx:
        version = await targets.version_by_id(rx, run.spec.target_version_id)
        revision = await revisions.get(rx, run.spec.revision_id)
    if version.definition.get("in_memory") and version.id not in context.in_memory:
        raise Conflict(
            f"run {run.id} evaluates {version.target_name}, a function in the memory of a process that is gone; "
            "start a new run"
        )
    target = built(context, version)
    now_is = target.fingerprint()
    if now_is != version.fingerprint:
        changed = sorted(
            key for key in {*now_is, *version.fingerprint} if now_is.get(key) != version.fingerprint.get(key)
        )
        raise Conflict(
            f"run {run.id} started with another {run.target}: {', '.join(changed)} changed since "
            f"({version.fingerprint} is now {now_is}); start a new run"
        )
    return Frozen(version, target, revision)


async def placed_cases(context: Context, revision_id: str, keys: tuple[str, ...] | None) -> AsyncIterator[PlacedCase]:
    """The cases of a revision in order, or those of the keys, a page of them in memory."""
    wanted = None if keys is None else set(keys)
    position = -1
    while True:
        async with context.database.read() as rx:
            page = await revisions.cases(rx, revision_id, position, PAGE)
        if not page:
            return
        for position, case in page:
            if wanted is None or case.key in wanted:
                yield PlacedCase(position, case)
