"""A cell means what the rule says, and every value finds its way back."""

import pytest
from hypothesis import given
from pydantic import JsonValue

from aloi.service.files.cells import (
    ANY,
    TEXT,
    TEXT_OR_OBJECT,
    Types,
    read_array,
    read_cell,
    read_flag,
    read_object,
    read_texts,
    write_cell,
)
from tests.service.files.strategies import OBJECTS, TEXTS, VALUES


@given(VALUES)
def test_any_value_comes_back(value: JsonValue) -> None:
    back = read_cell(write_cell(value, ANY), ANY)
    assert repr(back) == repr(value)


@given(TEXTS, OBJECTS)
def test_texts_and_objects_come_back(text: str, fields: dict[str, JsonValue]) -> None:
    assert read_cell(write_cell(text, TEXT), TEXT) == text
    assert read_cell(write_cell(text, TEXT_OR_OBJECT), TEXT_OR_OBJECT) == text
    assert read_cell(write_cell(fields, TEXT_OR_OBJECT), TEXT_OR_OBJECT) == fields


@pytest.mark.parametrize(
    ("cell", "takes", "value"),
    [
        ("391", ANY, 391),
        ("-0.5", ANY, -0.5),
        ("true", ANY, True),
        ("null", ANY, None),
        ('{"name": "Ada"}', ANY, {"name": "Ada"}),
        ("[1, 2]", ANY, [1, 2]),
        ("Paris", ANY, "Paris"),
        ("007", ANY, "007"),
        ("NaN", ANY, "NaN"),
        ("1e999", ANY, "1e999"),
        ("", ANY, None),
        ("  ", ANY, None),
        ('"Paris"', ANY, '"Paris"'),
        ('"5"', ANY, "5"),
        ('""', ANY, ""),
        ('"\\"5\\""', ANY, '"5"'),
        ("5", TEXT_OR_OBJECT, "5"),
        ("[1]", TEXT_OR_OBJECT, "[1]"),
        ('{"q": 1}', TEXT_OR_OBJECT, {"q": 1}),
        ('{"q": 1}', TEXT, '{"q": 1}'),
    ],
)
def test_what_a_cell_means(cell: str, takes: Types, value: JsonValue) -> None:
    assert repr(read_cell(cell, takes)) == repr(value)


def test_a_plain_text_is_written_plain() -> None:
    assert [write_cell(text, ANY) for text in ("Paris", '"Paris"', "5", "")] == ["Paris", '"Paris"', '"5"', '""']


def test_a_key_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="the key 'a' stands twice"):
        read_cell('{"a": 1, "b": 2, "a": 3}', ANY)


def test_texts_are_an_array_or_lines() -> None:
    assert read_texts('["a\\nb", "c"]') == ["a\nb", "c"]
    assert read_texts("one\r\n two \n\nthree, still three") == ["one", "two", "three, still three"]
    assert read_texts("[x] is ticked") == ["[x] is ticked"]
    assert read_texts(" ") == []
    assert read_texts("[]") == []


def test_a_broken_array_is_no_line() -> None:
    with pytest.raises(ValueError, match="not JSON at character 7 of the cell"):
        read_texts('["a", "b')
    with pytest.raises(ValueError, match="must be a JSON array of texts"):
        read_texts('["a", 1]')


def test_typed_cells() -> None:
    assert read_array(" ") is None
    assert read_array('[{"kind": "x"}]') == [{"kind": "x"}]
    assert read_object('{"a": 1}') == {"a": 1}
    with pytest.raises(ValueError, match="must be a JSON array"):
        read_array("{}")
    with pytest.raises(ValueError, match="must be a JSON object"):
        read_object("[]")


def test_flags() -> None:
    assert [read_flag(cell) for cell in ("TRUE", " no", "1", "")] == [True, False, True, None]
    with pytest.raises(ValueError, match="must be true or false, not 'maybe'"):
        read_flag("maybe")
