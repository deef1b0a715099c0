"""One test case, and what of it is frozen."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, JsonValue, field_validator, model_validator

from aloi.core.binding import Binding, unique_names
from aloi.core.identity import content_hash
from aloi.core.json_values import text_of
from aloi.core.spec import JsonObject, Value

KEY_LENGTH = 200
# What a run grades, and so what a revision's hash covers; name, description and tags are not in it.
CONTENT = ("key", "input", "expected_output", "expected_behavior", "assertions", "evaluators", "criteria")


class CaseStatus(StrEnum):
    """Only enabled, ready cases run."""

    DRAFT = "draft"
    READY = "ready"


class CaseSource(Value):
    """Where a case came from; `execution_id` when it grew from an execution."""

    kind: Literal["manual", "import", "execution", "generated"] = "manual"
    execution_id: str | None = None


class Case(Value):
    """One test case. `prompt` may be written for an `input` that is text; a missing `key` is made from the input."""

    id: str = Field(default="", description="UUIDv7, given when it is stored.")
    key: str = Field(default="", max_length=KEY_LENGTH, description="Stable external id, unique in its dataset.")
    name: str = ""
    input: str | JsonObject = Field(description="Text, or a JSON object that fits the target's input schema.")
    expected_output: JsonValue = Field(default=None, description="Any JSON, or null for none.")
    expected_behavior: str | None = Field(default=None, description="What a good answer does, in words, for a judge.")
    assertions: tuple[str, ...] = Field(default=(), description="Statements that must each hold, for a judge.")
    evaluators: tuple[Binding, ...] = Field(default=(), description="Evaluators for this case alone.")
    criteria: dict[str, JsonObject] = Field(
        default_factory=dict, description="Per bound evaluator: values that replace its own for this case."
    )
    tags: tuple[str, ...] = ()
    enabled: bool = True
    status: CaseStatus = CaseStatus.READY
    source: CaseSource = CaseSource()

    @model_validator(mode="before")
    @classmethod
    def _prompt_and_key(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        fields: dict[str, Any] = {**given}
        if "prompt" in fields:
            if "input" in fields:
                raise ValueError("a case has either a prompt or an input, not both")
            fields["input"] = fields.pop("prompt")
        if fields.get("input") is None:
            raise ValueError("a case needs a prompt (text) or an input (text or a JSON object)")
        if not fields.get("key"):
            fields["key"] = "auto-" + content_hash(fields["input"])[:12]
        return fields

    @field_validator("assertions")
    @classmethod
    def _said(cls, assertions: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(text for text in assertions if text.strip())

    @field_validator("evaluators")
    @classmethod
    def _named_once(cls, evaluators: tuple[Binding, ...]) -> tuple[Binding, ...]:
        return unique_names(evaluators)

    def content(self) -> JsonObject:
        """What is graded, as JSON: the fields that decide whether two cases are the same."""
        return self.model_dump(mode="json", include=set(CONTENT))

    @property
    def runs(self) -> bool:
        """Whether a run includes it."""
        return self.enabled and self.status is CaseStatus.READY

    @property
    def input_text(self) -> str:
        """The input as a person would read it: text as it is, an object as JSON with non-ASCII kept."""
        return text_of(self.input)
