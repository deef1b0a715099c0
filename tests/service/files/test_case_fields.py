"""A case becomes fields and fields a case; what cannot be one is said."""

import pytest
from hypothesis import given
from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.service.files.case_fields import CASE_FIELDS, Placed, case_of, fields_of, keys_once, unfit_texts
from aloi.service.files.faults import Faulty
from tests.service.files.strategies import VALUES, cases


@given(cases())
def test_a_case_comes_back_from_its_fields(case: Case) -> None:
    fields = fields_of(case)
    assert case_of(fields) == case
    assert set(fields) <= set(CASE_FIELDS)


def test_only_what_says_something_is_a_field() -> None:
    assert fields_of(Case(key="k", input="p", id="7")) == {"key": "k", "prompt": "p"}


def test_evaluators_are_written_flat_unless_a_field_would_be_hidden() -> None:
    evaluators: list[JsonValue] = [
        {"kind": "contains", "text": "a"},
        {"kind": "regex", "pattern": "b", "name": "n", "weight": 0.5},
        {"name": "odd", "weight": 1.0, "spec": {"kind": "http", "name": "x"}},
    ]
    case = case_of({"prompt": "p", "evaluators": evaluators})
    assert fields_of(case)["evaluators"] == evaluators


def test_the_source_is_an_import() -> None:
    assert case_of({"prompt": "p"}).source.kind == "import"


@given(VALUES)
def test_ordinary_texts_are_fit(value: JsonValue) -> None:
    assert list(unfit_texts(value)) == []


def test_unfit_texts_are_found_wherever_they_are() -> None:
    found = list(unfit_texts({"a": ["x", "\0"], "\udc00": {"b": "y\ud800"}}))
    assert [fault.path for fault in found] == [("a", 1), (), ("\udc00", "b")]


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(Faulty) as caught:
        case_of({"prompt": "a\0", "tag": [], "keys": 1})
    assert [fault.path for fault in caught.value.faults] == [("tag",), ("keys",), ("prompt",)]


def test_given_keys_come_once_and_made_ones_may_repeat() -> None:
    made = Case(input="same")
    assert len(list(keys_once([Placed(1, made), Placed(2, made)], "c.csv"))) == 2
    given_twice = [Placed(1, Case(key="k", input="a")), Placed(4, Case(key="k", input="b"))]
    with pytest.raises(InvalidInput, match=r"^c\.csv:4: key: 'k' is already the key of line 1; keys are unique"):
        list(keys_once(given_twice, "c.csv"))
