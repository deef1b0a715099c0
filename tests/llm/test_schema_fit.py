"""Whether a value fits a schema, in words, and within bounds."""

from typing import Any

import pytest
from pydantic import BaseModel, JsonValue, ValidationError

from aloi.core.errors import StageFailure
from aloi.llm import schema_fit
from aloi.llm.schema_fit import LIGHT, AnySchema, misfit

NAMED: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
ENDLESS: dict[str, Any] = {"type": "string", "pattern": "^(a|aa)+$"}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"n": 1}, None),
        ({"n": "1"}, "$.n: '1' is not of type 'integer'"),
        ({}, "$: 'n' is a required property"),
        (None, "$: None is not of type 'object'"),
        ({"n": 1, "more": "x" * LIGHT}, None),
        ({"m": "x" * LIGHT}, "$: 'n' is a required property"),
    ],
)
async def test_what_does_not_fit(value: JsonValue, words: str | None) -> None:
    assert await misfit(NAMED, value) == words


async def test_a_check_without_end_is_a_failure_of_the_invocation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_fit, "SECONDS", 0.05)
    with pytest.raises(StageFailure, match="takes too long") as caught:
        await misfit(ENDLESS, "a" * 80 + "b")
    assert (caught.value.stage, caught.value.type) == ("invoke", "timeout")


class Holder(BaseModel):
    schema_: AnySchema


@pytest.mark.parametrize("schema", [{"type": 3}, {"$ref": "#/$defs/none"}, {"$ref": "https://example.org/s"}])
def test_a_schema_that_cannot_be_checked_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="schema_"):
        Holder(schema_=schema)
