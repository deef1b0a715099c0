"""What a judge replies: its shape, the schema that it is shown, and how its words are read."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictBool

from aloi.core.chat import ChatReply
from aloi.core.json_values import unfenced
from aloi.core.score import JudgeSample
from aloi.core.spec import JsonObject


class JudgeReply(BaseModel):
    """Base of what a judge is asked for; subclasses put the reasoning first and forbid anything else."""

    model_config = ConfigDict(extra="forbid", frozen=True)


UnitScore = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]
Truth = StrictBool
R = TypeVar("R", bound=JudgeReply)
V = TypeVar("V")


class Grade(JudgeReply):
    """A grade, with the reasoning that leads to it."""

    reasoning: str
    score: UnitScore


def at_threshold(threshold: float) -> Callable[[Grade], JudgeSample]:
    """How a grade becomes a sample: it passes iff its score >= threshold."""

    def sample(reply: Grade) -> JudgeSample:
        return JudgeSample(value=reply.score, passed=reply.score >= threshold, reasoning=reply.reasoning)

    return sample


@cache
def schema_of(reply: type[JudgeReply]) -> dict[str, Any]:
    """The JSON schema of a reply, made once per type; not to be changed."""
    return reply.model_json_schema()


def named_schema(reply: type[JudgeReply], names: Mapping[str, Sequence[str]]) -> JsonObject:
    """The schema of a reply whose map fields are spelt out: one required property per name, and no other.

    So a judge with structured output cannot leave one out, repeat one or make one up.

    Args:
        reply: a type with fields of type `dict[str, X]`.
        names: map field -> its names; a field without any name is left out.
    """
    schema = schema_of(reply)
    properties: dict[str, Any] = {}
    for field, shape in schema["properties"].items():
        if field not in names:
            properties[field] = shape
        elif names[field]:
            entries = dict.fromkeys(names[field], shape["additionalProperties"])
            properties[field] = {
                "type": "object",
                "properties": entries,
                "required": list(entries),
                "additionalProperties": False,
            }
    return {**schema, "properties": properties, "required": list(properties)}


def numbered(word: str, count: int) -> list[str]:
    """The names of a map field's entries: `word_1`, `word_2`, ... Any API takes such names, texts of a case not."""
    return [f"{word}_{number}" for number in range(1, count + 1)]


def in_order(field: str, given: Mapping[str, V], names: Sequence[str]) -> list[V]:
    """The entries of a reply's map field in the order of the names.

    Raises:
        ValueError: an entry is missing, or there is one too many.
    """
    faults = [f"{name} is missing" for name in names if name not in given]
    faults += [f"{name!r} is not asked for" for name in sorted(given.keys() - set(names))]
    if faults:
        raise ValueError(f"{field}: {', '.join(faults)}")
    return [given[name] for name in names]


def _said_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands there twice, so the verdict is ambiguous")
    return found


STRICT = json.JSONDecoder(object_pairs_hook=_said_once)


def read_reply(reply: ChatReply, shape: type[R]) -> R:
    """What a judge said, as the shape asked for; it may stand in one fence, with nothing around it.

    Raises:
        ValueError: it refuses, is empty, is not JSON, does not fit the shape, or says a thing twice.
    """
    if reply.refusal:
        raise ValueError(f"the judge refused: {reply.refusal}")
    if not (reply.text and reply.text.strip()):
        raise ValueError("the judge gave no answer")
    text = unfenced(reply.text)
    verdict = shape.model_validate_json(text)
    STRICT.decode(text)
    return verdict
