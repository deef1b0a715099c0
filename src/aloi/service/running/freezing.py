"""What a run freezes when it starts: the cases, what simulates and what grades them, the judge, the limits."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import NamedTuple

from aloi.core.binding import unique_names
from aloi.core.case import Case
from aloi.core.dataset import Dataset, DatasetRevision
from aloi.core.errors import InvalidInput
from aloi.core.evaluator import bound
from aloi.core.run import GradedBy, JudgeSpec, Run, RunRequest, RunSpec, TargetVersion
from aloi.core.target import Target
from aloi.service.attaching import AttachmentCheck
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.evaluators import NAMED, Preflight, evaluator_builder
from aloi.service.judges import judge_model
from aloi.service.running.simulating import SimulationCheck
from aloi.service.served_tools.serving import served_address
from aloi.store import evaluator_versions, revisions, runs
from aloi.store.connection import Connection
from aloi.store.narrowing import whole


class Filled(NamedTuple):
    """A dataset with its cases in order, in batches by their ids, which are read, or even stored, as they are taken."""

    dataset: Dataset
    batches: AsyncIterator[Mapping[str, Case]]


class Wanted:
    """The cases that a run was asked for, by key or id. `keys` are those that were seen, `missing` names the others."""

    def __init__(self, names: Sequence[str]) -> None:
        self.missing = dict.fromkeys(names)
        self.keys: list[str] = []

    def take(self, case_id: str, key: str) -> bool:
        """Whether a case was asked for."""
        name = key if key in self.missing else case_id
        if name not in self.missing:
            return False
        del self.missing[name]
        self.keys.append(key)
        return True


class Looks(NamedTuple):
    """What looks at every case that will run: whether it can be graded, whether what must be is simulated, and whether
    its files reach the target.

    `simulated` and `taken` are null where nothing is invoked, `wanted` where all cases run.
    """

    graded: Preflight
    simulated: SimulationCheck | None
    taken: AttachmentCheck | None
    wanted: Wanted | None

    async def over(self, batches: AsyncIterator[Mapping[str, Case]]) -> AsyncIterator[Mapping[str, Case]]:
        """The cases as they come, each that will run looked at."""
        async for batch in batches:
            for case_id, case in batch.items():
                if case.runs and (self.wanted is None or self.wanted.take(case_id, case.key)):
                    self._look_at(case)
            yield batch

    def _look_at(self, case: Case) -> None:
        self.graded.look_at(case)
        if self.simulated is not None:
            self.simulated.look_at(case)
        if self.taken is not None:
            self.taken.look_at(case)

    @property
    def prompts(self) -> dict[str, str]:
        """The hashes of all prompts that the judge's model will be given."""
        return {**self.graded.prompts, **(self.simulated.prompts if self.simulated else {})}


async def insert_run(
    context: Context,
    tx: Connection,
    request: RunRequest,
    filled: Filled,
    version: TargetVersion,
    target: Target,
    regraded: Run | None = None,
    schedule_id: str | None = None,
) -> tuple[Run, DatasetRevision]:
    """Look at every case, freeze the revision, and store the pending run.

    Args:
        target: that of the version.
        regraded: the run whose outcomes this one grades anew: nothing is invoked, and the target is not looked at.
        schedule_id: the schedule that starts it, where one does.

    Raises:
        InvalidInput: something keeps the run from starting; see `_refuse_observed` and `_judge`.
    """
    if regraded is None:
        _refuse_observed(version, target)
    dataset = _as_asked(filled.dataset, request)
    looks = _looks(context, request, dataset, None if regraded else target)
    revision = await revisions.freeze(tx, dataset, dataset.bindings, looks.over(filled.batches), new_id, now())
    judge = _judge(context, request, dataset, looks)
    run = Run(
        id=new_id(),
        spec=_spec(request, revision, judge, looks, regraded).model_copy(
            update={
                "schedule_id": schedule_id,
                "saved_evaluators": await _saved(tx, request, dataset),
            }
        ),
        target_name=version.target_name,
        target_version=version.number,
        dataset_id=dataset.id,
        dataset_name=dataset.name,
        total=looks.graded.cases * request.limits.trials,
        skipped=regraded.skipped if regraded else target.skipped(),
        started_by=context.principal.name,
        served=context.served,
        created_at=now(),
    )
    await runs.insert(tx, run)
    return run, revision


async def _saved(tx: Connection, request: RunRequest, dataset: Dataset) -> tuple[GradedBy, ...]:
    """The versions of saved evaluators that grade: of the dataset's own also those that the caller does not see."""
    return await evaluator_versions.graded_by(whole(tx) if request.evaluators is None else tx, dataset.bindings)


def _refuse_observed(version: TargetVersion, target: Target) -> None:
    """Refuse a run over a target that cannot be invoked."""
    if target.observed_only:
        raise InvalidInput(
            f"{version.target_name!r} runs elsewhere and is only observed by its traces, so no run can invoke it; "
            "grade its executions by online rules, or make a target of kind `http` or `openai` with its address"
        )


def _spec(
    request: RunRequest, revision: DatasetRevision, judge: JudgeSpec | None, looks: Looks, regraded: Run | None
) -> RunSpec:
    """The parameters of the run, but for what starts it and which versions of saved evaluators grade it."""
    return RunSpec(
        target_version_id=request.target_version_id,
        revision_id=revision.id,
        judge=judge,
        judge_prompts=looks.prompts,
        limits=request.limits,
        case_keys=None if looks.wanted is None else tuple(looks.wanted.keys),
        allow_side_effects=request.allow_side_effects,
        parent_id=regraded.id if regraded else None,
        regrades=regraded is not None,
        complete=_is_complete(request, regraded),
        outcomes_at=regraded and (regraded.spec.outcomes_at or regraded.finished_at),
        tags=request.tags,
    )


def _is_complete(request: RunRequest, regraded: Run | None) -> bool:
    """Whether a run covers everything as the dataset says. Outcomes of which some were chosen by their verdicts, as a
    retry of failures does, never do, however they are graded; those of a run by itself are as they came."""
    chosen = regraded is not None and regraded.spec.parent_id is not None and not regraded.spec.complete
    as_it_says = request.case_keys is None and request.evaluators is None and request.simulations is None
    return as_it_says and not chosen


def _as_asked(dataset: Dataset, request: RunRequest) -> Dataset:
    """The dataset with the evaluators and the simulations that were asked for in the place of its own."""
    bindings = dataset.bindings if request.evaluators is None else unique_names(request.evaluators)
    simulations = dataset.simulations if request.simulations is None else request.simulations
    return dataset.model_copy(update={"bindings": bindings, "simulations": simulations})


def _looks(context: Context, request: RunRequest, dataset: Dataset, target: Target | None) -> Looks:
    build = evaluator_builder(context.settings.allow_code)
    return Looks(
        graded=Preflight(bound(dataset.bindings, build), build),
        simulated=target and SimulationCheck(target, dataset.simulations, request.allow_side_effects),
        taken=target and AttachmentCheck(target),
        wanted=None if request.case_keys is None else Wanted(request.case_keys),
    )


def _judge(context: Context, request: RunRequest, dataset: Dataset, looks: Looks) -> JudgeSpec | None:
    """The judge as the run freezes it, with the dataset's samples; null when it is asked nothing.

    Raises:
        InvalidInput: something keeps the run from starting; see `Wanted`, `AttachmentCheck`, `Preflight` and
            `SimulationCheck`.
    """
    if looks.wanted is not None and looks.wanted.missing:
        raise InvalidInput(
            f"dataset {dataset.name!r} has not all of the cases asked for, or they are not enabled and ready: "
            f"{', '.join(list(looks.wanted.missing)[:NAMED])}; see `aloi datasets export`"
        )
    if looks.taken is not None:
        looks.taken.conclude()
    model = judge_model(request.judge, context.settings)
    looks.graded.conclude(has_judge=model is not None)
    if looks.simulated is not None:
        looks.simulated.conclude(has_model=model is not None)
        if looks.simulated.serves:
            served_address(context, looks.simulated.target)
    generates = looks.simulated is not None and looks.simulated.generates
    if model is None or not (looks.graded.judged or generates):
        return None
    context.models.check(model)
    return JudgeSpec.model_validate({**dict(model), "samples": dataset.judge_samples})
