"""One evaluation: its parameters, its state, and what it froze."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from aloi.core.binding import Binding
from aloi.core.chat import ModelSpec
from aloi.core.dataset import MAX_SAMPLES
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject, Value
from aloi.core.summary import Summary


class RunStatus(StrEnum):
    """Where a run stands. Only a completed run decides a gate."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def finished(self) -> bool:
        """Whether nobody is, or should be, working on it."""
        return self in (RunStatus.COMPLETED, RunStatus.CANCELLED, RunStatus.FAILED)


class JudgeSpec(ModelSpec):
    """The grading model, and how often each judge call is made."""

    samples: int = Field(
        default=1,
        ge=1,
        le=MAX_SAMPLES,
        description="How often each judge call is made; the majority decides, a tie fails.",
    )


class RunLimits(Value):
    """How a run is carried out. A budget that is reached stops the run as a cancel does, with the reason said."""

    concurrency: int = Field(default=5, ge=1, le=10_000, description="Cases at once.")
    trials: int = Field(default=1, ge=1, le=1000, description="Repetitions of each case.")
    seconds_per_case: float = Field(
        default=300.0, gt=0, allow_inf_nan=False, description="Deadline of one invocation, retries included."
    )
    max_cost: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Budget of the target and the judge together, US dollars."
    )
    max_tokens: int | None = Field(default=None, gt=0, description="The same in tokens.")


class GradedBy(Value):
    """A version of a saved evaluator that grades a run, under the name that it then had."""

    name: str
    evaluator_id: str
    version: int


class RunSpec(Value):
    """The parameters of a run, frozen at its start. `judge` is null when no case is judged.

    `case_keys`: the subset that runs, null for all. `parent_id`: the run that this one retries or regrades.
    `schedule_id`: the schedule that started it; it may be gone.
    `complete`: whether it covers every case of its revision with the dataset's own evaluators and simulations, so that
    it can decide a gate. `judge` also writes the generated answers of simulations. `outcomes_at`: of a retry or a
    regrade, when the run that it goes back to came to its end: a gate counts it as of then.
    `saved_evaluators`: those of its evaluators that are saved, each with its version; what they say is in the revision.
    """

    target_version_id: str
    revision_id: str
    judge: JudgeSpec | None = None
    judge_prompts: dict[str, str] = Field(
        default_factory=dict, description="Kind of judge, or `simulation`, -> hash of its prompt."
    )
    limits: RunLimits = Field(default_factory=RunLimits)
    case_keys: tuple[str, ...] | None = None
    allow_side_effects: bool = Field(default=False, description="Whether what changes the world may act for real.")
    parent_id: str | None = None
    schedule_id: str | None = None
    regrades: bool = Field(default=False, description="Whether it grades its parent's outcomes, invoking nothing.")
    complete: bool = True
    outcomes_at: AwareDatetime | None = None
    tags: tuple[str, ...] = ()
    saved_evaluators: tuple[GradedBy, ...] = ()


class RunRequest(Value):
    """What a caller asks for.

    `case_keys`: a subset by keys or ids, null for all. `evaluators`: those that grade this run in place of the
    dataset's, null for the dataset's own; `simulations` likewise. A run of a subset, or with other evaluators or
    simulations, never decides a gate.
    """

    target_version_id: str
    dataset: str = Field(description="Name or id of the dataset.")
    judge: JudgeSpec | None = None
    limits: RunLimits = Field(default_factory=RunLimits)
    case_keys: tuple[str, ...] | None = None
    evaluators: tuple[Binding, ...] | None = None
    simulations: Simulations | None = None
    allow_side_effects: bool = False
    tags: tuple[str, ...] = ()


class Run(Value):
    """A run with its state.

    `holder`: the process that works on it, null when none does. `reason`: why it stopped or failed. `skipped`: parts of
    the target that a run leaves out. `summary` is set once the run is finished. `started_by`: who started it, as
    `Principal.name`. `served`: a server started it, and takes it up again after a crash.
    """

    id: str
    spec: RunSpec
    target_name: str
    target_version: int
    dataset_id: str
    dataset_name: str
    status: RunStatus = RunStatus.PENDING
    holder: str | None = Field(default=None, exclude=True)
    reason: str | None = None
    total: int = 0
    skipped: tuple[str, ...] = ()
    summary: Summary | None = None
    started_by: str = ""
    served: bool = Field(default=False, exclude=True)
    created_at: AwareDatetime
    started_at: AwareDatetime | None = None
    finished_at: AwareDatetime | None = None

    @property
    def interrupted(self) -> bool:
        """Whether it should be going on and nobody works on it: its process ended. It can be resumed."""
        return self.holder is None and not self.status.finished

    @property
    def target(self) -> str:
        """The target's name with its version: `support-agent@3`."""
        return f"{self.target_name}@{self.target_version}"


class TargetVersion(Value):
    """An immutable, numbered, content-hashed definition of a target. `note`: what is new in it, in words.

    `overridden`: whether an owner once made it the active one against the target's gate.
    """

    id: str
    target_id: str
    target_name: str
    number: int
    kind: str
    definition: JsonObject
    fingerprint: JsonObject = {}
    content_hash: str
    note: str = ""
    created_at: AwareDatetime
    overridden: bool = False


class Progress(Value):
    """How far a run is: results by verdict, of how many in all, and the tokens so far."""

    total: int
    passed: int = 0
    failed: int = 0
    errors: int = 0
    tokens: int = 0
    cost: float | None = None
