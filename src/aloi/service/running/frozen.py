"""What a run froze, read back to be worked on."""

from collections.abc import AsyncIterator
from typing import ClassVar, NamedTuple

from aloi.core.dataset import DatasetRevision
from aloi.core.errors import Conflict, StageFailure
from aloi.core.run import Run, TargetVersion
from aloi.core.target import Invocation, Reply, Target, TargetContext
from aloi.runner.plan import PlacedCase
from aloi.service.context import Context
from aloi.service.targets import built, check_unchanged
from aloi.store import revisions, targets

PAGE = 200  # small, for nothing is asked before the first is read


class Frozen(NamedTuple):
    """The run's target version, ready to invoke, and its dataset revision."""

    version: TargetVersion
    target: Target
    revision: DatasetRevision


class Untouched(Target):
    """Stands for the target of a run that only grades: it is never invoked, and need not exist any more."""

    kind: ClassVar[str] = "untouched"

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        """Refuse.

        Raises:
            StageFailure: always (stage `invoke`, type `not_recorded`).
        """
        message = f"the run that is graded anew has no outcome of the case {invocation.case_key!r}; start a new run"
        raise StageFailure("invoke", "not_recorded", message)


async def load(context: Context, run: Run) -> Frozen:
    """What the run froze, checked to be what it was and to be usable.

    Raises:
        Conflict: what the definition names (a module, a file) has changed since, or lived in another process.
        InvalidInput: the target or the judge cannot be used here, for want of a key, say.
        NotPermitted: the target runs code, which the operator does not allow.
    """
    async with context.database.read() as rx:
        version = await targets.version_by_id(rx, run.spec.target_version_id)
        revision = await revisions.get(rx, run.spec.revision_id)
    if run.spec.judge is not None:
        context.models.check(run.spec.judge.model_spec)
    return Frozen(version, Untouched() if run.spec.regrades else live_target(context, version), revision)


def live_target(context: Context, version: TargetVersion) -> Target:
    """The target of a version, ready to invoke and the same as when the version was saved.

    Raises:
        Conflict, InvalidInput, NotPermitted: as `load`.
    """
    name = f"{version.target_name}@{version.number}"
    in_memory = bool(version.definition.get("in_memory"))
    if in_memory and version.id not in context.in_memory:
        raise Conflict(f"{name} is a function in the memory of a process that is gone; start a new run")
    target = built(context, version)
    for model in target.models():
        context.models.check(model)
    if not in_memory:  # a function that is held is what it was, whatever became of its file
        check_unchanged(version, target)
    return target


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
