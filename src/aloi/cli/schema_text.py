"""JSON schemas of kinds, as tables of parameters."""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from pydantic import JsonValue

from aloi.core.spec import JsonObject


class Parameter(NamedTuple):
    """One field of a kind: name, type in words, default as JSON (a dash for none, or `required`), what it is for."""

    name: str
    type: str
    default: str
    doc: str


def parameters(schema: JsonObject) -> Iterator[Parameter]:
    """The fields that a kind's JSON schema describes, in order."""
    required = schema.get("required", [])
    for name, field in properties(schema).items():
        needed = isinstance(required, list) and name in required
        given = field.get("default")
        default = "required" if needed else "–" if given is None else json.dumps(given, ensure_ascii=False)
        yield Parameter(name, type_text(field, schema), default, str(field.get("description", "")))


def properties(schema: JsonObject) -> Mapping[str, JsonObject]:
    """The schema of each field by name."""
    return cast(Mapping[str, JsonObject], schema.get("properties", {}))


def type_text(field: JsonObject, root: JsonObject) -> str:
    """The type of a field in words: `text`, `number from 0 to 1`, `list of text`, `ignore or forbid`."""
    field = _resolved(field, root)
    if "const" in field:
        return str(field["const"])
    if isinstance(choices := field.get("enum"), list):
        return " or ".join(map(str, choices))
    options = field.get("anyOf") or field.get("oneOf")
    if isinstance(options, list):
        words = [type_text(cast(JsonObject, option), root) for option in options]
        return " or ".join(dict.fromkeys(word for word in words if word != "null")) or "null"
    return _simple(field, root)


def _simple(field: JsonObject, root: JsonObject) -> str:
    kind = field.get("type")
    if kind == "array":
        items = field.get("items")
        return f"list of {type_text(items, root)}" if isinstance(items, dict) else "list"
    if kind in ("number", "integer"):
        return f"{'whole number' if kind == 'integer' else 'number'}{_range(field)}"
    words = {"string": "text", "boolean": "true or false", "object": "object", "null": "null"}
    return words.get(str(kind), "any JSON")


def _range(field: JsonObject) -> str:
    low = field.get("minimum", field.get("exclusiveMinimum"))
    high = field.get("maximum", field.get("exclusiveMaximum"))
    above = "above" if "exclusiveMinimum" in field else "from"
    start = f" {above} {low}" if low is not None else ""
    end = f" to {high}" if high is not None else ""
    return f"{start}{end}"


def _resolved(field: JsonObject, root: JsonObject) -> JsonObject:
    """The schema behind a `$ref`; its own description stays."""
    reference = field.get("$ref")
    if not isinstance(reference, str):
        return field
    found: JsonValue = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def takes_text_only(field: JsonObject, root: JsonObject) -> bool:
    """Whether a value of this field is always text, so that `391` is three characters and no number."""
    words = type_text(field, root).split(" or ")
    choices = _resolved(field, root).get("enum")
    return words == ["text"] or (isinstance(choices, list) and all(isinstance(choice, str) for choice in choices))
