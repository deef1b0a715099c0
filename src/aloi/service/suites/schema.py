"""The JSON Schema of suite files, for editors."""

from collections.abc import Iterable
from typing import TypeVar, cast

from pydantic import BaseModel, JsonValue
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from aloi.core.evaluator import Evaluator
from aloi.core.spec import JsonObject, Spec
from aloi.core.target import Target
from aloi.plugins import kinds, load
from aloi.service.files.case_fields import CASE_FIELDS
from aloi.service.suites.suite import Suite

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DEFINITIONS = "#/$defs/"
FILE: JsonObject = {"type": "string", "description": "A file; its path from the suite file."}
NAME_AND_WEIGHT = ("name", "weight")

K = TypeVar("K", bound=Spec)
Parts = dict[str, JsonObject]


def suite_schema() -> JsonObject:
    """The JSON Schema (2020-12) of a suite file, with a choice for every kind of target and evaluator there is.

    Imports every kind.
    """
    targets, evaluators = _classes("targets", Target), _classes("evaluators", Evaluator)
    models: list[type[BaseModel]] = [Suite, *targets, *evaluators]
    mode: JsonSchemaMode = "validation"
    references, whole = models_json_schema([(model, mode) for model in models], ref_template=DEFINITIONS + "{model}")
    names = {model: str(reference["$ref"]).removeprefix(DEFINITIONS) for (model, _), reference in references.items()}
    parts = cast(Parts, whole["$defs"])
    bound = _properties(parts["Binding"])
    for target in targets:
        parts[names[target]] = _kind(parts[names[target]], target.kind, {})
    for evaluator in evaluators:
        extra = {name: bound[name] for name in NAME_AND_WEIGHT}
        parts[names[evaluator]] = _kind(parts[names[evaluator]], evaluator.kind, extra)
    parts["Target"] = {"oneOf": [_ref(names[target]) for target in targets]}
    parts["Evaluator"] = {"oneOf": [_ref(names[evaluator]) for evaluator in evaluators]}
    parts["Case"] = _case(parts["Case"])
    suite = _suite(parts[names[Suite]])
    unused = (names[Suite], "Binding", "CaseSource")
    definitions: JsonObject = {name: part for name, part in parts.items() if name not in unused}
    return {"$schema": DIALECT, **suite, "$defs": definitions}


def target_schema(kind: str) -> JsonObject:
    """The JSON Schema (2020-12) of the definition of a kind of target, as a file of its own holds it.

    Raises:
        InvalidInput: there is no such kind.
    """
    described = load("targets", kind, Target).describe()
    return {"$schema": DIALECT, **_kind(cast(JsonObject, described["schema"]), kind, {})}


def _classes(family: str, base: type[K]) -> list[type[K]]:
    return [load(family, kind, base) for kind in kinds(family)]


def _ref(name: str) -> JsonObject:
    return {"$ref": DEFINITIONS + name}


def _properties(part: JsonObject) -> JsonObject:
    return cast(JsonObject, part.get("properties", {}))


def _list_of(name: str, part: JsonValue) -> JsonObject:
    return {**cast(JsonObject, part), "items": _ref(name)}


def _kind(part: JsonObject, kind: str, extra: JsonObject) -> JsonObject:
    """The schema of a kind with its `kind` named, and with fields that stand beside its own."""
    required: Iterable[JsonValue] = cast("list[JsonValue]", part.get("required", []))
    properties: JsonObject = {"kind": {"const": kind}, **_properties(part), **extra}
    return {**part, "properties": properties, "required": ["kind", *required]}


def _case(part: JsonObject) -> JsonObject:
    """The schema of a case as a file holds it: with a prompt or an input, without what the store gives."""
    own = _properties(part)
    properties: JsonObject = {
        "prompt": {"type": "string", "description": "The input, when it is text."},
        **{name: own[name] for name in CASE_FIELDS if name in own},
        "evaluators": _list_of("Evaluator", own["evaluators"]),
        "attachments": {**cast(JsonObject, own["attachments"]), "items": {"anyOf": [FILE, _ref("Attachment")]}},
    }
    either: list[JsonValue] = [{"required": ["prompt"]}, {"required": ["input"]}]
    return {
        **{key: value for key, value in part.items() if key != "required"},
        "properties": properties,
        "oneOf": either,
    }


def _suite(part: JsonObject) -> JsonObject:
    own = _properties(part)
    target = {**cast(JsonObject, own["target"])}
    del target["anyOf"]
    properties: JsonObject = {
        **own,
        "target": {**target, "oneOf": [{"type": "string", "minLength": 1}, _ref("Target")]},
        "evaluators": _list_of("Evaluator", own["evaluators"]),
    }
    return {**part, "title": "Aloi suite", "properties": properties, "required": ["target"]}
