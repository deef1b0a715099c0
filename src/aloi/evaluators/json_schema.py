"""The kind `json_schema`."""

import asyncio
from collections.abc import Awaitable, Iterable
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from pydantic import ConfigDict, Field, JsonValue, field_validator
from referencing import Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY

from aloi.core.errors import StageFailure
from aloi.core.evaluator import EvaluationContext, OutputEvaluator
from aloi.core.identity import canonical_json
from aloi.core.json_values import read_json, shortened, text_of
from aloi.core.score import Score, passed_if
from aloi.core.spec import JsonObject

# Characters of output and schema up to which a validation takes some milliseconds; longer ones run in a thread.
LIGHT = 20_000
SHOWN = 20
# Keywords that speak of an object as a whole: their own message names the key that is missing or too much.
OF_KEYS = frozenset({"required", "additionalProperties", "unevaluatedProperties", "dependentRequired", "dependencies"})


class JsonSchema(OutputEvaluator):
    """Pass when the output is valid under a JSON Schema.

    The schema's own `$schema` says which draft; 2020-12 otherwise. References stay inside the schema: nothing is
    fetched. `format` is a note and is not checked. A text output is read as JSON; text that is not JSON fails.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    kind: ClassVar[str] = "json_schema"
    definition: JsonObject | bool = Field(alias="schema", description="The JSON Schema, as an object.")

    @field_validator("definition")
    @classmethod
    def _is_schema(cls, definition: JsonObject | bool) -> JsonObject | bool:
        _validator(canonical_json(definition))
        return definition

    def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score | Awaitable[Score]:
        schema = canonical_json(self.definition)
        if len(text_of(output)) + len(schema) > LIGHT:
            return asyncio.to_thread(self._validate, output, schema)
        return self._validate(output, schema)

    def _validate(self, output: JsonValue, schema: str) -> Score:
        # A part that target_path selected is JSON already, and may be a text.
        if isinstance(output, str) and self.target_path is None:
            try:
                output = read_json(output)
            except ValueError as error:
                return passed_if(False, f"the output is text that is not JSON: {error}; it reads {shortened(output)}")
        try:
            errors = list(islice(cast(Iterable[ValidationError], _validator(schema).iter_errors(output)), SHOWN + 1))
        except RecursionError as error:
            message = "the schema refers to itself without end, or the output is nested too deeply for it"
            raise StageFailure("grade", "recursion", message) from error
        if not errors:
            return passed_if(True, "the output is valid under the schema")
        violations = sorted(_violation(error, self.target_path or "$") for error in errors[:SHOWN])
        more = "; …" if len(errors) > SHOWN else ""
        return passed_if(False, "; ".join(violations) + more, details=cast(JsonValue, violations))


def _violation(error: ValidationError, root: str) -> str:
    """One violation: `at $.age: "x" does not meet type "integer"`."""
    where = root + error.json_path.removeprefix("$")
    if error.validator in OF_KEYS:
        return f"at {where}: {error.message}"
    rule = f"{error.validator} {shortened(cast(JsonValue, error.validator_value))}"
    return f"at {where}: {shortened(cast(JsonValue, error.instance))} does not meet {rule}"


@lru_cache(maxsize=256)
def _validator(schema: str) -> Validator:
    """The validator of a schema (its canonical JSON text).

    Raises:
        ValueError: it is not a JSON Schema, or it refers to something that is not inside it.
    """
    # A schema may be just true or false too, which the type stubs do not know.
    definition = cast("dict[str, Any]", read_json(schema))
    kind = validator_for(definition, default=Draft202012Validator)
    try:
        kind.check_schema(definition)
        resource = Resource[Any].from_contents(definition, default_specification=DRAFT202012)
        registry = EMPTY_REGISTRY.with_resource(resource.id() or "", resource).crawl()
        _check_references(registry.resolver(resource.id() or ""), resource)
    except SchemaError as error:
        raise ValueError(f"it is not a JSON Schema: at {error.json_path}: {error.message}") from error
    except Unresolvable as error:
        raise ValueError(f"it refers to {error.ref!r}, which is not inside it; put it under $defs") from error
    return kind(definition, registry=registry)


def _check_references(resolver: Any, resource: Resource[Any]) -> None:
    """Look up every reference once, so that a bad one is refused at the start and not in the middle of a run."""
    contents = cast("dict[str, Any] | bool", resource.contents)
    if isinstance(contents, dict):
        for reference in (contents.get("$ref"), contents.get("$dynamicRef")):
            if isinstance(reference, str):
                resolver.lookup(reference)
    for inner in resource.subresources():
        _check_references(resolver.in_subresource(inner), inner)
