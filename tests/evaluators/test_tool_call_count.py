"""`tool_call_count`: how often each tool was called."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput, StageFailure
from tests.evaluators.grading import calls, case, evaluator, grade


@pytest.mark.parametrize(
    ("counts", "actual", "options", "value"),
    [
        ({"f": 2}, ["f", "f"], {}, 1),
        ({"f": 2}, ["f"], {}, 0),
        ({"f": 0}, [], {}, 1),
        ({"f": {"op": "==", "n": 0}}, ["g"], {}, 1),
        ({"f": {"op": "!=", "n": 1}}, ["f"], {}, 0),
        ({"f": {"op": "!=", "n": 1}}, [], {}, 1),
        ({"f": {"op": ">=", "n": 1}, "g": 1}, ["f", "f"], {}, 0.5),
        ({"F": 1}, ["f"], {}, 0),
        ({"f": 1}, ["f", "g"], {"unlisted": "ignore"}, 1),
        ({"f": 1}, ["f", "g", "g", "h"], {"unlisted": "forbid"}, 0.5),
        ({"f": 1}, ["f"], {"unlisted": "forbid"}, 1),
    ],
)
async def test_value(counts: Any, actual: Any, options: dict[str, Any], value: float) -> None:
    score = await grade(evaluator("tool_call_count", counts=counts, **options), tool_calls=calls(*actual))
    assert score.value == value


@pytest.mark.parametrize(
    "counts",
    [
        {},
        {"": 1},
        {"f": -1},
        {"f": 1.5},
        {"f": True},
        {"f": {"op": "=", "n": 1}},
        {"f": {"op": "<", "n": 0}},
        {"f": "1"},
    ],
)
def test_counts_that_make_no_sense_are_refused(counts: Any) -> None:
    with pytest.raises(InvalidInput, match="counts"):
        evaluator("tool_call_count", counts=counts)


async def test_without_counts_it_applies_where_criteria_give_them() -> None:
    assert evaluator("tool_call_count").missing(case()) == "counts"
    with pytest.raises(StageFailure, match="counts"):
        await grade(evaluator("tool_call_count"))


async def test_the_explanation_names_each_tool_with_expected_and_actual() -> None:
    spec = evaluator("tool_call_count", counts={"f": {"op": ">=", "n": 2}, "g": 0}, unlisted="forbid")
    score = await grade(spec, tool_calls=calls("f", "h", "h"))
    assert score.explanation == (
        "1 of 3 counts are as expected; f: expected >= 2 calls, got 1; not listed but called: h (2)"
    )


def test_the_stored_spec_is_as_written() -> None:
    spec = {"kind": "tool_call_count", "counts": {"f": {"op": ">=", "n": 1}, "g": 2}}
    assert evaluator(**spec).to_spec() == spec  # pyright: ignore[reportArgumentType]


@given(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), st.integers(1, 3), st.integers(0, 4))
async def test_every_comparison_is_pythons(op: str, n: int, made: int) -> None:
    score = await grade(evaluator("tool_call_count", counts={"f": {"op": op, "n": n}}), tool_calls=calls(*["f"] * made))
    assert score.value == float(eval(f"{made} {op} {n}"))
