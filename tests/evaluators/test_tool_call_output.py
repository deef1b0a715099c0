"""`tool_call_output`: expected tool results paired with actual ones."""

from typing import Any

import pytest

from aloi.core.errors import InvalidInput, StageFailure
from tests.evaluators.grading import calls, case, evaluator, grade


def spec_of(*expected: tuple[str, Any]) -> Any:
    return evaluator("tool_call_output", outputs=[{"tool": tool, "output": output} for tool, output in expected])


@pytest.mark.parametrize(
    ("expected", "actual", "value"),
    [
        ([("f", {"a": 1})], [("f", {}, '{"a": 1.0}')], 1),
        ([("f", '{"b": 2, "a": 1}')], [("f", {}, '{"a":1,"b":2}')], 1),
        ([("f", '{"a": 1}')], [("f", {}, {"a": 1})], 1),
        ([("f", "4")], [("f", {}, 4)], 1),
        ([("f", "ok")], [("f", {}, "ok")], 1),
        ([("f", "é")], [("f", {}, "e\u0301")], 1),
        ([("f", "ok")], [("f", {}, '"ok"')], 0),
        ([("f", None)], [("f", {}, None)], 1),
        ([("f", None)], [("f", {}, "")], 0),
        ([("f", True)], [("f", {}, 1)], 0),
        ([("f", 1)], [("g", {}, 1)], 0),
        ([("f", 1), ("f", 1)], [("f", {}, 1)], 0.5),
        ([("f", 2), ("f", 1)], [("f", {}, 1), ("f", {}, 2)], 1),
        ([], [], 1),
        ([], ["f"], 0),
    ],
)
async def test_value(expected: Any, actual: Any, value: float) -> None:
    assert (await grade(spec_of(*expected), tool_calls=calls(*actual))).value == value


async def test_without_outputs_it_applies_where_criteria_give_them() -> None:
    assert evaluator("tool_call_output").missing(case()) == "outputs"
    with pytest.raises(StageFailure, match="outputs"):
        await grade(evaluator("tool_call_output"))


def test_an_expectation_without_an_output_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"outputs\.0\.output"):
        evaluator("tool_call_output", outputs=[{"tool": "f"}])


async def test_the_explanation_names_tool_expected_and_actual() -> None:
    score = await grade(spec_of(("f", 1), ("g", 2)), tool_calls=calls(("f", {}, 3)))
    assert score.explanation == (
        "0 of 2 expected tool results came back; f: expected 1, got 3; g: expected 2, no further call of it"
    )
