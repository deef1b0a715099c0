"""Secrets: which can be sent, and how they are hidden."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from aloi.core.errors import StageFailure
from aloi.llm.secrets import masked, read_secret

SECRETS = {"KEY": 's3cret/va"lue'}
SECRET = SECRETS["KEY"]


def test_a_value_is_read_without_white_space_around_it() -> None:
    assert read_secret({"KEY": " sk-one\r\n"}, "KEY") == "sk-one"
    assert read_secret({}, "KEY") == ""


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("a\nb", "a line break"),
        ("a\rb", "a line break"),
        ("a\tb", "a control character"),
        ("a\x7fb", "a control character"),
        ("clé", "a character that is not ASCII"),
        ("a\udcffb", "a character that is not ASCII"),
    ],
)
def test_a_value_that_cannot_be_sent_is_named_and_not_shown(value: str, fault: str) -> None:
    with pytest.raises(StageFailure, match=f"^the key in KEY holds {fault}, .* set KEY") as caught:
        read_secret({"KEY": value}, "KEY")
    assert (caught.value.stage, caught.value.type) == ("invoke", "bad_key")
    assert value not in caught.value.message


@pytest.mark.parametrize(
    "text", [SECRET, json.dumps(SECRET)[1:-1], json.dumps(SECRET)[1:-1].replace("/", r"\/")], ids=repr
)
def test_a_text_shows_no_form_of_it(text: str) -> None:
    assert masked(f"<{text}>", SECRETS) == "<[KEY]>"


def test_what_holds_none_is_the_same_object() -> None:
    value: JsonValue = {"a": ["b", 1, None]}
    assert masked(value, SECRETS) is value


def test_a_short_value_is_left() -> None:
    assert masked("a none b", {"KEY": "none", "EMPTY": ""}) == "a none b"


def test_a_secret_that_begins_with_another() -> None:
    assert masked("12345678 123456789", {"A": "12345678", "B": "123456789"}) == "[A] [B]"


@given(st.recursive(st.text() | st.none() | st.integers(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)))
def test_json_of_any_shape_shows_none(value: JsonValue) -> None:
    planted: JsonValue = {f"k {SECRET}": [value, f"a{SECRET}b", {"deep": [SECRET]}]}
    expected: JsonValue = {"k [KEY]": [value, "a[KEY]b", {"deep": ["[KEY]"]}]}
    assert masked(planted, SECRETS) == expected
