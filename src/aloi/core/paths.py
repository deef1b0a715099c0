"""Where in a JSON value something stands: paths as people read them, and paths as fields of a kind."""

import re
from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, JsonValue

from aloi.core.errors import InvalidInput
from aloi.core.select import Location, compiled, nodes

ROOT = "$"
PLAIN_KEY = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def child(path: str, key: str | int) -> str:
    """The path of a member or an item: `$.name`, `$['odd key']`, `$[2]`."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    if PLAIN_KEY.fullmatch(key):
        return f"{path}.{key}"
    quoted = key.replace("\\", "\\\\").replace("'", "\\'")
    return f"{path}['{quoted}']"


def _checked(path: str) -> str:
    try:
        compiled(path)
    except InvalidInput as error:
        raise ValueError(str(error)) from error
    return path


JsonPath = Annotated[str, AfterValidator(_checked)]
"""A field that holds a JSONPath (RFC 9535); any other text is refused when the kind is built."""


def without(value: JsonValue, paths: Iterable[str]) -> JsonValue:
    """The value less all nodes that the paths select; the root itself is never taken away."""
    locations = {node.location for path in paths for node in nodes(path, value)}
    return _pruned(value, (), locations) if locations else value


def _pruned(value: JsonValue, at: Location, gone: set[Location]) -> JsonValue:
    if isinstance(value, dict):
        return {key: _pruned(item, (*at, key), gone) for key, item in value.items() if (*at, key) not in gone}
    if isinstance(value, list):
        return [_pruned(item, (*at, i), gone) for i, item in enumerate(value) if (*at, i) not in gone]
    return value


def selects_root(path: str) -> bool:
    """Whether the path selects the whole value itself."""
    return not compiled(path).segments
