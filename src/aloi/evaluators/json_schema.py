"""The kind `json_schema`."""

import asyncio
from collections.abc import Awaitable
from typing import ClassVar, cast

from jsonschema.exceptions import ValidationError
from pydantic import ConfigDict, Field, JsonValue, field_validator

from aloi.bounded_schema import TooMuchWork, validator, violations
from aloi.core.evaluator import EvaluationContext, OutputEvaluator
from aloi.core.identity import canonical_json
from aloi.core.json_values import read_json, shortened, text_of
from aloi.core.score import Score, passed_if
from aloi.core.spec import JsonObject

# Characters of output and schema up to which a validation is tried at once for so long; else it runs in a thread, so
# that other cases go on.
LIGHT = 20_000
AT_ONCE_SECONDS = 0.05
TIMEOUT_SECONDS = 5.0
SHOWN = 20
# Keywords that speak of an object as a whole: their own message names the key that is missing or too much.
OF_KEYS = frozenset({"required", "additionalProperties", "unevaluatedProperties", "dependentRequired", "dependencies"})


class JsonSchema(OutputEvaluator):
    """Pass when the output is valid under a JSON Schema.

    The schema's own `$schema` says which draft; 2020-12 otherwise. References stay inside the schema: nothing is
    fetched. `format` is a note and is not checked. A text output is read as JSON; text that is not JSON fails. A
    validation that takes more than 5 seconds is an error.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    kind: ClassVar[str] = "json_schema"
    definition: JsonObject | bool = Field(alias="schema", description="The JSON Schema, as an object.")

    @field_validator("definition")
    @classmethod
    def _is_schema(cls, definition: JsonObject | bool) -> JsonObject | bool:
        validator(canonical_json(definition))
        return definition

    def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score | Awaitable[Score]:
        schema = canonical_json(self.definition)
        if len(text_of(output)) + len(schema) <= LIGHT:
            try:
                return self._validate(output, schema, AT_ONCE_SECONDS)
            except TooMuchWork:
                pass
        return asyncio.to_thread(self._validate, output, schema, TIMEOUT_SECONDS)

    def _validate(self, output: JsonValue, schema: str, seconds: float) -> Score:
        # A part that target_path selected is JSON already, and may be a text.
        if isinstance(output, str) and self.target_path is None:
            try:
                output = read_json(output)
            except ValueError as error:
                return passed_if(False, f"the output is text that is not JSON: {error}; it reads {shortened(output)}")
        errors = violations(schema, output, seconds, SHOWN + 1)
        if not errors:
            return passed_if(True, "the output is valid under the schema")
        shown = sorted(_violation(error, self.target_path or "$") for error in errors[:SHOWN])
        more = "; …" if len(errors) > SHOWN else ""
        return passed_if(False, "; ".join(shown) + more, details=cast(JsonValue, shown))


def _violation(error: ValidationError, root: str) -> str:
    """One violation: `at $.age: "x" does not meet type "integer"`."""
    where = root + error.json_path.removeprefix("$")
    if error.validator in OF_KEYS:
        return f"at {where}: {error.message}"
    rule = f"{error.validator} {shortened(cast(JsonValue, error.validator_value))}"
    return f"at {where}: {shortened(cast(JsonValue, error.instance))} does not meet {rule}"
