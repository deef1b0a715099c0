"""What a run freezes when it starts: the cases and how they are graded, the judge, the limits."""

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from aloi.core.binding import Binding, unique_names
from aloi.core.case import Case
from aloi.core.dataset import Dataset, DatasetRevision
from aloi.core.errors import InvalidInput
from aloi.core.evaluator import bound
from aloi.core.run import JudgeSpec, Run, RunRequest, RunSpec, TargetVersion
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.evaluators import NAMED, Preflight, evaluator_builder
from aloi.service.judges import judge_model
from aloi.store import revisions, runs
from aloi.store.connection import Connection


class Filled(NamedTuple):
    """A dataset with its cases in order, which are read, or even stored, as they are taken."""

    dataset: Dataset
    cases: AsyncIterator[Case]


class Wanted:
    """The cases that a run was asked for, by key or id. `keys` are those that were seen, `missing` names the others."""

    def __init__(self, names: Sequence[str]) -> None:
        self.missing = dict.fromkeys(names)
        self.keys: list[str] = []

    def take(self, case: Case) -> bool:
        """Whether a case was asked for."""
        name = case.key if case.key in self.missing else case.id
        if name not in self.missing:
            return False
        del self.missing[name]
        self.keys.append(case.key)
        return True


async def insert_run(
    context: Context,
    tx: Connection,
    request: RunRequest,
    filled: Filled,
    version: TargetVersion,
    skipped: tuple[str, ...],
    regraded: str | None = None,
) -> tuple[Run, DatasetRevision]:
    """Look at every case, freeze the revision, and store the pending run; `regraded` is the run it grades anew."""
    dataset = filled.dataset
    bindings = dataset.bindings if request.evaluators is None else unique_names(request.evaluators)
    preflight = _preflight(context, bindings)
    wanted = None if request.case_keys is None else Wanted(request.case_keys)
    seen = _looked_at(filled.cases, preflight, wanted)
    revision = await revisions.freeze(tx, dataset, bindings, seen, new_id, now())
    if wanted is not None and wanted.missing:
        raise InvalidInput(
            f"dataset {dataset.name!r} has not all of the cases asked for, or they are not enabled and ready: "
            f"{', '.join(list(wanted.missing)[:NAMED])}; see `aloi datasets export`"
        )
    judge = _judge(context, request, dataset, preflight)
    run = Run(
        id=new_id(),
        spec=RunSpec(
            target_version_id=version.id,
            revision_id=revision.id,
            judge=judge,
            judge_prompts=preflight.prompts,
            limits=request.limits,
            case_keys=None if wanted is None else tuple(wanted.keys),
            parent_id=regraded,
            regrades=regraded is not None,
            complete=request.case_keys is None and request.evaluators is None,
            tags=request.tags,
        ),
        target_name=version.target_name,
        target_version=version.number,
        dataset_id=dataset.id,
        dataset_name=dataset.name,
        total=preflight.cases * request.limits.trials,
        skipped=skipped,
        started_by=context.principal.name,
        served=context.served,
        created_at=now(),
    )
    await runs.insert(tx, run)
    return run, revision


def _preflight(context: Context, bindings: Sequence[Binding]) -> Preflight:
    build = evaluator_builder(context.settings.allow_code)
    return Preflight(bound(bindings, build), build)


async def _looked_at(every: AsyncIterator[Case], preflight: Preflight, wanted: Wanted | None) -> AsyncIterator[Case]:
    """The cases as they come, each that will run looked at."""
    async for case in every:
        if case.runs and (wanted is None or wanted.take(case)):
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
