"""Recurring runs: when, of what, and what came of each firing."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, Field, field_validator, model_validator

from aloi.core.dataset import NAME_LENGTH
from aloi.core.spec import Value

MOST = {"minutes": 525_600, "hours": 8_760, "days": 3_660, "weeks": 520, "months": 120}
# Within these years every reckoning with dates stays far from the ends of the calendar.
FIRST_YEAR, LAST_YEAR = 1970, 2199
PREVIEWED = 5


class Cron(Value):
    """At the times of a five-field cron expression, read in the schedule's time zone."""

    kind: Literal["cron"] = "cron"
    expression: str = Field(min_length=9, max_length=200, description="Minute, hour, day, month, weekday: 0 7 * * 1-5")


class Every(Value):
    """Every so often, counted from the schedule's start. Days, weeks and months keep its local time of day."""

    kind: Literal["every"] = "every"
    n: int = Field(ge=1, description="How many.")
    unit: Literal["minutes", "hours", "days", "weeks", "months"]

    @model_validator(mode="after")
    def _within_reach(self) -> Self:
        if self.n > MOST[self.unit]:
            raise ValueError(f"at most every {MOST[self.unit]:,} {self.unit}")
        return self


Recurrence = Annotated[Cron | Every, Field(discriminator="kind")]


def _is_within(moment: datetime) -> bool:
    return FIRST_YEAR < moment.year < LAST_YEAR


class Timing(Value):
    """When a schedule fires. `start` is the first moment that counts, `end` the last; null for no end."""

    start: AwareDatetime
    end: AwareDatetime | None = None
    zone: str = Field(default="UTC", description="IANA time zone, e.g. Europe/Paris.")
    recurrence: Recurrence

    @field_validator("start", "end")
    @classmethod
    def _within_years(cls, given: datetime | None) -> datetime | None:
        # By its own clock first: near the ends of the calendar it has no time in UTC, in which it is kept.
        if given is not None and not (_is_within(given) and _is_within(given.astimezone(UTC))):
            raise ValueError(f"its year must lie between {FIRST_YEAR} and {LAST_YEAR}")
        return given

    @model_validator(mode="after")
    def _ends_after_its_start(self) -> Self:
        if self.end is not None and self.end < self.start:
            raise ValueError("it ends before it starts; give an end that is later")
        return self


class ScheduleGiven(Timing):
    """A schedule as somebody writes it."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH)
    target_id: str = Field(description="The target by its id or its name; its active version runs.")
    dataset_id: str = Field(description="The dataset by its id or its name, as it is at each firing.")
    paused: bool = False


class Preview(Value):
    """What a recurrence means: in words, and the next firings (at most five) from now on."""

    words: str
    firings: tuple[AwareDatetime, ...]


class FiringStatus(StrEnum):
    """What came of a firing: a run was started; or none, since the one before went on, or it could not be started."""

    STARTED = "started"
    SKIPPED = "skipped"
    FAILED = "failed"


class Firing(Value):
    """One firing. `due_at`: when it was meant to be; after a downtime one late firing stands for all that were missed.

    `run_id` is null unless a run was started, and when that was deleted; `reason` says why none was started.
    """

    id: str
    schedule_id: str
    due_at: AwareDatetime
    fired_at: AwareDatetime
    status: FiringStatus
    run_id: str | None
    reason: str | None


class Schedule(Timing):
    """A schedule as it is kept. `words`: when it fires, in English. `next_at`: when next; null when paused or over."""

    id: str
    name: str
    target_id: str
    target_name: str
    dataset_id: str
    dataset_name: str
    paused: bool
    words: str
    next_at: AwareDatetime | None
    last: Firing | None
    created_by: str
    created_at: AwareDatetime
    updated_at: AwareDatetime

    def edited(self) -> "Schedule":
        """What an ETag of it covers: what people write, not what came of it."""
        return self.model_copy(
            update={"target_name": "", "dataset_name": "", "words": "", "next_at": None, "last": None}
        )
