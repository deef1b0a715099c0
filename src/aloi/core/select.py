"""JSONPath (RFC 9535) over outputs, in bounded time: a path of a few letters can ask for years of work."""

import time
from collections.abc import Iterator
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pydantic import JsonValue

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.json_values import read_json
from aloi.core.loading import module

if TYPE_CHECKING:
    from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathQuery

LIBRARY = "jsonpath_rfc9535"  # a twentieth of all start-up, and few suites have a path
FUNCTIONS = ("search", "match")  # those of the library that search by a pattern
SECONDS = 1.0  # of one selection: a guard against paths without end, nothing else goes by this clock
SHORTEST_SECONDS = 0.001  # of one search: less is none at all
Location = tuple[str | int, ...]

_until: ContextVar[float] = ContextVar("aloi_select_until")


class NotJson(StageFailure):
    """The output is a text that is not JSON."""


class Node(NamedTuple):
    """A part of a JSON value: where it stands, and what it is."""

    location: Location
    value: JsonValue


@lru_cache(maxsize=1024)
def compiled(path: str) -> "JSONPathQuery":
    """The path, ready to use.

    Raises:
        InvalidInput: the path is not RFC 9535 JSONPath.
    """
    library = module(LIBRARY)
    try:
        query: JSONPathQuery = _environment().compile(path)
    except library.JSONPathError as error:
        reason = str(error).splitlines()[0]
        message = f"the path {path!r} is not JSONPath (RFC 9535): {reason}; write e.g. $.items[0].name"
        raise InvalidInput(message) from error
    except RecursionError as error:
        raise InvalidInput(f"the path {path!r:.100} is nested too deeply; write a shorter one") from error
    return query


@cache
def _environment() -> "JSONPathEnvironment":
    """The library's own, whose patterns keep to a time limit."""
    environment: JSONPathEnvironment = module(LIBRARY).JSONPathEnvironment()
    for name in FUNCTIONS:
        environment.function_extensions[name] = _bounded(environment.function_extensions[name], name)
    return environment


def _bounded(function: object, name: str) -> Any:
    """One of the library's functions that search by a pattern, with a time limit."""
    is_pattern, translated = module("iregexp_check").check, module(f"{LIBRARY}.function_extensions._pattern").map_re
    engine = module("regex")
    find = engine.fullmatch if name == "match" else engine.search

    def call(_: object, text: object, pattern: object) -> bool:
        if not isinstance(text, str) or not isinstance(pattern, str) or not is_pattern(pattern):
            return False
        left = max(_until.get() - time.monotonic(), SHORTEST_SECONDS)
        try:
            return find(translated(pattern), text, engine.VERSION1, timeout=left) is not None
        except engine.error:
            return False
        except TimeoutError as error:
            raise _too_long() from error

    return type(name, (type(function),), {"__call__": call})()


def select(path: str, output: JsonValue) -> list[JsonValue]:
    """The values of all nodes that the path selects, in order. A text output is read as JSON first.

    Raises:
        NotJson: the output is a text that is not JSON.
        InvalidInput, StageFailure: as `nodes`.
    """
    try:
        value = read_json(output) if isinstance(output, str) else output
    except ValueError as error:
        message = f"the output is text that is not JSON, so {path} cannot be read from it: {error}"
        raise NotJson("grade", "not_json", message) from error
    return [node.value for node in nodes(path, value)]


def nodes(path: str, value: JsonValue) -> list[Node]:
    """All nodes of a value that the path selects, in order.

    Raises:
        InvalidInput: as `compiled`.
        StageFailure: the path takes too long on this value, or the value is nested too deeply (type `target_path`).
    """
    query = compiled(path)
    before = _until.set(time.monotonic() + SECONDS)
    try:
        found = query.find(cast(Any, _timed(value)))
    except (module(LIBRARY).JSONPathRecursionError, RecursionError) as error:
        message = f"the path {path} cannot be followed: the output is nested too deeply"
        raise StageFailure("grade", "target_path", message) from error
    finally:
        _until.reset(before)
    return [Node(node.location, _at(value, node.location)) for node in found]


def _too_long() -> StageFailure:
    message = f"the path takes more than {SECONDS:g} s on this output; write a plainer one, e.g. $.items[0].name"
    return StageFailure("grade", "target_path", message)


def _at(value: Any, location: Location) -> JsonValue:
    for step in location:
        value = value[step]
    return value


def _look_at_the_clock() -> None:
    if time.monotonic() > _until.get():
        raise _too_long()


class _Object(dict[str, Any]):
    """An object that looks at the clock when its members are looked through, however the library comes to do so."""

    def items(self) -> Any:
        _look_at_the_clock()
        return super().items()


class _Array(list[Any]):
    """As `_Object`, for a list."""

    def __iter__(self) -> Iterator[Any]:
        _look_at_the_clock()
        return super().__iter__()


def _timed(value: JsonValue) -> JsonValue:
    """The same value, of objects and lists that look at the clock."""
    if isinstance(value, dict):
        return _Object((name, _timed(inner)) for name, inner in value.items())
    if isinstance(value, list):
        return _Array(_timed(inner) for inner in value)
    return value
