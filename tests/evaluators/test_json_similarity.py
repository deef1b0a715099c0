"""`json_similarity`: texts, thresholds, what is ignored, and inputs that are too big for the loop."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from aloi.core.errors import InvalidInput
from aloi.core.score import Verdict
from aloi.evaluators.json_similarity import text_similarity
from tests.evaluators.grading import case, evaluator, grade


@pytest.mark.parametrize(
    ("expected", "output", "options", "value"),
    [
        ({"a": 1}, "not JSON", {}, 0),
        ({"a": 1}, '```json\n{"a": 1}\n```', {}, 1),
        ("kitten", "sitting", {}, 1 - 3 / 7),
        ("12", "12", {}, 1),
        (12, "12", {}, 1),
        (None, None, {}, 1),
        (None, "null", {}, 1),
        ({}, {}, {}, 1),
        ({}, {"a": 1}, {}, 0),
        ([[], {}], [[], {}], {}, 1),
        ({"a": "é"}, {"a": "e\u0301"}, {}, 1),
        ({"a": 1, "id": 5}, {"a": 1, "id": 9}, {"ignore": ["$.id"]}, 1),
        ([{"a": 1, "id": 5}], [{"a": 1}], {"ignore": ["$[*].id"]}, 1),
        ({"a": 1}, {"a": 1, "at": "now"}, {"ignore": ["$.at"], "penalise_extra": True}, 1),
        ({"a": 1}, {"a": 1, "b": 2, "c": [3, 4]}, {"penalise_extra": True}, 1 / 4),
        ([1, 2, 3], [3, 1, 2], {"unordered": True}, 1),
        ([1, 2, 4], [4, 2, 1], {}, (0 + 1 + 1 / 4) / 3),
        ({"r": {"a": 1}}, {"r": {"a": 2}, "s": 1}, {"target_path": "$.r"}, 0),
        ({"a": 4}, {"r": {"a": 3}}, {"target_path": "$.r"}, 0.75),
    ],
)
async def test_value(expected: Any, output: Any, options: dict[str, Any], value: float) -> None:
    score = await grade(evaluator("json_similarity", expected=expected, **options), output)
    assert score.value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("threshold", "verdict"), [(0, Verdict.PASS), (0.5, Verdict.PASS), (0.51, Verdict.FAIL), (None, Verdict.FAIL)]
)
async def test_the_threshold_decides(threshold: float | None, verdict: Verdict) -> None:
    options = {} if threshold is None else {"threshold": threshold}
    score = await grade(evaluator("json_similarity", expected=[1, 2], **options), [1])
    assert (score.value, score.verdict, score.threshold) == (0.5, verdict, 0.9 if threshold is None else threshold)


async def test_a_missing_part_scores_0_against_the_threshold() -> None:
    score = await grade(evaluator("json_similarity", expected=1, target_path="$.a"), {})
    assert (score.value, score.verdict, score.threshold) == (0, Verdict.FAIL, 0.9)


async def test_the_case_says_what_is_expected() -> None:
    of = case(expected_output={"a": 1})
    assert (await grade(evaluator("json_similarity"), {"a": 1}, of=of)).value == 1
    assert evaluator("json_similarity").missing(case()) == "expected_output"


@pytest.mark.parametrize(
    "options", [{"threshold": 1.1}, {"threshold": -0.1}, {"ignore": ["$"]}, {"ignore": ["a["]}, {"threshold": math.nan}]
)
def test_bad_parameters_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        evaluator("json_similarity", expected=1, **options)


async def test_the_explanation_counts_and_names_what_differs() -> None:
    spec = evaluator("json_similarity", expected={"a": [1, "x"], "b": None}, penalise_extra=True)
    score = await grade(spec, {"a": [2, "x"], "c": 1})
    assert score.explanation == (
        "1 of 3 expected and 1 unexpected leaves alike; at $.a[0]: expected 1, got 2; "
        "at $.b: expected null, got nothing"
    )


async def test_long_unordered_lists_end_and_say_that_they_were_paired_roughly() -> None:
    expected = [{"id": i, "tags": ["a", "b"]} for i in range(1000)]
    spec = evaluator("json_similarity", expected=expected, unordered=True)
    assert (await grade(spec, expected[::-1])).value == 1
    changed = [{**item, "id": -1} for item in expected[::-1]]
    score = await grade(spec, changed)
    assert 0.6 < (score.value or 0) < 0.7
    assert "too long" in score.explanation


def test_long_texts_are_never_more_alike_than_they_are() -> None:
    a, b = "abcdefghij" * 11_000, "abcdefghik" * 11_000
    assert text_similarity(a, b) == pytest.approx(0.9)
    shifted = "x" + a
    exact = 1 - Levenshtein.distance(a, shifted) / len(shifted)
    assert 0.99 < text_similarity(a, shifted) <= exact
    assert text_similarity(a, a) == 1
    assert text_similarity(a, "") == 0


@given(st.text(max_size=20), st.text(max_size=20))
def test_text_similarity_is_symmetric_and_in_range(a: str, b: str) -> None:
    value = text_similarity(a, b)
    assert 0 <= value <= 1
    assert value == text_similarity(b, a)
    assert (value == 1) == (a == b)
