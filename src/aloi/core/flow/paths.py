"""What a JSONPath over a workflow's document reads: `$.steps.fetch[0].title` is steps, fetch, 0, title."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from pydantic import JsonValue

from aloi.core.errors import StageFailure
from aloi.core.flow.graph import STEPS, step_read
from aloi.core.loading import module
from aloi.core.select import LIBRARY, compiled, nodes
from aloi.core.spec import JsonObject
from aloi.core.step import Path, Place, Reading


class Fixed(NamedTuple):
    """The part of a path that reads one value, and whether that is all of it (no wildcard, filter or slice)."""

    path: Path
    is_whole: bool


def fixed(path: str) -> Fixed:
    """The beginning of a path that reads one value.

    Raises:
        InvalidInput: it is no JSONPath.
    """
    return _fixed(compiled(path).segments)


def _fixed(segments: Any) -> Fixed:
    selectors = module(f"{LIBRARY}.selectors")
    one = (selectors.NameSelector, selectors.IndexSelector)
    found: list[str | int] = []
    for segment in segments:
        (selector, *others) = segment.selectors
        child = type(segment).__name__ == "JSONPathChildSegment"
        if not child or others or not isinstance(selector, one):
            return Fixed(tuple(found), False)
        found.append(selector.name if isinstance(selector, selectors.NameSelector) else selector.index)
    return Fixed(tuple(found), True)


def path_readings(path: str, at: Place, maybe: bool = False) -> Iterator[Reading]:
    """What a path reads: what it begins with, and what its filters read from the root.

    Args:
        maybe: whether there may be nothing there.

    Raises:
        InvalidInput: it is no JSONPath.
    """
    query = compiled(path)
    yield Reading(at, _fixed(query.segments).path, maybe=maybe)
    for inner in _root_queries(query):
        yield Reading(at, _fixed(inner.segments).path, maybe=True)


def _root_queries(query: Any) -> Iterator[Any]:
    """Every query from the root in the filters of a query, at any depth."""
    for segment in query.segments:
        for selector in segment.selectors:
            if hasattr(selector, "expression"):
                yield from _of_expression(selector.expression)


def _of_expression(expression: Any) -> Iterator[Any]:
    if hasattr(expression, "query"):
        if type(expression).__name__ == "RootFilterQuery":
            yield expression.query
        yield from _root_queries(expression.query)
    for name in ("expression", "left", "right"):
        if (inner := getattr(expression, name, None)) is not None:
            yield from _of_expression(inner)
    for argument in getattr(expression, "args", ()):
        yield from _of_expression(argument)


def part_read(document: JsonObject, readings: Sequence[Reading]) -> JsonObject:
    """The document with only those steps and names in it that are read. Paths walk all that they are given."""
    part: JsonObject = {}
    steps: JsonObject = {}
    outputs = cast(JsonObject, document[STEPS])
    for reading in readings:
        name = step_read(reading.path)
        if name is not None:
            steps.update({name: outputs[name]} if name in outputs else {})
        elif reading.path and reading.path[0] in document:
            part[str(reading.path[0])] = document[str(reading.path[0])]
    return {**part, STEPS: steps} if steps else part


def selected(path: str, document: JsonObject, readings: Sequence[Reading]) -> JsonValue:
    """What a path selects: the value of a path that reads one, else the list of all that it selects.

    Args:
        readings: what the path reads, as `path_readings` says.

    Raises:
        StageFailure: nothing is there, or the path takes too long (stage `invoke`, type `path`).
    """
    try:
        found = [node.value for node in nodes(path, part_read(document, readings))]
    except StageFailure as error:
        raise StageFailure("invoke", "path", error.message) from error
    if not fixed(path).is_whole:
        return found
    if not found:
        raise StageFailure("invoke", "path", f"the path {path} selects nothing; see what is there")
    return found[0]
