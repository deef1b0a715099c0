"""What every kind is: a frozen model whose fields are its stored spec, its API schema and its form."""

import inspect
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from aloi.core.errors import InvalidInput

JsonObject = dict[str, JsonValue]


class Value(BaseModel):
    """Base of all values of the domain: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


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


def spec_error(what: str, error: ValidationError) -> InvalidInput:
    """One readable error for a spec that does not fit: every field with its reason."""
    faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'it'}: {fault_text(e)}" for e in error.errors())
    return InvalidInput(f"{what} does not fit: {faults}")


def fault_text(error: Any) -> str:
    """The words of one pydantic error, without its prefix for errors that we raised ourselves."""
    return str(error["msg"]).removeprefix("Value error, ")
