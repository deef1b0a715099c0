"""Whether a value fits a JSON schema that the author of a definition wrote."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Protocol, cast

from pydantic import AfterValidator, JsonValue

from aloi.core.errors import StageFailure
from aloi.core.identity import canonical_json
from aloi.core.loading import module
from aloi.core.spec import JsonObject

# A check of so small a schema and value (in characters) is done at once; else in a thread, so that others go on.
LIGHT = 20_000
AT_ONCE_SECONDS = 0.05
SECONDS = 5.0
FAULTS_TOLD = 5


class _Violation(Protocol):
    @property
    def json_path(self) -> str: ...
    @property
    def message(self) -> str: ...


class _Bounded(Protocol):
    def validator(self, schema: str) -> object: ...
    def violations(self, schema: str, value: JsonValue, seconds: float, most: int) -> Sequence[_Violation]: ...


def _bounded() -> _Bounded:
    """What checks schemas. It is heavy, and most runs check none."""
    return cast(_Bounded, module("aloi.bounded_schema"))


def _checkable(schema: JsonObject) -> JsonObject:
    _bounded().validator(canonical_json(schema))
    return schema


AnySchema = Annotated[JsonObject, AfterValidator(_checkable)]
"""A field that holds a JSON schema; one that cannot be checked is refused when the kind is built."""


async def misfit(schema: JsonObject, value: JsonValue) -> str | None:
    """What of a value does not fit a schema, in words; null when all of it does.

    Raises:
        StageFailure: the check takes longer than 5 s, or never ends (stage `invoke`, type `timeout` or `recursion`).
        ValueError: the schema cannot be checked.
    """
    text = canonical_json(schema)
    if len(text) + len(str(value)) <= LIGHT:
        try:
            return _faults(text, value, AT_ONCE_SECONDS)
        except StageFailure:
            pass
    try:
        return await asyncio.to_thread(_faults, text, value, SECONDS)
    except StageFailure as failure:
        raise StageFailure("invoke", failure.type, failure.message) from failure


async def told_misfit(schema: JsonObject | None, value: JsonValue) -> str | None:
    """As `misfit`, for what may be wrong and is only told: also why it cannot be checked. Null without a schema."""
    if schema is None:
        return None
    try:
        return await misfit(schema, value)
    except (StageFailure, ValueError) as error:
        return str(error)


def _faults(schema: str, value: JsonValue, seconds: float) -> str | None:
    found = _bounded().violations(schema, value, seconds, FAULTS_TOLD)
    return "; ".join(f"{fault.json_path}: {fault.message}" for fault in found) or None
