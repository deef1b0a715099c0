"""JSONPath (RFC 9535) over outputs."""

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.json_values import read_json
from aloi.core.loading import module

if TYPE_CHECKING:
    from jsonpath_rfc9535 import JSONPathQuery

LIBRARY = "jsonpath_rfc9535"  # a twentieth of all start-up, and few suites have a path


@lru_cache(maxsize=1024)
def compiled(path: str) -> "JSONPathQuery":
    """The path, ready to use.

    Raises:
        InvalidInput: the path is not RFC 9535 JSONPath.
    """
    library = module(LIBRARY)
    try:
        query: JSONPathQuery = library.compile(path)
    except library.JSONPathError as error:
        reason = str(error).splitlines()[0]
        message = f"the path {path!r} is not JSONPath (RFC 9535): {reason}; write e.g. $.items[0].name"
        raise InvalidInput(message) from error
    return query


def select(path: str, output: JsonValue) -> list[JsonValue]:
    """The values of all nodes that the path selects, in order. A text output is read as JSON first.

    Raises:
        StageFailure: the output is a text that is not JSON.
    """
    query = compiled(path)
    try:
        value = read_json(output) if isinstance(output, str) else output
    except ValueError as error:
        message = f"the output is text that is not JSON, so {path} cannot be read from it: {error}"
        raise StageFailure("grade", "not_json", message) from error
    return [cast(JsonValue, node.value) for node in query.find(value)]
