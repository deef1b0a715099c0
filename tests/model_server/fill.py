"""Fill a JSON schema with a valid document that says pass or fail: the answer of a scripted judge."""

from collections.abc import Sequence
from typing import Any

from tests.model_server.chat import Json

TEXT = "Because it fits."
PASS_WORDS = frozenset({"pass", "passed", "yes", "true", "met", "correct"})
FAIL_WORDS = frozenset({"fail", "failed", "no", "false", "unmet", "not_met", "incorrect"})


def fill(schema: Json, passing: bool, score: float) -> Any:
    """Return a document that fits the schema.

    Required properties are filled and the others left out. A boolean is `passing`; an enum is its member that means
    pass or fail (else its first or last); a number is `score` (0..1), scaled to its bounds when it has both; a list
    has `minItems` items, one when unsaid; an alternative is the first that is not null.
    """
    return _fill(schema, schema, passing, score)


def _fill(schema: Json, root: Json, passing: bool, score: float) -> Any:
    schema = _flatten(schema, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return _member(schema["enum"], passing)
    match _type(schema):
        case "object":
            properties = schema.get("properties", {})
            return {name: _fill(properties.get(name, {}), root, passing, score) for name in schema.get("required", [])}
        case "array":
            return [_fill(item, root, passing, score) for item in _items(schema)]
        case "boolean":
            return passing
        case "number":
            return _number(schema, score)
        case "integer":
            return round(_number(schema, score))
        case "null":
            return None
        case _:
            return _text(schema)


def _flatten(schema: Json, root: Json) -> Json:
    """Follow references and choose alternatives until the schema speaks for itself."""
    while True:
        if "$ref" in schema:
            found: Json = root
            for step in schema["$ref"].split("/")[1:]:
                found = found[step]
            schema = {**found, **_without(schema, "$ref")}
        elif "allOf" in schema:
            merged: Json = {}
            for part in schema["allOf"]:
                merged |= _flatten(part, root)
            schema = merged | _without(schema, "allOf")
        elif "anyOf" in schema or "oneOf" in schema:
            word = "anyOf" if "anyOf" in schema else "oneOf"
            options = [option for option in schema[word] if option.get("type") != "null"]
            schema = _without(schema, word) | (options or [{"type": "null"}])[0]
        else:
            return schema


def _without(schema: Json, word: str) -> Json:
    return {key: value for key, value in schema.items() if key != word}


def _type(schema: Json) -> str:
    stated = schema.get("type")
    if isinstance(stated, list):
        return next((name for name in stated if name != "null"), "null")
    if stated:
        return stated
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema or "prefixItems" in schema else "string"


def _member(members: Sequence[Any], passing: bool) -> Any:
    words = PASS_WORDS if passing else FAIL_WORDS
    for member in members:
        if str(member).lower() in words:
            return member
    return members[0] if passing else members[-1]


def _items(schema: Json) -> list[Json]:
    fixed: list[Json] = list(schema.get("prefixItems", []))
    default = min(max(len(fixed), 1), schema.get("maxItems", 1 + len(fixed)))
    length = schema.get("minItems", default)
    rest = schema.get("items") or {}
    return [fixed[index] if index < len(fixed) else rest for index in range(length)]


def _number(schema: Json, score: float) -> float:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return low + score * (high - low)
    if low is not None:
        return max(low, score)
    return score if high is None else min(high, score)


def _text(schema: Json) -> str:
    least = schema.get("minLength", 0)
    text = TEXT * (1 + least // len(TEXT)) if least > len(TEXT) else TEXT
    return text[: schema.get("maxLength")]
