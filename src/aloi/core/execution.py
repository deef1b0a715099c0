"""One real invocation of a target, whoever asked for it."""

from datetime import datetime
from enum import StrEnum
from typing import Literal, NamedTuple

from pydantic import AwareDatetime, Field, JsonValue

from aloi.core.attachment import MOST_FILES, Attachment, WrittenAttachment
from aloi.core.case import CaseStatus
from aloi.core.outcome import Failure, Outcome
from aloi.core.spec import JsonObject, Value
from aloi.core.trace import STEP_SKIPPED, STEP_WAITING, Span
from aloi.core.usage import Usage

# Characters of an input and an output that a list shows.
EXCERPT = 300
# Of a list that is longer, the total says one more than this.
MOST_COUNTED = 10_000
# A text is looked for in so many of the newest executions that the other filters let through.
MOST_SEARCHED = 10_000
MOST_HARVESTED = 200  # executions that become cases at once
MOST_VERSIONS = 2**31  # no target has as many; every database holds the number


class ExecutionSource(StrEnum):
    """Where an invocation came from: a run, a person in the Runner, or production (the API)."""

    RUN = "run"
    RUNNER = "runner"
    PRODUCTION = "production"


class ExecutionStatus(StrEnum):
    """Whether the target answered; or that it is still at it, or waits for people."""

    OK = "ok"
    ERROR = "error"
    RUNNING = "running"
    WAITING = "waiting"


class HumanStep(Value):
    """A step of an execution that waits, or waited, for a person.

    `answer_schema`: what the answer must fit, null for any text. The last three are null until it is answered.
    """

    step: str
    question: str
    answer_schema: JsonObject | None
    asked_at: AwareDatetime
    answer: JsonValue
    answered_by: str | None
    answered_at: AwareDatetime | None


class WaitingStep(HumanStep):
    """A step that waits, with the execution that it holds up."""

    execution_id: str
    target_id: str
    target_name: str
    version: int


class Answer(Value):
    """What a person answers to a step."""

    answer: JsonValue = Field(description="Fits the step's answer schema; any text where there is none.")


class Invoke(Value):
    """What is put to a target. `version`: null for the active one. `source`: who asks, a person or a program."""

    input: str | JsonObject = Field(description="Text, or a JSON object that fits the target's input schema.")
    version: int | None = Field(default=None, ge=1, le=MOST_VERSIONS, description="Default: the active one.")
    attachments: tuple[WrittenAttachment, ...] | None = Field(
        default=None, max_length=MOST_FILES, description="Files that were sent before, by their hashes."
    )
    source: Literal["runner", "production"] = Field(default="production", description="Who asks.")


class ToCase(Value):
    """What an execution becomes a case with. What is not given comes from the execution; a null clears it."""

    dataset_id: str = Field(description="Name or id of the dataset.")
    name: str | None = Field(default=None, description="Default: `Trace` and the first 8 digits of the execution's id.")
    key: str | None = Field(default=None, description="Default: `trace-` and the execution's id.")
    input: str | JsonObject | None = Field(default=None, description="Default: the execution's.")
    attachments: tuple[WrittenAttachment, ...] | None = Field(
        default=None, max_length=MOST_FILES, description="Files, by their hashes. Default: the execution's."
    )
    expected_output: JsonValue = Field(default=None, description="Default, if it is left out: the execution's output.")
    expected_behavior: str | None = Field(default=None, description="What a good answer does, in words.")
    status: CaseStatus | None = Field(default=None, description="A draft is left out of runs; default ready.")


class ToCases(Value):
    """Executions that become draft cases of a dataset."""

    dataset_id: str = Field(description="Name or id of the dataset.")
    execution_ids: tuple[str, ...] = Field(min_length=1, max_length=MOST_HARVESTED, description="Whole ids.")


class Unfit(Value):
    """An execution that cannot become a case, and why."""

    execution_id: str
    reason: str


class Harvested(Value):
    """What became of executions that were to be drafts of a dataset.

    `added` are new cases of it, in place of `present` ones there was a case already. `missing` are ids of no execution.
    """

    dataset_id: str
    dataset_name: str
    added: int
    present: int
    missing: tuple[str, ...] = ()
    unfit: tuple[Unfit, ...] = ()


class ExecutionFilter(NamedTuple):
    """Which executions; null lets all through.

    `since` is included, `until` is not. `text`: it occurs in the input or in the output; case does not count for ASCII;
    it is looked for in the newest 10,000 that the others let through.
    """

    target_id: str | None = None
    source: ExecutionSource | None = None
    status: ExecutionStatus | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""


class ExecutionEntry(Value):
    """An execution in a list. `input` and `output` are texts, cut to their first 300 characters.

    `run_id` and `case_key` are null outside of runs.
    """

    id: str
    target_id: str
    target_name: str
    version: int
    source: ExecutionSource
    run_id: str | None
    case_key: str | None
    created_at: AwareDatetime
    status: ExecutionStatus
    input: str
    output: str | None
    failure: Failure | None
    latency: float
    usage: Usage


class Execution(Value):
    """An execution with its outcome, trace included.

    While it runs or waits for people the outcome has neither an output nor a failure, and the trace that there is.
    `human_steps`: what people were asked, in the order of asking. `attachments`: the files that went with the input;
    their contents may be deleted since.
    """

    id: str
    target_id: str
    target_name: str
    target_kind: str
    version: int
    source: ExecutionSource
    run_id: str | None
    case_key: str | None
    created_at: AwareDatetime
    status: ExecutionStatus
    input: str | JsonObject
    attachments: tuple[Attachment, ...] = ()
    outcome: Outcome
    human_steps: tuple[HumanStep, ...] = ()

    @property
    def output(self) -> JsonValue:
        """What the target answered; null when it failed."""
        return self.outcome.output


class SpanEnded(Value):
    """A span that just ended, without its contents: what a live view shows of an execution that goes on.

    `skipped`: it is a step that was left out. `waiting`: it is a step that waits for a person.
    """

    span_id: str
    parent_id: str | None
    name: str
    operation: JsonValue
    start_ns: int
    end_ns: int
    error: str | None
    skipped: bool = False
    waiting: bool = False


def span_ended(span: Span) -> SpanEnded:
    """The light form of a span."""
    return SpanEnded(
        span_id=span.span_id,
        parent_id=span.parent_id,
        name=span.name,
        operation=span.operation,
        start_ns=span.start_ns,
        end_ns=span.end_ns,
        error=span.error,
        skipped=span.attributes.get(STEP_SKIPPED) is True,
        waiting=span.attributes.get(STEP_WAITING) is True,
    )
