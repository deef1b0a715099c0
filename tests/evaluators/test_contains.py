"""`contains`: a text in the output's text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput, StageFailure
from tests.evaluators.grading import case, evaluator, grade


@pytest.mark.parametrize(
    ("text", "output", "options", "value"),
    [
        ("Paris", "It is Paris.", {}, 1),
        ("paris", "It is Paris.", {}, 0),
        ("paris", "It is Paris.", {"ignore_case": True}, 1),
        ("Paris", "It is Rome.", {"negate": True}, 1),
        ("Paris", "It is Paris.", {"negate": True}, 0),
        ("é", "cafe\u0301", {}, 1),
        ("é", {"name": "café"}, {}, 1),
        ('"ok": true', {"ok": True}, {}, 1),
        ("None", {"a": None}, {}, 0),
        ("4", 4, {}, 1),
        ("x", "", {}, 0),
        ("\x00", "a\x00b", {}, 1),
        ("a", "a\ud800", {}, 1),
        ("b", {"a": "b", "c": "d"}, {"target_path": "$.c"}, 0),
        ("d", {"a": "b", "c": "d"}, {"target_path": "$.c"}, 1),
        ("d", {"a": "b"}, {"target_path": "$.c", "negate": True}, 0),
    ],
)
async def test_value(text: str, output: Any, options: dict[str, Any], value: float) -> None:
    score = await grade(evaluator("contains", text=text, **options), output)
    assert score.value == value


async def test_the_case_says_what_to_look_for_unless_the_spec_does() -> None:
    paris = case(expected_output="Paris")
    assert (await grade(evaluator("contains"), "In Paris", of=paris)).value == 1
    assert (await grade(evaluator("contains", text="Rome"), "In Paris", of=paris)).value == 0


@pytest.mark.parametrize("expected", [None, "", 4, {"a": 1}])
async def test_without_a_text_it_does_not_apply(expected: Any) -> None:
    spec, of = evaluator("contains"), case(expected_output=expected)
    assert "expected_output" in (spec.missing(of) or "")
    with pytest.raises(StageFailure):
        await grade(spec, "4", of=of)


def test_empty_text_is_refused() -> None:
    with pytest.raises(InvalidInput, match="text"):
        evaluator("contains", text="")


async def test_the_explanation_shows_what_was_sought_and_what_was_there() -> None:
    score = await grade(evaluator("contains", text="Paris"), "It is Rome.")
    assert score.explanation == 'the output does not contain "Paris"; it reads "It is Rome."'


# Within ASCII neither NFC nor casefolding joins or splits characters.
ASCII = st.text(st.characters(max_codepoint=127), max_size=6)


@given(ASCII, ASCII.filter(bool), ASCII)
async def test_a_text_around_the_text_contains_it(before: str, text: str, after: str) -> None:
    assert (await grade(evaluator("contains", text=text), before + text + after)).value == 1
    assert (await grade(evaluator("contains", text=text, negate=True), before + text + after)).value == 0
    assert (
        await grade(evaluator("contains", text=text.swapcase(), ignore_case=True), before + text + after)
    ).value == 1
