"""Starting a run over the API: a target by its id, a dataset, and how the run is carried out."""

from collections.abc import AsyncIterator
from typing import Self

from pydantic import Field, model_validator

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.chat import ModelSpec
from aloi.core.dataset import MAX_SAMPLES
from aloi.core.run import JudgeSpec, RunLimits, RunRequest
from aloi.core.score import Verdict
from aloi.core.simulation import Simulations
from aloi.core.spec import Value


class RunStart(RunLimits):
    """What is to be run. The target is named once: by `target_id` (or `agent_id`, the same), or by a version's id."""

    target_id: str | None = Field(default=None, description="The target by its id or its name.")
    agent_id: str | None = Field(default=None, description="Another word for `target_id`.")
    version: int | None = Field(default=None, ge=1, description="Which version of it; default the active one.")
    target_version_id: str | None = Field(default=None, description="A version by its own id.")
    dataset_id: str = Field(description="The dataset by its id or its name.")
    case_ids: tuple[str, ...] | None = Field(
        default=None, min_length=1, description="Only these cases, by id or key; such a run never decides a gate."
    )
    evaluators: tuple[Binding, ...] | None = Field(
        default=None, description="What grades this run in place of the dataset's evaluators; decides no gate."
    )
    simulations: Simulations | None = Field(
        default=None, description="What stands in for tools and steps, in place of the dataset's; decides no gate."
    )
    allow_side_effects: bool = Field(
        default=False, description="Let what changes the world act for real where it is not simulated."
    )
    judge: ModelSpec | None = Field(default=None, description="The grading model; default the operator's.")
    tags: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _one_target(self) -> Self:
        named = [name for name in (self.target_id, self.agent_id, self.target_version_id) if name is not None]
        if len(named) != 1:
            raise ValueError("name the target once: by target_id, by agent_id, or by target_version_id")
        if self.version is not None and self.target_version_id is not None:
            raise ValueError("a version goes with target_id or agent_id; target_version_id names one by itself")
        return self

    @property
    def target(self) -> str | None:
        """The target's id or name; null when a version was named by its id."""
        return self.target_id if self.target_id is not None else self.agent_id

    def request(self, target_version_id: str) -> RunRequest:
        """The same for a version that was looked up."""
        limits = {name: getattr(self, name) for name in RunLimits.model_fields}
        return RunRequest(
            target_version_id=target_version_id,
            dataset=self.dataset_id,
            judge=None if self.judge is None else JudgeSpec.model_validate(dict(self.judge)),
            limits=RunLimits.model_validate(limits),
            case_keys=self.case_ids,
            evaluators=self.evaluators,
            simulations=self.simulations,
            allow_side_effects=self.allow_side_effects,
            tags=self.tags,
        )


class SuiteStart(Value):
    """A run of exactly these cases and evaluators, which the dataset that the request names is made to hold.

    `simulations` become the dataset's too; null leaves those that it has.
    """

    request: RunRequest
    cases: tuple[Case, ...]
    bindings: tuple[Binding, ...] = ()
    judge_samples: int | None = Field(default=None, ge=1, le=MAX_SAMPLES)
    simulations: Simulations | None = None

    async def each(self) -> AsyncIterator[Case]:
        """The cases in order."""
        for case in self.cases:
            yield case


class RetryStart(Value):
    """Which results of a run are done again."""

    verdicts: tuple[Verdict, ...] = Field(
        default=(Verdict.ERROR,), description="`error`, `fail`, or both; cases that were not reached run too."
    )
