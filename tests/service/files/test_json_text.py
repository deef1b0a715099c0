"""JSON is read strictly and written so that it can be encoded."""

from json import JSONDecodeError

import pytest
from hypothesis import given
from pydantic import JsonValue

from aloi.service.files.json_text import DuplicateKey, read_json, write_json
from tests.service.files.strategies import VALUES


@given(VALUES)
def test_what_is_written_is_read_back(value: JsonValue) -> None:
    assert repr(read_json(write_json(value))) == repr(value)


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", "-Infinity", "1e999", "[" * 100_000, ""], ids=lambda text: text[:20]
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_json(text)


def test_where_it_is_not_json() -> None:
    with pytest.raises(JSONDecodeError) as caught:
        read_json('{"a":\n x}')
    assert (caught.value.lineno, caught.value.colno) == (2, 2)


def test_a_key_stands_once() -> None:
    with pytest.raises(DuplicateKey, match="the key 'b' stands twice"):
        read_json('{"a": 1, "b": 2, "c": {"a": 3}, "b": 4}')


def test_lone_surrogates_are_escaped_and_pairs_are_kept() -> None:
    assert write_json("\ud800é😀") == '"\\ud800é😀"'
    assert write_json({"a": 1}).encode() == b'{"a": 1}'
