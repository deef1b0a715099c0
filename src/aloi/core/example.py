"""A filled example of a JSON schema: what a form, or a new simulation, starts from."""

import math

from pydantic import JsonValue

from aloi.core.json_values import json_equal
from aloi.core.spec import JsonObject

# A schema that refers to itself is followed so far; deeper only what is required is filled, and no list has an item.
DEEP = 4
DEEPEST = 20
# A schema of a few lines can describe millions of parts.
MOST_PARTS = 10_000
MOST_ITEMS = 100
MOST_LETTERS = 10_000
FORMATS = {
    "date-time": "2026-01-01T00:00:00Z",
    "date": "2026-01-01",
    "time": "00:00:00Z",
    "duration": "P1D",
    "email": "someone@example.org",
    "hostname": "example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
TEXT = "text"
# By these keywords a schema without a type is read.
KEYWORDS = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "prefixItems", "minItems"},
    "string": {"minLength", "maxLength", "pattern", "format"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
}


def example_of(schema: JsonValue) -> JsonValue:
    """A value that fits a JSON schema, with every property filled.

    What the schema says of values comes first: `const`, then `default`, then the first of `examples` or of `enum`. Of
    alternatives the first is taken. Texts keep to their length and format, numbers to their bounds. It cannot follow
    `pattern`, `not`, `if`, `uniqueItems` or references out of the schema: where those matter it may not fit.
    """
    return _Filler(schema).example(schema)


class _Filler:
    """Fills parts of one schema, to which their references lead."""

    def __init__(self, root: JsonValue) -> None:
        self._root = root
        self._left = MOST_PARTS

    def example(self, schema: JsonValue, depth: int = 0) -> JsonValue:
        """A value that fits a part of the schema, which lies so deep in the value."""
        if not isinstance(schema, dict) or depth > DEEPEST or self._left < 0:
            return None
        whole = self._flat(schema)
        said, value = _said(whole)
        if said:
            return value
        match _type(whole):
            case "object":
                return self._object(whole, depth)
            case "array":
                return self._array(whole, depth)
            case "string":
                return _text(whole)
            case "integer":
                return int(_number(whole, 1))
            case "number":
                return _number(whole, 0)
            case "boolean":
                return True
            case _:
                return None

    def _flat(self, schema: JsonObject, seen: frozenset[str] = frozenset()) -> JsonObject:
        """The schema with what it refers to, all that it joins, and the first of its alternatives."""
        whole = {name: value for name, value in schema.items() if name not in ("$ref", "allOf", "anyOf", "oneOf")}
        self._left -= 1
        if self._left < 0:
            return whole
        parts: list[JsonValue] = []
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen |= {reference}
            parts.append(self._at(reference))
        parts += _items(schema, "allOf")
        parts += [*_items(schema, "anyOf")[:1], *_items(schema, "oneOf")[:1]]
        for part in parts:
            if isinstance(part, dict):
                whole = _joined(whole, self._flat(part, seen))
        return whole

    def _at(self, reference: str) -> JsonValue:
        """The part of the schema that a reference leads to; null where it leads out of it."""
        found = self._root
        for step in reference.removeprefix("#").split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            found = found.get(name) if isinstance(found, dict) else None
        return found if reference.startswith("#") else None

    def _object(self, schema: JsonObject, depth: int) -> JsonObject:
        properties = _properties(schema)
        required = [str(name) for name in _items(schema, "required")]
        names = required if depth >= DEEP else [*properties, *(name for name in required if name not in properties)]
        others = schema.get("additionalProperties")
        return {name: self.example(properties.get(name, others), depth + 1) for name in names}

    def _array(self, schema: JsonObject, depth: int) -> list[JsonValue]:
        first, rest = _items(schema, "prefixItems"), schema.get("items")
        usual = max(1, len(first)) if depth < DEEP else 0
        most = min(_figure(schema, "maxItems", math.inf), math.inf if rest is not False else len(first))
        number = min(max(usual, _figure(schema, "minItems", 0)), most, MOST_ITEMS)
        parts = [first[index] if index < len(first) else rest for index in range(int(number))]
        return [self.example(part, depth + 1) for part in parts]


def _items(schema: JsonObject, word: str) -> list[JsonValue]:
    found = schema.get(word)
    return found if isinstance(found, list) else []


def _properties(schema: JsonObject) -> JsonObject:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _figure(schema: JsonObject, word: str, default: float) -> float:
    found = schema.get(word)
    return default if isinstance(found, bool) or not isinstance(found, (int, float)) else found


def _joined(one: JsonObject, other: JsonObject) -> JsonObject:
    """Both schemas in one: the properties and the required names of both; else what the first says."""
    properties = {**_properties(other), **_properties(one)}
    required: list[JsonValue] = [*dict.fromkeys(map(str, [*_items(one, "required"), *_items(other, "required")]))]
    both: JsonObject = {"properties": properties, "required": required}
    return {**other, **one, **{name: part for name, part in both.items() if part}}


def _said(schema: JsonObject) -> tuple[bool, JsonValue]:
    """Whether the schema itself names a value, and which."""
    if "const" in schema:
        return True, schema["const"]
    members = _items(schema, "enum")
    named = [*([schema["default"]] if "default" in schema else []), *_items(schema, "examples")]
    for value in named:
        if not members or any(json_equal(value, member) for member in members):
            return True, value
    return (True, members[0]) if members else (False, None)


def _type(schema: JsonObject) -> str | None:
    """The first type that the schema names, null last; else the one that its keywords are about."""
    stated = schema.get("type")
    if isinstance(stated, list):
        return next((str(name) for name in stated if name != "null"), "null")
    if isinstance(stated, str):
        return stated
    return next((name for name, words in KEYWORDS.items() if words & schema.keys()), None)


def _text(schema: JsonObject) -> str:
    text = FORMATS.get(str(schema.get("format")), TEXT)
    least = int(min(_figure(schema, "minLength", 0), MOST_LETTERS))
    filled = text if len(text) >= least else (TEXT * (least // len(TEXT) + 1))[:least]
    most = _figure(schema, "maxLength", math.inf)
    return filled if len(filled) <= most else filled[: int(most)]


def _number(schema: JsonObject, step: int) -> float:
    """0, or what the bounds allow in its place, in steps of `multipleOf` (or `step`, where that is not 0)."""
    step_size = _figure(schema, "multipleOf", 0) or step
    low = max(_figure(schema, "minimum", -math.inf), _figure(schema, "exclusiveMinimum", -math.inf))
    high = min(_figure(schema, "maximum", math.inf), _figure(schema, "exclusiveMaximum", math.inf))
    tried: list[float] = [0]
    for bound in (low, high):
        if not math.isfinite(bound):
            continue
        if step_size and math.isfinite(bound / step_size):
            at = math.floor(bound / step_size)
            tried += [count * step_size for count in (at, at + 1, at - 1)]
        else:
            tried += [bound, bound + 1, bound - 1]
    if math.isfinite(low) and math.isfinite(high):
        tried.append((low + high) / 2)
    return next((value for value in tried if _is_allowed(value, schema, step)), 0)


def _is_allowed(value: float, schema: JsonObject, step: int) -> bool:
    steps = (_figure(schema, "multipleOf", 0), step)
    return (
        _figure(schema, "minimum", -math.inf) <= value <= _figure(schema, "maximum", math.inf)
        and _figure(schema, "exclusiveMinimum", -math.inf) < value < _figure(schema, "exclusiveMaximum", math.inf)
        and all(not size or (value / size).is_integer() for size in steps)
    )
