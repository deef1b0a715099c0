"""Evaluators made of specs, and what is looked at before a run starts."""

from typing import Any

import pytest

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.errors import InvalidInput, NotPermitted
from aloi.core.evaluator import bound
from aloi.service.evaluators import Preflight, evaluator_builder

CODE = {"kind": "python", "function": "tests.targets.functions:nothing"}
build = evaluator_builder(allow_code=True)


def preflight(*specs: dict[str, Any]) -> Preflight:
    return Preflight(bound([Binding.model_validate(spec) for spec in specs], build), build)


def case(**fields: Any) -> Case:
    return Case.model_validate({"prompt": "question", **fields})


def test_a_spec_is_built() -> None:
    assert build({"kind": "contains", "text": "a"}).to_spec() == {"kind": "contains", "text": "a"}


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"kind": "contanis"}, r"no kind 'contanis'.*contains"),
        ({"text": "a"}, "lacks its kind"),
        ({"kind": "contains", "txet": "a"}, "txet"),
        ({"kind": "contains", "text": 4}, "text"),
    ],
)
def test_a_bad_spec_is_named(spec: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        build(spec)


def test_code_runs_only_where_it_is_allowed() -> None:
    assert build(CODE).runs_code
    with pytest.raises(NotPermitted, match="ALOI_ALLOW_CODE"):
        evaluator_builder(allow_code=False)(CODE)


def test_cases_and_judged_cases_are_counted_and_the_judges_prompts_kept() -> None:
    looking = preflight({"kind": "contains", "text": "a"}, {"kind": "llm_judge", "rubric": "r", "weight": 0})
    looking.look_at(case())
    looking.look_at(case(expected_behavior="is kind"))
    assert (looking.cases, looking.judged) == (2, 2)
    assert sorted(looking.prompts) == ["behavior_judge", "llm_judge"]
    assert all(len(hashed) >= 8 for hashed in looking.prompts.values())
    looking.conclude(has_judge=True)


def test_an_evaluator_of_weight_0_needs_its_judge_too() -> None:
    looking = preflight({"kind": "contains", "text": "a"}, {"kind": "llm_judge", "rubric": "r", "weight": 0})
    looking.look_at(case())
    with pytest.raises(InvalidInput, match="1 of 1 cases need a judge"):
        looking.conclude(has_judge=False)


def test_no_case_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no case to run"):
        preflight().conclude(has_judge=True)


@pytest.mark.parametrize(("number", "more"), [(20, False), (21, True)])
def test_up_to_20_ungraded_cases_are_named(number: int, more: bool) -> None:
    looking = preflight()
    for position in range(number):
        looking.look_at(case(key=f"k{position:02}"))
    with pytest.raises(InvalidInput) as refused:
        looking.conclude(has_judge=True)
    assert "k19" in str(refused.value)
    assert ("and 1 more" in str(refused.value)) is more


def test_criteria_that_name_an_unknown_evaluator_are_refused_with_the_case() -> None:
    with pytest.raises(InvalidInput, match=r"case 'mine'.*nope"):
        preflight().look_at(case(key="mine", criteria={"nope": {"text": "a"}}))
