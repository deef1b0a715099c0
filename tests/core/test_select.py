"""JSONPath over outputs."""

import json

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


@pytest.mark.parametrize(
    ("path", "output"),
    [
        ("$..*..*..*..*..*..*", json.loads("[" * 60 + "1" + "]" * 60)),
        ("$[?$[?$[?$[?@.a == 9]]]]", [{"a": number} for number in range(300)]),
        ("$[?@..*[?@..*[?@..*]]]", json.loads("[" * 90 + "1" + "]" * 90)),
        ("$[?search(@, '(a|aa)+$')]", ["a" * 80 + "b"]),
        ("$[?match(@, '(a|aa)+')]", ["a" * 80 + "b"]),
    ],
)
def test_a_path_that_would_take_for_ever_is_given_up(
    path: str, output: JsonValue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aloi.core.select.SECONDS", 0.05)
    with pytest.raises(StageFailure, match=r"takes more than 0\.05 s"):
        select(path, output)


@pytest.mark.parametrize("path", ["$[?" + "(" * 3000 + "@.a" + ")" * 3000 + "]", "$[?" + "!" * 3000 + "@.a]"])
def test_a_path_without_end_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput, match=r"nested too deeply|RFC 9535"):
        compiled(path)


@pytest.mark.parametrize(
    ("path", "selected"),
    [
        ("$[?search(@, 'b.')]", ["abc", "bc"]),
        ("$[?match(@, 'b.')]", ["bc"]),
        ("$[?search(@, '(')]", []),
        ("$[?search(@, '(?=b)')]", []),
    ],
)
def test_patterns(path: str, selected: list[JsonValue]) -> None:
    assert select(path, ["abc", "bc", 1, None, ["bc"]]) == selected


def test_what_is_selected_is_the_very_part() -> None:
    output: JsonValue = {"a": [{"b": [1]}]}
    (found,) = select("$.a[0]", output)
    assert type(found) is dict and type(found["b"]) is list
