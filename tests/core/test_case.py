"""One test case: how it may be written, and what of it is frozen."""

from typing import Any

import pytest
from pydantic import ValidationError

from aloi.core.case import Case, CaseStatus, made_key


def test_a_prompt_is_the_text_form_of_an_input() -> None:
    assert Case.model_validate({"prompt": "hi"}).input == "hi"
    assert Case.model_validate({"input": {"q": "é"}}).input_text == '{"q": "é"}'


def test_the_key_is_made_from_the_input_unless_given() -> None:
    made = Case.model_validate({"prompt": "hi"}).key
    assert made.startswith("auto-")
    assert made == Case.model_validate({"prompt": "hi", "key": ""}).key
    assert made != Case.model_validate({"prompt": "ho"}).key
    assert Case.model_validate({"prompt": "hi", "key": "k"}).key == "k"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "needs a prompt"),
        ({"prompt": None}, "needs a prompt"),
        ({"prompt": "a", "input": "b"}, "not both"),
        ({"prompt": "a", "expected": "b"}, "expected"),
        ({"prompt": "a", "key": "k" * 201}, "key"),
        ({"prompt": 5}, "input"),
        ({"input": ["a"]}, "input"),
        ({"prompt": "a", "gone": None}, "gone"),
        ({"prompt": "a", "enabled": "perhaps"}, "enabled"),
        ({"prompt": "a", "status": "done"}, "status"),
        ({"prompt": "a", "evaluators": [{"text": "x"}]}, "names its kind"),
        ({"input": b"a"}, "input is not JSON"),
        ({"input": {"n": float("nan")}}, "input is not JSON"),
        ({"input": {"n": float("nan")}, "key": "k"}, "NaN"),
        ({"prompt": "a", "expected_output": [float("inf")]}, "NaN or infinite"),
    ],
)
def test_bad_cases_are_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Case.model_validate(fields)


def test_blank_assertions_are_dropped() -> None:
    assert Case.model_validate({"prompt": "a", "assertions": ["x", " ", ""]}).assertions == ("x",)


@pytest.mark.parametrize("blank", ["", " ", "\n\t", None])
def test_a_blank_behaviour_is_none(blank: str | None) -> None:
    assert Case.model_validate({"prompt": "a", "expected_behavior": blank}).expected_behavior is None
    assert Case.model_validate({"prompt": "a", "expected_behavior": " polite "}).expected_behavior == " polite "


def test_null_clears_every_field_but_the_input() -> None:
    optional = [name for name in Case.model_fields if name != "input"]
    cleared = Case.model_validate({"prompt": "a", **dict.fromkeys(optional)})
    assert cleared == Case.model_validate({"prompt": "a"})
    assert {*optional} <= cleared.model_fields_set  # so that an update knows them from fields that were left out


def test_a_null_beside_the_other_form_of_the_input_is_nothing() -> None:
    assert Case.model_validate({"prompt": None, "input": "a"}) == Case.model_validate({"prompt": "a", "input": None})


def test_a_case_is_kept_as_json() -> None:
    case = Case.model_validate({"input": {"q": 1}, "key": "k" * 200, "evaluators": [{"kind": "contains"}]})
    assert Case.model_validate_json(case.model_dump_json()) == case


def test_equal_inputs_make_equal_keys() -> None:
    assert made_key({"a": 1, "b": 2}) == Case(input={"b": 2, "a": 1}).key
    assert made_key("\ud800").startswith("auto-")


def test_inline_evaluators_are_named_once() -> None:
    specs = [{"kind": "contains", "text": "a"}, {"kind": "contains", "text": "b"}]
    case = Case.model_validate({"prompt": "a", "evaluators": specs})
    assert [binding.name for binding in case.evaluators] == ["contains", "contains-2"]


def test_name_tags_and_state_are_not_content() -> None:
    plain = Case.model_validate({"prompt": "a"})
    dressed = Case.model_validate({"prompt": "a", "id": "1", "name": "n", "tags": ["t"], "enabled": False})
    assert plain.content() == dressed.content()
    assert plain.content() != Case.model_validate({"prompt": "a", "expected_output": "b"}).content()


@pytest.mark.parametrize(
    ("fields", "runs"), [({}, True), ({"enabled": False}, False), ({"status": CaseStatus.DRAFT}, False)]
)
def test_only_enabled_ready_cases_run(fields: dict[str, Any], runs: bool) -> None:
    assert Case.model_validate({"prompt": "a", **fields}).runs is runs
