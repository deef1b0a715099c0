"""What counts as a usable reply of a judge, and the schema that it is shown."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.chat import ChatReply
from aloi.core.judge_reply import (
    Grade,
    JudgeReply,
    Truth,
    at_threshold,
    in_order,
    named_schema,
    numbered,
    read_reply,
    schema_of,
)

GOOD = '{"reasoning": "fits", "score": 0.7}'


class Point(JudgeReply):
    """One point."""

    reason: str
    holds: Truth


class Points(JudgeReply):
    """Some points."""

    reasoning: str
    points: dict[str, Point] = {}
    flags: dict[str, Truth] = {}
    overall: Truth


@pytest.mark.parametrize(
    "text",
    [GOOD, f"\n {GOOD}\n", f"```json\n{GOOD}\n```", f"```\n{GOOD}\n```", f"  ```json\n{GOOD}\n```\n"],
)
def test_a_reply_is_read_bare_or_in_one_fence(text: str) -> None:
    assert read_reply(ChatReply(text=text), Grade) == Grade(reasoning="fits", score=0.7)


@pytest.mark.parametrize(("text", "score"), [("0", 0.0), ("1", 1.0), ("1.0", 1.0), ("5e-1", 0.5)])
def test_a_number_within_the_bounds_is_a_score(text: str, score: float) -> None:
    assert read_reply(ChatReply(text=f'{{"reasoning": "è", "score": {text}}}'), Grade).score == score


@pytest.mark.parametrize(
    "score",
    ["7", "-0.1", "1.0000001", "NaN", "Infinity", "-Infinity", "1e999", "true", "false", '"0.7"', '"1"', "null", "[1]"],
)
def test_anything_else_is_no_score(score: str) -> None:
    with pytest.raises(ValueError, match="score"):
        read_reply(ChatReply(text=f'{{"reasoning": "r", "score": {score}}}'), Grade)


@pytest.mark.parametrize("holds", ['"false"', '"true"', "1", "0", "null", '"yes"'])
def test_a_truth_is_true_or_false_and_nothing_like_it(holds: str) -> None:
    with pytest.raises(ValueError, match="holds"):
        read_reply(ChatReply(text=f'{{"reason": "r", "holds": {holds}}}'), Point)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "{}",
        "null",
        "[]",
        "0.7",
        "I would say 0.7.",
        f"Here it is: {GOOD}",
        f"{GOOD} {GOOD}",
        f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```",
        f"Sure:\n```json\n{GOOD}\n```",
        f"```json\n{GOOD}\n``` I hope this helps.",
        '{"reasoning": "r"}',
        '{"score": 1}',
        '{"reasoning": 3, "score": 1}',
        '{"reasoning": "r", "score": 1, "verdict": "pass"}',
        '{"reasoning": "r", "score": 0, "score": 1}',
        '{"reasoning": "r", "score": 1',
        '{"reasoning": "\\ud800", "score": 1}',
        "{'reasoning': 'r', 'score': 1}",
        "[" * 100_000,
    ],
)
def test_all_else_is_unusable(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_reply(ChatReply(text=text), Grade)


def test_a_refusal_and_no_text_are_unusable_and_say_so() -> None:
    with pytest.raises(ValueError, match="refused: I cannot judge this"):
        read_reply(ChatReply(text=GOOD, refusal="I cannot judge this"), Grade)
    with pytest.raises(ValueError, match="no answer"):
        read_reply(ChatReply(text=None), Grade)


@given(st.text(), st.floats(0, 1))
def test_every_grade_survives_the_way_through_json(reasoning: str, score: float) -> None:
    text = json.dumps({"reasoning": reasoning, "score": score}, ensure_ascii=False)
    assert read_reply(ChatReply(text=text), Grade) == Grade(reasoning=reasoning, score=score)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_other_value_passes_and_nothing_but_a_value_error_is_raised(value: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_reply(ChatReply(text=json.dumps(value)), Grade)


@pytest.mark.parametrize(
    ("score", "threshold", "passed"), [(0.7, 0.7, True), (0.69, 0.7, False), (0.0, 0.0, True), (1.0, 1.0, True)]
)
def test_a_grade_passes_from_its_threshold_on(score: float, threshold: float, passed: bool) -> None:
    sample = at_threshold(threshold)(Grade(reasoning="r", score=score))
    assert (sample.value, sample.passed, sample.reasoning) == (score, passed, "r")


def test_reasoning_comes_first_and_nothing_is_optional() -> None:
    schema = schema_of(Grade)
    assert list(schema["properties"]) == ["reasoning", "score"] == schema["required"]
    assert schema["additionalProperties"] is False
    assert schema_of(Grade) is schema


def test_map_fields_are_spelt_out_in_the_schema() -> None:
    schema: Any = named_schema(Points, {"points": ["point_1", "point_2"], "flags": ["flag_1"]})
    assert list(schema["properties"]) == ["reasoning", "points", "flags", "overall"] == schema["required"]
    assert schema["properties"]["points"] == {
        "type": "object",
        "properties": {"point_1": {"$ref": "#/$defs/Point"}, "point_2": {"$ref": "#/$defs/Point"}},
        "required": ["point_1", "point_2"],
        "additionalProperties": False,
    }
    assert schema["properties"]["flags"]["properties"] == {"flag_1": {"type": "boolean"}}
    assert "default" not in json.dumps(schema)


def test_a_map_field_without_names_is_left_out() -> None:
    schema: Any = named_schema(Points, {"points": [], "flags": []})
    assert list(schema["properties"]) == ["reasoning", "overall"] == schema["required"]
    assert "points" in schema_of(Points)["properties"]


def test_entries_come_in_the_order_of_their_names() -> None:
    names = numbered("point", 11)
    assert names[:2] == ["point_1", "point_2"]
    shuffled = {name: int(name.split("_")[1]) for name in sorted(names)}
    assert in_order("points", shuffled, names) == list(range(1, 12))


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ({"a_1": 1}, "points: a_2 is missing"),
        ({"a_1": 1, "a_2": 2, "a_3": 3}, "points: 'a_3' is not asked for"),
        ({"a_0": 1, "a_1": 1, "b": 2}, "points: a_2 is missing, 'a_0' is not asked for, 'b' is not asked for"),
    ],
)
def test_a_missing_or_unknown_entry_is_named(entries: dict[str, int], fault: str) -> None:
    with pytest.raises(ValueError, match="points") as caught:
        in_order("points", entries, ["a_1", "a_2"])
    assert str(caught.value) == fault
