"""`exact_match`: JSON equality, texts against texts, and explanations that name what differs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import StageFailure
from aloi.core.score import Verdict
from tests.evaluators.grading import case, evaluator, grade

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("expected", "output", "options", "value"),
    [
        ("4", 4, {}, 1),
        (4, "4", {}, 1),
        (4, " 4.0\n", {}, 1),
        (4, "four", {}, 0),
        (True, 1, {}, 0),
        (1, True, {}, 0),
        (True, "true", {}, 1),
        (None, None, {}, 1),
        (None, "null", {}, 1),
        (None, "", {}, 0),
        (None, 0, {}, 0),
        ({"a": None}, {}, {}, 0),
        ({}, {"a": None}, {}, 0),
        ([], {}, {}, 0),
        ([1, 2], [2, 1], {}, 0),
        ({"a": 1}, '```json\n{"a": 1.0}\n```', {}, 1),
        ({"a": 1}, 'Here it is:\n```json\n{"a": 1}\n```', {}, 0),
        ({"a": 1}, "{'a': 1}", {}, 0),
        ("é", "e\u0301", {}, 1),
        ({"k": "é"}, {"k": "e\u0301"}, {}, 1),
        ("Straße", "STRASSE", {"ignore_case": True}, 1),
        ({"a": ["X"]}, {"a": ["x"]}, {"ignore_case": True}, 1),
        ({"A": 1}, {"a": 1}, {"ignore_case": True}, 0),
        (" a ", "a\n", {"strip": True}, 1),
        (" a ", "a\n", {}, 0),
        ({"a": " x"}, {"a": "x"}, {"strip": True}, 0),
        ('{"a": "é"}', {"a": "é"}, {}, 1),
        ("", "", {}, 1),
        ("a", "b", {"negate": True}, 1),
        ("a", "a", {"negate": True}, 0),
    ],
)
async def test_value(expected: Any, output: Any, options: dict[str, Any], value: float) -> None:
    score = await grade(evaluator("exact_match", expected=expected, **options), output)
    assert (score.value, score.verdict) == (value, Verdict.PASS if value else Verdict.FAIL)


async def test_the_case_says_what_is_expected_unless_the_spec_does() -> None:
    paris = case(expected_output="Paris")
    assert (await grade(evaluator("exact_match"), "Paris", of=paris)).value == 1
    assert (await grade(evaluator("exact_match", expected="Rome"), "Paris", of=paris)).value == 0
    assert (await grade(evaluator("exact_match", expected=None), "Paris", of=paris)).value == 0
    assert (await grade(evaluator("exact_match", expected=None), None, of=paris)).value == 1


async def test_nothing_expected_is_not_applicable_and_never_a_score() -> None:
    assert evaluator("exact_match").missing(case()) == "expected_output"
    assert evaluator("exact_match").missing(case(expected_output=0)) is None
    assert evaluator("exact_match", expected=None).missing(case()) is None
    with pytest.raises(StageFailure, match="expected_output"):
        await grade(evaluator("exact_match"), "x")


def test_a_written_null_survives_storage() -> None:
    spec = evaluator("exact_match", expected=None).to_spec()
    assert spec == {"kind": "exact_match", "expected": None}
    assert evaluator(**spec).missing(case()) is None  # pyright: ignore[reportArgumentType]


async def test_the_explanation_names_place_expected_and_actual() -> None:
    expected = {"items": [{"name": "a"}, {"name": "b", "n": 1}]}
    score = await grade(
        evaluator("exact_match", expected=expected), {"items": [{"name": "a"}, {"name": "c"}], "odd key": 3}
    )
    assert 'at $.items[1].name: expected "b", got "c"' in score.explanation
    assert "at $.items[1].n: expected 1, got nothing" in score.explanation
    assert "at $['odd key']: expected nothing, got 3" in score.explanation


async def test_target_path_selects_the_part_and_its_absence_fails() -> None:
    spec = evaluator("exact_match", expected=2, target_path="$.a.b")
    assert (await grade(spec, {"a": {"b": 2}})).value == 1
    assert (await grade(spec, '{"a": {"b": 2}}')).value == 1
    wrong = await grade(spec, {"a": {"b": 3}})
    assert "at $.a.b: expected 2, got 3" in wrong.explanation
    for output in ({"a": {}}, "no JSON at all"):
        score = await grade(spec, output)
        assert (score.value, score.verdict) == (0, Verdict.FAIL)
        assert "$.a.b" in score.explanation
    negated = evaluator("exact_match", expected=2, target_path="$.a.b", negate=True)
    assert (await grade(negated, {})).value == 0


async def test_a_path_that_selects_several_parts_is_an_error() -> None:
    with pytest.raises(StageFailure, match="2 parts"):
        await grade(evaluator("exact_match", expected=1, target_path="$[*]"), [1, 1])


@given(JSON, JSON)
async def test_equality_is_reflexive_and_symmetric(a: Any, b: Any) -> None:
    assert (await grade(evaluator("exact_match", expected=a), a)).value == 1
    if not isinstance(a, str) and not isinstance(b, str):
        forth = await grade(evaluator("exact_match", expected=a), b)
        back = await grade(evaluator("exact_match", expected=b), a)
        assert forth.value == back.value
        negated = await grade(evaluator("exact_match", expected=a, negate=True), b)
        assert negated.value != forth.value
