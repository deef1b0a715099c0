"""The JSON schema of a workflow with what each kind of step may say: for editors, which complete and check by it."""

from typing import cast

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.step import Step
from aloi.plugins import kinds, load

STEP = "Step"
FAMILY = "steps"
DEFINITIONS = "$defs"
ONE_STEP: JsonObject = {"$ref": f"#/{DEFINITIONS}/{STEP}"}


def with_steps(schema: JsonValue) -> JsonObject:
    """The schema of a workflow, whose `steps` are any object, with the kinds of steps in their place."""
    whole = cast(JsonObject, schema)
    definitions = dict(cast(JsonObject, whole.get(DEFINITIONS, {})))
    names: list[JsonValue] = []
    for kind in kinds(FAMILY):
        step = _schema(kind)
        definitions.update(cast(JsonObject, step.pop(DEFINITIONS, {})))
        name = f"{kind.capitalize()}{STEP}"
        definitions[name] = step
        names.append({"$ref": f"#/{DEFINITIONS}/{name}"})
    definitions[STEP] = {"oneOf": names}
    return {**_listing_steps(whole), DEFINITIONS: definitions}


def _schema(kind: str) -> JsonObject:
    """What a step of a kind may say, its kind included."""
    found = _listing_steps(cast(JsonObject, load(FAMILY, kind, Step).model_json_schema()))
    properties = cast(JsonObject, found.get("properties", {}))
    required = cast("list[JsonValue]", found.get("required", []))
    named: JsonObject = {"kind": {"const": kind, "title": "Kind"}}
    return {**found, "properties": {**named, **properties}, "required": ["kind", *required]}


def _listing_steps(schema: JsonObject) -> JsonObject:
    """The schema with a step in the place of any object in its list of steps, if it has one."""
    properties = cast(JsonObject, schema.get("properties", {}))
    steps = properties.get(FAMILY)
    if not isinstance(steps, dict):
        return dict(schema)
    return {**schema, "properties": {**properties, FAMILY: {**steps, "items": ONE_STEP}}}
