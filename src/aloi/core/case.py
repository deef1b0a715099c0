"""One test case, and what of it is frozen."""

from enum import StrEnum
from typing import Any, Literal, TypeVar, cast

from pydantic import Field, JsonValue, field_validator, model_validator

from aloi.core.attachment import Attachment, bounded
from aloi.core.binding import Binding, unique_names
from aloi.core.identity import content_hash
from aloi.core.json_values import is_finite, text_of
from aloi.core.simulation import Simulations, simulations_content
from aloi.core.spec import JsonObject, Value

J = TypeVar("J")

KEY_LENGTH = 200
MADE = "auto-"  # how a key begins that was made from the input
# What a run grades, and so what a revision's hash covers; name, description and tags are not in it.
CONTENT = (
    "key",
    "input",
    "expected_output",
    "expected_behavior",
    "assertions",
    "evaluators",
    "criteria",
    "simulations",
    "attachments",
)


def made_key(given: JsonValue) -> str:
    """The key of a case that was given none, made from its input: equal inputs get the same."""
    return f"{MADE}{content_hash(given)[:12]}"


def _made_key_of_any(given: Any) -> str:
    try:
        return made_key(given)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"the input is not JSON ({error}); give a text or an object of JSON values") from error


class CaseStatus(StrEnum):
    """Only enabled, ready cases run."""

    DRAFT = "draft"
    READY = "ready"


class CaseSource(Value):
    """Where a case came from; `execution_id` when it grew from an execution."""

    kind: Literal["manual", "import", "execution", "generated"] = "manual"
    execution_id: str | None = None


class Case(Value):
    """One test case. `prompt` may be written for an `input` that is text; a missing `key` is made from the input.

    Null for a field clears it: it then has its default.
    """

    id: str = Field(default="", description="UUIDv7, given when it is stored.")
    key: str = Field(default="", max_length=KEY_LENGTH, description="Stable external id, unique in its dataset.")
    name: str = Field(default="", description="A name for people.")
    input: str | JsonObject = Field(description="Text, or a JSON object that fits the target's input schema.")
    expected_output: JsonValue = Field(default=None, description="Any JSON, or null for none.")
    expected_behavior: str | None = Field(default=None, description="What a good answer does, in words, for a judge.")
    assertions: tuple[str, ...] = Field(default=(), description="Statements that must each hold, for a judge.")
    evaluators: tuple[Binding, ...] = Field(default=(), description="Evaluators for this case alone.")
    criteria: dict[str, JsonObject] = Field(
        default_factory=dict, description="Per bound evaluator: values that replace its own for this case."
    )
    simulations: Simulations = Field(
        default_factory=dict, description="Per tool or step: what stands in for it, in place of the dataset's."
    )
    attachments: tuple[Attachment, ...] = Field(
        default=(), description="Files that go to the target with the input; they are in the workspace already."
    )
    tags: tuple[str, ...] = Field(default=(), description="Words to group cases by.")
    enabled: bool = Field(default=True, description="False leaves the case out of runs.")
    status: CaseStatus = Field(default=CaseStatus.READY, description="A draft is left out of runs.")
    source: CaseSource = CaseSource()

    @model_validator(mode="before")
    @classmethod
    def _prompt_and_key(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        fields = cls._cleared(cast(dict[str, Any], given))
        prompt = fields.pop("prompt", None)
        if prompt is not None:
            if fields.get("input") is not None:
                raise ValueError("a case has either a prompt or an input, not both")
            fields["input"] = prompt
        if fields.get("input") is None:
            raise ValueError("a case needs a prompt (text) or an input (text or a JSON object)")
        if not fields.get("key"):
            fields["key"] = _made_key_of_any(fields["input"])
        return fields

    @classmethod
    def _cleared(cls, given: dict[str, Any]) -> dict[str, Any]:
        """What was given, with the field's default in the place of each null."""
        fields = {**given}
        for name in [name for name, value in given.items() if value is None]:
            field = cls.model_fields.get(name)
            if field is not None and not field.is_required():
                fields[name] = field.get_default(call_default_factory=True)
        return fields

    @field_validator("input", "expected_output", "criteria")
    @classmethod
    def _is_json(cls, value: J) -> J:
        if not is_finite(cast(JsonValue, value)):
            raise ValueError("it holds a number that is NaN or infinite, which JSON has not; write null or a text")
        return value

    @field_validator("expected_behavior")
    @classmethod
    def _worded(cls, expected: str | None) -> str | None:
        return expected if expected and expected.strip() else None

    @field_validator("assertions")
    @classmethod
    def _said(cls, assertions: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(text for text in assertions if text.strip())

    @field_validator("evaluators")
    @classmethod
    def _named_once(cls, evaluators: tuple[Binding, ...]) -> tuple[Binding, ...]:
        return unique_names(evaluators)

    @field_validator("attachments")
    @classmethod
    def _files_bounded(cls, attachments: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
        return bounded(attachments)

    def content(self) -> JsonObject:
        """What is graded, as JSON: the fields that decide whether two cases are the same."""
        # What came to cases later is only there where a case has it, so that the hashes of the others stay.
        simulated: JsonObject = {"simulations": simulations_content(self.simulations)} if self.simulations else {}
        attached: JsonObject = {"attachments": [file.content() for file in self.attachments]}
        return {
            "key": self.key,
            "input": self.input,
            "expected_output": self.expected_output,
            "expected_behavior": self.expected_behavior,
            "assertions": list(self.assertions),
            "evaluators": [binding.content() for binding in self.evaluators],
            "criteria": dict(self.criteria),
            **simulated,
            **(attached if self.attachments else {}),
        }

    @property
    def runs(self) -> bool:
        """Whether a run includes it."""
        return self.enabled and self.status is CaseStatus.READY

    @property
    def input_text(self) -> str:
        """The input as a person would read it: text as it is, an object as JSON with non-ASCII kept."""
        return text_of(self.input)
