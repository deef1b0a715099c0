"""`tool_call_order`: the longest part of the expected order that was kept."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.evaluator import EvaluationContext
from aloi.core.outcome import Outcome
from aloi.core.score import Score
from aloi.core.trace import ToolCall, Trace, call_span
from tests.evaluators.grading import calls, case, evaluator, grade


@pytest.mark.parametrize(
    ("tools", "actual", "options", "value"),
    [
        (["a", "b"], ["a", "x", "b"], {}, 1),
        (["a", "b"], ["b", "a"], {}, 0.5),
        (["a", "b"], ["A", "b"], {}, 0.5),
        (["a", "b"], ["a", "x", "b"], {"mode": "exact"}, 0),
        (["a", "b"], ["a", "b"], {"mode": "exact"}, 1),
        (["a", "a"], ["a"], {"mode": "exact"}, 0),
        ([], [], {"mode": "exact"}, 1),
        ([], ["a"], {"mode": "exact"}, 0),
        ([], ["a"], {}, 0),
    ],
)
async def test_value(tools: Any, actual: Any, options: dict[str, Any], value: float) -> None:
    score = await grade(evaluator("tool_call_order", tools=tools, **options), tool_calls=calls(*actual))
    assert score.value == value


async def test_calls_are_ordered_by_start_time() -> None:
    late, early = call_span(ToolCall(tool="b"), 2, 0), call_span(ToolCall(tool="a"), 1, 0)
    outcome = Outcome(output="x", trace=Trace(trace_id="t", spans=(late, early)))
    spec = evaluator("tool_call_order", tools=["a", "b"], mode="exact")
    score = spec.evaluate(EvaluationContext(case=case(), outcome=outcome))
    assert isinstance(score, Score) and score.value == 1


async def test_without_tools_it_applies_where_criteria_give_them() -> None:
    assert evaluator("tool_call_order").missing(case()) == "tools"
    with pytest.raises(StageFailure, match="tools"):
        await grade(evaluator("tool_call_order"))


@pytest.mark.parametrize("fields", [{"tools": [""]}, {"tools": "a"}, {"tools": ["a"], "mode": "any"}])
def test_bad_parameters_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        evaluator("tool_call_order", **fields)


async def test_the_explanation_names_what_is_out_of_place() -> None:
    score = await grade(evaluator("tool_call_order", tools=["a", "b", "c"]), tool_calls=calls("a", "b", "x"))
    assert score.explanation == (
        "2 of 3 expected tools were called in this order; missing or out of place: c; expected a, b, c, got a, b, x"
    )


NAMES = st.lists(st.sampled_from("abc"), max_size=6)


@given(NAMES.filter(bool), NAMES)
async def test_the_kept_part_is_the_longest(tools: list[str], actual: list[str]) -> None:
    parts = {part for size in range(len(tools) + 1) for part in combinations(tools, size)}
    common = parts & {part for size in range(len(actual) + 1) for part in combinations(actual, size)}
    score = await grade(evaluator("tool_call_order", tools=tools), tool_calls=calls(*actual))
    assert score.value == max(map(len, common)) / len(tools)
