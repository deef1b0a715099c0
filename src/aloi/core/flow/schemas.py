"""What JSON schemas say of each other before there are values: members of what they describe, and misfits.

Only what is sure counts: a schema that says nothing of a member, or that cannot be read here, is no fault.
"""

from collections.abc import Iterator, Mapping
from typing import cast

from pydantic import JsonValue

from aloi.core.json_values import json_equal, shortened
from aloi.core.spec import JsonObject

ANY: JsonObject = {}
TEXT: JsonObject = {"type": "string"}
NUMBER: JsonObject = {"type": "number"}
LIST: JsonObject = {"type": "array"}
WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
DEFINITIONS = ("$defs", "definitions")
DEEPEST = 20  # of schemas within schemas that are compared


class NoSuchMember(Exception):
    """What a schema describes can have no such member; the message says why."""


def types_of(schema: JsonObject) -> frozenset[str]:
    """The types that a value of the schema may have; all of them when it does not say."""
    if "const" in schema:
        return frozenset({_type(schema["const"])})
    if isinstance(options := schema.get("enum"), list):
        return frozenset(map(_type, options))
    said = schema.get("type")
    if isinstance(said, str):
        return frozenset({said})
    if isinstance(said, list):
        return frozenset(item for item in said if isinstance(item, str))
    alternatives = list(_alternatives(schema))
    if alternatives:
        return frozenset(name for option in alternatives for name in types_of(option))
    return frozenset(WORDS)


def in_words(schema: JsonObject) -> str:
    """What a schema describes, for people: `text`, `a list or null`."""
    if "const" in schema:
        return shortened(schema["const"], 60)
    found = [words for name, words in WORDS.items() if name in types_of(schema)]
    return "anything" if len(found) == len(WORDS) else " or ".join(found) or "nothing"


def member(schema: JsonObject, segment: str | int) -> JsonObject:
    """The schema of a member or an item; `ANY` when nothing is known of it.

    Raises:
        NoSuchMember: a value of the schema can have none.
    """
    plain = resolved(schema)
    alternatives = list(_alternatives(plain))
    if alternatives:
        return _member_of_any([_scoped(option, plain) for option in alternatives], segment)
    types = types_of(plain)
    fitting = types & _holders(segment)
    if not fitting:
        raise NoSuchMember(f"it is {in_words(plain)}")
    if segment == "size" and not _has_property(plain, "size"):
        return {"type": "integer"} if "object" not in types else ANY
    if "array" in fitting and (isinstance(segment, int) or segment in ("first", "last")):
        return _item(plain, segment)
    return _property(plain, str(segment)) if "object" in fitting and isinstance(segment, str) else ANY


def _holders(segment: str | int) -> frozenset[str]:
    """The types that can have such a member."""
    if isinstance(segment, int):
        return frozenset({"array"})
    if segment == "size":
        return frozenset({"object", "array", "string"})
    return frozenset({"object", "array"}) if segment in ("first", "last") else frozenset({"object"})


def _member_of_any(options: list[JsonObject], segment: str | int) -> JsonObject:
    found: list[JsonValue] = []
    reason = "it has none"
    for option in options:
        try:
            found.append(member(option, segment))
        except NoSuchMember as error:
            reason = str(error)
    if not found:
        raise NoSuchMember(reason)
    if len(found) == 1:
        return cast(JsonObject, found[0])
    return ANY if ANY in found else {"anyOf": found}


def _has_property(schema: JsonObject, name: str) -> bool:
    properties = schema.get("properties")
    return isinstance(properties, dict) and name in properties


def _property(schema: JsonObject, name: str) -> JsonObject:
    properties = schema.get("properties")
    known: JsonObject = properties if isinstance(properties, dict) else {}
    if name in known:
        return _scoped(known[name], schema)
    others = schema.get("additionalProperties", True)
    if others is False and "patternProperties" not in schema:
        listed = ", ".join(known) or "none"
        raise NoSuchMember(f"the properties that it can have are: {listed}")
    return _scoped(others, schema) if isinstance(others, dict) and "patternProperties" not in schema else ANY


def _item(schema: JsonObject, segment: str | int) -> JsonObject:
    first = schema.get("prefixItems")
    before: list[JsonValue] = first if isinstance(first, list) else []
    number = 0 if segment == "first" else segment
    if isinstance(number, int) and 0 <= number < len(before):
        return _scoped(before[number], schema)
    return ANY if before else _scoped(schema.get("items", True), schema)


def resolved(schema: JsonObject) -> JsonObject:
    """The schema that a reference to one of its own definitions means; any other schema as it is."""
    for _ in range(DEEPEST):
        target = schema.get("$ref")
        if not isinstance(target, str):
            return schema
        found = _definition(schema, target)
        if found is None:
            return ANY
        schema = _scoped(found, schema)
    return ANY


def _definition(schema: JsonObject, target: str) -> JsonValue:
    for keyword in DEFINITIONS:
        known = schema.get(keyword)
        name = target.removeprefix(f"#/{keyword}/")
        if isinstance(known, dict) and name != target:
            return known.get(name)
    return None


def _scoped(inner: JsonValue, outer: JsonObject) -> JsonObject:
    """A schema inside of another one, with the definitions to which it may refer."""
    if not isinstance(inner, dict):
        return ANY
    return {**{name: outer[name] for name in DEFINITIONS if name in outer}, **inner}


def _alternatives(schema: JsonObject) -> Iterator[JsonObject]:
    for keyword in ("anyOf", "oneOf"):
        options = schema.get(keyword)
        if isinstance(options, list):
            yield from (option for option in options if isinstance(option, dict))


def _type(value: JsonValue) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)):
        return "integer" if isinstance(value, int) or value.is_integer() else "number"
    return "array" if isinstance(value, list) else "object"


def misfit(given: JsonObject | None, wanted: JsonObject | None, depth: int = 0) -> str | None:
    """Why no value of one schema can fit another one, in words behind "it"; null when some may.

    Args:
        given: of what there will be; null for anything.
        wanted: of what is asked for.
    """
    if not given or not wanted or depth > DEEPEST:
        return None
    given, wanted = resolved(given), resolved(wanted)
    for options, fits in ((list(_alternatives(given)), True), (list(_alternatives(wanted)), False)):
        if options:
            return _misfit_of_all(given, wanted, options, fits, depth)
    if not _overlap(types_of(given), types_of(wanted)):
        return f"is {in_words(given)}, and {in_words(wanted)} is wanted"
    constants = _constants(given)
    allowed = _constants(wanted)
    if constants and allowed and not any(json_equal(one, other) for one in constants for other in allowed):
        return f"is {_listed(constants)}, and {_listed(allowed)} is wanted"
    if types_of(given) == frozenset({"object"}) and "object" in types_of(wanted):
        return _object_misfit(given, wanted, depth)
    if types_of(given) == frozenset({"array"}) and "array" in types_of(wanted):
        reason = misfit(_item(given, -1), _item(wanted, -1), depth + 1)
        return f"is a list whose item {reason}" if reason else None
    return None


def _misfit_of_all(
    given: JsonObject, wanted: JsonObject, options: list[JsonObject], of_given: bool, depth: int
) -> str | None:
    """The misfit of every alternative; null as soon as one fits."""
    reason: str | None = None
    for option in options:
        one = _scoped(option, given if of_given else wanted)
        reason = misfit(one, wanted, depth + 1) if of_given else misfit(given, one, depth + 1)
        if reason is None:
            return None
    return reason


def _overlap(given: frozenset[str], wanted: frozenset[str]) -> bool:
    if given & wanted:
        return True
    return ("integer" in given and "number" in wanted) or ("number" in given and "integer" in wanted)


def _constants(schema: JsonObject) -> list[JsonValue]:
    if "const" in schema:
        return [schema["const"]]
    options = schema.get("enum")
    return options if isinstance(options, list) else []


def _listed(values: list[JsonValue]) -> str:
    return " or ".join(shortened(value, 40) for value in values[:5])


def _object_misfit(given: JsonObject, wanted: JsonObject, depth: int) -> str | None:
    for name in _required(wanted):
        try:
            have = _property(given, name)
        except NoSuchMember:
            return f"has no property {name!r}, which is wanted"
        reason = misfit(have, _properties(wanted).get(name), depth + 1)
        if reason:
            return f"has a property {name!r} that {reason}"
    for name in _required(given):
        try:
            asked = _property(wanted, name)
        except NoSuchMember:
            return f"has a property {name!r}, which is not allowed there"
        reason = misfit(_properties(given).get(name), asked, depth + 1)
        if reason:
            return f"has a property {name!r} that {reason}"
    return None


def _required(schema: JsonObject) -> list[str]:
    names = schema.get("required")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _properties(schema: JsonObject) -> Mapping[str, JsonObject]:
    properties = schema.get("properties")
    found = properties if isinstance(properties, dict) else {}
    return {name: _scoped(inner, schema) for name, inner in found.items()}
