"""JSON Schemas that people wrote, checked against values of whatever origin in bounded time.

A few lines of schema can ask for years of work: alternatives within alternatives, or a pattern that backtracks. Neither
may hold up a server, so each keyword looks at the clock, and patterns are searched by `regex`, which takes a time
limit.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from itertools import islice
from typing import Any, cast

import regex
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import (
    extend,  # pyright: ignore[reportUnknownVariableType] - it has no types
    validator_for,
)
from pydantic import JsonValue
from referencing import Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY

from aloi.core.errors import StageFailure
from aloi.core.json_values import read_json

SHORTEST_SECONDS = 0.001  # of one search: less is none at all
Keyword = Callable[[Any, Any, Any, Any], Iterable[ValidationError] | None]
Object = dict[str, Any]

_until: ContextVar[float] = ContextVar("aloi_schema_checked_until")


class TooMuchWork(StageFailure):
    """The check was not done in the time that it was given."""

    def __init__(self) -> None:
        super().__init__(
            "grade",
            "timeout",
            "the JSON Schema takes too long on this value; simplify it, e.g. patterns with nested repeats such as "
            "(a+)+, or alternatives within alternatives",
        )


def violations(schema: str, value: JsonValue, seconds: float, most: int) -> list[ValidationError]:
    """What of a value does not follow a schema.

    Args:
        schema: its JSON text, which `validator` accepts.
        seconds: it may take so long.
        most: so many violations are enough.

    Raises:
        TooMuchWork: that was not long enough.
        StageFailure: the schema refers to itself without end (type `recursion`).
    """
    checker = validator(schema)
    before = _until.set(time.monotonic() + seconds)
    try:
        return list(islice(cast(Iterable[ValidationError], checker.iter_errors(value)), most))
    except RecursionError as error:
        message = "the schema refers to itself without end, or the output is nested too deeply for it"
        raise StageFailure("grade", "recursion", message) from error
    finally:
        _until.reset(before)


@lru_cache(maxsize=256)
def validator(schema: str) -> Validator:
    """The validator of a schema, given as JSON text.

    Raises:
        ValueError: it is not a JSON Schema that can be checked, or it refers to something that is not inside it.
    """
    # A schema may be just true or false too, which the type stubs do not know.
    definition = cast("dict[str, Any]", read_json(schema))
    kind = validator_for(definition, default=Draft202012Validator)
    try:
        kind.check_schema(definition)
        resource = _plain(definition)
        registry = EMPTY_REGISTRY.with_resource(resource.id() or "", resource).crawl()
        _check_references(registry.resolver(resource.id() or ""), resource)
    except SchemaError as error:
        raise ValueError(f"it is not a JSON Schema: at {error.json_path}: {error.message}") from error
    except Unresolvable as error:
        raise ValueError(f"it refers to {error.ref!r}, which is not inside it; put it under $defs") from error
    except RecursionError as error:
        raise ValueError("it, or a pattern in it, is nested too deeply") from error
    return _bounded(kind)(resource.contents, registry=registry)


def _plain(definition: Any) -> Resource[Any]:
    """The schema without its `$schema`, by which the library would find its own, unbounded keywords again."""
    whole = Resource[Any].from_contents(definition, default_specification=DRAFT202012)
    if not isinstance(definition, dict):
        return whole
    contents = {name: value for name, value in cast(Object, definition).items() if name != "$schema"}
    names = set(_names(contents))
    if "$schema" in names:
        raise ValueError("it holds another schema with a $schema of its own; write it once, at the top")
    if {"unevaluatedProperties", "patternProperties"} <= names:
        raise ValueError("unevaluatedProperties beside patternProperties is not understood; use additionalProperties")
    # Of the same draft; `replace` would need the id that the contents say themselves.
    return Resource[Any](contents=contents, specification=whole._specification)  # pyright: ignore[reportPrivateUsage]


def _names(value: Any) -> Iterator[str]:
    """The names of all members at any depth; of `$schema` only those that are texts, as that keyword is."""
    if isinstance(value, dict):
        for name, inner in cast(Object, value).items():
            if name != "$schema" or isinstance(inner, str):
                yield name
            yield from _names(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _names(inner)


def _check_references(resolver: Any, resource: Resource[Any]) -> None:
    """Look up every reference once, so that a bad one is refused at the start and not in the middle of a run."""
    contents = cast("dict[str, Any] | bool", resource.contents)
    if isinstance(contents, dict):
        for reference in (contents.get("$ref"), contents.get("$dynamicRef")):
            if isinstance(reference, str):
                resolver.lookup(reference)
    for inner in resource.subresources():
        _check_references(resolver.in_subresource(inner), inner)


@lru_cache(maxsize=16)
def _bounded(kind: type[Validator]) -> type[Validator]:
    """The validator of a draft whose keywords look at the clock."""
    theirs = cast(Mapping[str, Keyword], kind.VALIDATORS)
    ours = {
        "additionalProperties": _by_name(theirs.get("additionalProperties")),
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "uniqueItems": _unique_items,
    }
    timed = {name: _timed(ours.get(name) or keyword) for name, keyword in theirs.items()}
    return cast("type[Validator]", extend(cast(Any, kind), timed))


def _timed(keyword: Keyword) -> Keyword:
    def timed(checker: Any, value: Any, instance: Any, schema: Any) -> Iterable[ValidationError] | None:
        if time.monotonic() > _until.get():
            raise TooMuchWork
        return keyword(checker, value, instance, schema)

    return timed


def _found(pattern: str, text: str) -> bool:
    left = max(_until.get() - time.monotonic(), SHORTEST_SECONDS)
    try:
        return regex.search(pattern, text, timeout=left, concurrent=True) is not None
    except TimeoutError as error:
        raise TooMuchWork from error


def _pattern(checker: Any, pattern: str, instance: Any, _: Any) -> Iterator[ValidationError]:
    if checker.is_type(instance, "string") and not _found(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(checker: Any, patterns: Object, instance: Any, _: Any) -> Iterator[ValidationError]:
    for pattern, inner in patterns.items() if checker.is_type(instance, "object") else ():
        for name, value in cast(Object, instance).items():
            if _found(pattern, name):
                yield from checker.descend(value, inner, path=name, schema_path=pattern)


def _by_name(keyword: Keyword | None) -> Keyword | None:
    """The library's `additionalProperties`, told by name which properties the patterns allow."""

    def by_name(checker: Any, value: Any, instance: Any, schema: Object) -> Iterable[ValidationError] | None:
        patterns = schema.get("patternProperties")
        if patterns and checker.is_type(instance, "object"):
            matched = {name: True for name in instance if any(_found(pattern, name) for pattern in patterns)}
            rest = {name: inner for name, inner in schema.items() if name != "patternProperties"}
            schema = {**rest, "properties": {**schema.get("properties", {}), **matched}}
        return keyword(checker, value, instance, schema) if keyword else None

    return by_name


def _unique_items(checker: Any, unique: bool, instance: Any, _: Any) -> Iterator[ValidationError]:
    """Each item is looked at once; the library compares each with each."""
    if unique and checker.is_type(instance, "array") and len({_hashable(item) for item in instance}) < len(instance):
        yield ValidationError(f"{instance!r} has non-unique elements")


def _hashable(value: Any) -> Any:
    """Equal for what JSON Schema calls equal: 1 and 1.0 are, 1 and true are not, and members have no order."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, list):
        return ("array", *map(_hashable, cast("list[Any]", value)))
    if isinstance(value, dict):
        return ("object", frozenset((name, _hashable(inner)) for name, inner in cast(Object, value).items()))
    return value
