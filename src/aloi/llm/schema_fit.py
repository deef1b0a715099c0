"""Whether a value fits a JSON schema that the author of a definition wrote."""

import asyncio
from typing import Annotated

from pydantic import AfterValidator, JsonValue

from aloi.bounded_schema import validator, violations
from aloi.core.errors import StageFailure
from aloi.core.identity import canonical_json
from aloi.core.spec import JsonObject

# A check of so small a schema and value (in characters) is done at once; else in a thread, so that others go on.
LIGHT = 20_000
AT_ONCE_SECONDS = 0.05
SECONDS = 5.0
FAULTS_TOLD = 5


def _checkable(schema: JsonObject) -> JsonObject:
    validator(canonical_json(schema))
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
    found = violations(schema, value, seconds, FAULTS_TOLD)
    return "; ".join(f"{fault.json_path}: {fault.message}" for fault in found) or None
