"""Rules that grade the production executions of a target as they arrive."""

import hashlib
from datetime import datetime
from typing import Literal, NamedTuple, Self

from pydantic import AwareDatetime, Field, field_validator, model_validator

from aloi.core.binding import Binding, unique_names
from aloi.core.dataset import MAX_SAMPLES, NAME_LENGTH
from aloi.core.execution import MOST_VERSIONS
from aloi.core.json_values import text_of
from aloi.core.online_result import OnlineBucket
from aloi.core.outcome import Outcome
from aloi.core.spec import JsonObject, Value

MOST_EVALUATORS = 20
MOST_A_DAY = 1_000_000
DEFAULT_A_DAY = 1000
# The first bytes of a hash, as a number, against this one: a share that is fair to 1 in 2**64.
WHOLE = 2**64


class OnlineFilters(Value):
    """Which executions a rule looks at; what is null lets all through. They are looked at before the sample is drawn.

    `text`: it occurs in the input or in the output; case does not count.
    """

    status: Literal["any", "ok"] = Field(default="any", description="`ok` leaves out executions that failed.")
    text: str | None = Field(default=None, min_length=1, max_length=200, description="A text in the input or output.")
    version: int | None = Field(default=None, ge=1, le=MOST_VERSIONS, description="Only this version of the target.")
    min_seconds: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Only those that took at least so many seconds."
    )


class Finished(NamedTuple):
    """An execution of production that is over. `may_change`: spans may still come that change what it answered."""

    execution_id: str
    target_id: str
    version_id: str
    created_at: datetime
    input: str | JsonObject
    outcome: Outcome
    may_change: bool = False


class OnlineRuleGiven(Value):
    """A rule as somebody writes it.

    `share` of the executions that pass the filters is graded, by the `evaluators`; a judge is asked `judge_samples`
    times. `most_per_day` executions are graded on a day (UTC), and none once `cost_per_day` dollars are spent; null for
    no such limit. `drafts_dataset_id`: the dataset to which failing executions go as draft cases; null for none.
    """

    name: str = Field(min_length=1, max_length=NAME_LENGTH, description="Unique among the rules of the target.")
    enabled: bool = Field(default=True, description="False grades nothing.")
    share: float = Field(default=1.0, gt=0, le=1, allow_inf_nan=False, description="1 grades all, 0.1 every tenth.")
    filters: OnlineFilters = OnlineFilters()
    evaluators: tuple[Binding, ...] = Field(min_length=1, max_length=MOST_EVALUATORS)
    judge_samples: int = Field(default=1, ge=1, le=MAX_SAMPLES, description="How often each judge call is made.")
    most_per_day: int = Field(
        default=DEFAULT_A_DAY, ge=1, le=MOST_A_DAY, description="Executions graded on a day (UTC)."
    )
    cost_per_day: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="US dollars for judges on a day (UTC)."
    )
    drafts_dataset_id: str | None = Field(default=None, description="Name or id of the dataset for failing executions.")

    @field_validator("evaluators")
    @classmethod
    def _named_once(cls, evaluators: tuple[Binding, ...]) -> tuple[Binding, ...]:
        return unique_names(evaluators)

    @model_validator(mode="after")
    def _decides(self) -> Self:
        if not any(binding.weight > 0 for binding in self.evaluators):
            raise ValueError("none of its evaluators has a weight above 0, so nothing would pass or fail; give one")
        return self


class BudgetUse(Value):
    """What a rule did on the present day (UTC): executions graded, those left out for the budget, dollars spent.

    `cost` is null where no call had a known price.
    """

    graded: int = 0
    skipped: int = 0
    cost: float | None = None


class OnlineRule(OnlineRuleGiven):
    """A rule as it is kept; the names and specs of saved evaluators are as they are now.

    `recent`: the last 24 hours. `today`: what is used of the budget. `waiting`: executions that wait to be graded.
    """

    id: str
    target_id: str
    created_at: AwareDatetime
    updated_at: AwareDatetime
    drafts_dataset_name: str | None = None
    recent: OnlineBucket | None = None
    today: BudgetUse = BudgetUse()
    waiting: int = 0

    def edited(self) -> "OnlineRule":
        """What an ETag of it covers: what people write, not what came of it."""
        # A saved evaluator counts by its id: a change of that one is no change of the rule.
        evaluators = tuple(
            binding if binding.evaluator_id is None else binding.model_copy(update={"name": "", "spec": {}})
            for binding in self.evaluators
        )
        return self.model_copy(
            update={
                "evaluators": evaluators,
                "drafts_dataset_name": None,
                "recent": None,
                "today": BudgetUse(),
                "waiting": 0,
            }
        )


def passes(filters: OnlineFilters, version_id: str | None, execution: Finished) -> bool:
    """Whether an execution is one that a rule looks at.

    Args:
        version_id: that of the version that the filters name; null where there is none of that number.
    """
    outcome = execution.outcome
    if filters.status == "ok" and outcome.failure is not None:
        return False
    if filters.version is not None and execution.version_id != version_id:
        return False
    if filters.min_seconds is not None and outcome.latency < filters.min_seconds:
        return False
    return filters.text is None or _occurs(filters.text.casefold(), execution)


def _occurs(text: str, execution: Finished) -> bool:
    return any(text in text_of(value).casefold() for value in (execution.input, execution.outcome.output))


def is_sampled(rule_id: str, execution_id: str, share: float) -> bool:
    """Whether an execution is in the sample of a rule: the same answer wherever and whenever it is asked.

    The hash of both ids, so that two rules draw apart, and a larger share holds all that a smaller one does.
    """
    digest = hashlib.sha256(f"{rule_id} {execution_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * WHOLE
