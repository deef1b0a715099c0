"""JSONPath over outputs."""

import pytest
from pydantic import JsonValue

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.select import compiled, select


@pytest.mark.parametrize(
    ("path", "output", "selected"),
    [
        ("$", 1, [1]),
        ("$.a", {"a": None}, [None]),
        ("$.a", {}, []),
        ("$.a[-1]", {"a": [1, 2]}, [2]),
        ("$..n", {"n": 1, "b": [{"n": 2}]}, [1, 2]),
        ("$[?@.n > 1].n", [{"n": 1}, {"n": 2}], [2]),
        ("$['odd key']", {"odd key": 1}, [1]),
        ("$.a", '{"a": 1}', [1]),
        ("$.a", '```json\n{"a": 1}\n```', [1]),
        ("$.a", 5, []),
    ],
)
def test_select(path: str, output: JsonValue, selected: list[JsonValue]) -> None:
    assert select(path, output) == selected


@pytest.mark.parametrize("path", ["", "a", "$.", "$[", "$.a b", "$.items[?"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput, match="RFC 9535"):
        compiled(path)


def test_text_that_is_not_json_cannot_be_selected_from() -> None:
    with pytest.raises(StageFailure, match="not JSON") as failure:
        select("$.a", "hello")
    assert (failure.value.stage, failure.value.type) == ("grade", "not_json")
