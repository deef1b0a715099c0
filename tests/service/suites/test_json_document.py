"""JSON is read exactly, with the line of every part."""

import json

import pytest
from hypothesis import given
from pydantic import JsonValue

from aloi.core.errors import InvalidInput
from aloi.service.suites.json_document import read_json_document
from tests.service.files.strategies import VALUES


@given(VALUES)
def test_what_json_writes_is_read_back(given: JsonValue) -> None:
    for text in (json.dumps(given), json.dumps(given, ensure_ascii=False, indent="\t")):
        assert repr(read_json_document(text, "s.json").value) == repr(given)


def test_every_part_knows_its_line() -> None:
    document = read_json_document('{"a":\n [1,\n{"b": 2}],\r\n"c": {}, "d":\n\n5}', "s.json")
    expected = {("a",): 1, ("a", 0): 2, ("a", 1): 3, ("a", 1, "b"): 3, ("c",): 4, ("d",): 4}
    assert {path: document.lines[path] for path in expected} == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,\n"b" 2}', "s.json:2:5: a colon was expected"),
        ('{"a": 1,\n"b": x}', "s.json:2:6: this is not JSON: Expecting value"),
        ('{"a": 1\n"b": 2}', "s.json:2:1: a comma or } was expected"),
        ("[1\n2]", "s.json:2:1: a comma or ] was expected"),
        ("{a: 1}", "s.json:1:2: a key in double quotes was expected"),
        ('{"a": 1,}', "s.json:1:9: a key in double quotes was expected"),
        ("[1, ]", "s.json:1:5: this is not JSON: Expecting value"),
        ("[1", "s.json:1:3: a comma or ] was expected"),
        ("{}\n{}", "s.json:2:1: there is more after the end; one file holds one suite"),
        ('{"a": 1,\n"a": 2}', "s.json:2: a: already stands on line 1; remove one"),
        ('{"a": NaN}', "s.json:1: NaN is not JSON; write null or a text"),
        ("[" * 5000, "s.json:1:102: it is nested more than 100 levels deep; flatten it"),
    ],
    ids=lambda text: text[:30],
)
def test_faults_name_the_place(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_json_document(text, "s.json")
    assert str(caught.value) == message
