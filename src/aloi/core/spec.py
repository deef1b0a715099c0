"""What every kind is: a frozen model whose fields are its stored spec, its API schema and its form."""

import inspect
from typing import Any, ClassVar, TypeVar, cast

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, JsonValue, ValidationError
from pydantic_core import CoreSchema, PydanticKnownError
from pydantic_core.core_schema import no_info_before_validator_function

from aloi.core.errors import InvalidInput

JsonObject = dict[str, JsonValue]
M = TypeVar("M", bound=BaseModel)


def _whole(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticKnownError("int_type")
    return value


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticKnownError("float_type")
    return value


# What refuses true and false, by pydantic's name of the number that is meant.
NUMBERS = {"int": _whole, "float": _number}


def _no_booleans(part: Any, of: type[BaseModel]) -> Any:
    """A part of a model's pydantic core schema in which true and false are no numbers; else they are read as 1 and 0.

    Values that stand in its fields have seen to themselves.
    """
    if isinstance(part, list):
        return [_no_booleans(one, of) for one in cast(list[Any], part)]
    if isinstance(part, tuple):  # one of a union, with its name
        return tuple(_no_booleans(one, of) for one in cast(tuple[Any, ...], part))
    if not isinstance(part, dict):
        return part
    given = cast(dict[str, Any], part)
    type_ = given.get("type")
    if not isinstance(type_, str):  # fields by their names
        return {name: _no_booleans(field, of) for name, field in given.items()}
    if type_ in NUMBERS:
        return no_info_before_validator_function(NUMBERS[type_], cast(CoreSchema, given))
    if type_ == "model" and given["cls"] is not of and issubclass(given["cls"], Value):
        return given
    return {key: value if key in ("default", "metadata") else _no_booleans(value, of) for key, value in given.items()}


class Value(BaseModel):
    """Base of all values of the domain: immutable, no unknown fields, and no booleans where a number is meant."""

    # What is answered has every key, always: see `json_schema_serialization_defaults_required`.
    model_config = ConfigDict(
        frozen=True, extra="forbid", defer_build=True, json_schema_serialization_defaults_required=True
    )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        """See `_no_booleans`; the schema of a model that was built before is used again as it is."""
        schema = handler(source)
        return schema if cls.__pydantic_complete__ else _no_booleans(schema, cls)


class Spec(Value):
    """Base of all kinds. A subclass sets `kind`, has fields, a docstring for people, and one method of its base."""

    kind: ClassVar[str]

    def to_spec(self) -> JsonObject:
        """The stored form: `{"kind": ..., field: value, ...}` with the fields that were set."""
        return {"kind": self.kind, **self.model_dump(mode="json", exclude_unset=True)}

    @classmethod
    def describe(cls) -> JsonObject:
        """`{"kind", "title", "doc", "schema"}`: what a form, a command line or a reader needs to know of this kind."""
        doc = inspect.getdoc(cls) or ""
        return {"kind": cls.kind, "title": doc.split("\n", 1)[0], "doc": doc, "schema": cls.model_json_schema()}


def valid(model: type[M], given: object, what: str) -> M:
    """The model of fields that somebody wrote.

    Args:
        what: what they are, for the message.

    Raises:
        InvalidInput: they do not fit; the message names each field.
    """
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise spec_error(what, error) from error
    except (
        RecursionError
    ) as error:  # what a kind reads of its own, such as a pattern, may be nested as deep as it likes
        raise InvalidInput(f"{what} does not fit: it is nested too deeply; write it flatter") from error


def spec_error(what: str, error: ValidationError) -> InvalidInput:
    """One readable error for a spec that does not fit: every field with its reason."""
    return InvalidInput(f"{what} does not fit: {faults_text(error)}")


def faults_text(error: ValidationError) -> str:
    """Every field that does not fit with its reason: `tags.0: Input should be a valid string; key: ...`."""
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'it'}: {fault_text(e)}" for e in error.errors())


LONGEST_REPEATED = 100
"""How many characters of a key or a tag an error repeats."""

# Our words for what pydantic says of a key that is not known, and of a value that is one of several kinds.
OUR_WORDS = {
    "extra_forbidden": "{name} is not known here: remove it",
    "union_tag_not_found": "lacks its {discriminator}",
    "union_tag_invalid": "its {discriminator} must be one of {expected_tags}, not '{tag}'",
}


def fault_text(error: Any) -> str:
    """The words of one pydantic error, without its prefix for errors that we raised ourselves."""
    words = OUR_WORDS.get(error.get("type"))
    if words is None:
        return str(error["msg"]).removeprefix("Value error, ")
    told = {"name": (error["loc"] or ("it",))[-1], **error.get("ctx", {})}
    return words.format(**{part: _brief(str(value)) for part, value in told.items()})


def _brief(text: str) -> str:
    """What somebody wrote, as an error repeats it: a key or a tag may be as long as a file."""
    return text if len(text) <= LONGEST_REPEATED else f"{text[:LONGEST_REPEATED]}…"
