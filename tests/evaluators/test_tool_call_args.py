"""`tool_call_args`: expected calls paired with actual ones so that as many as possible match."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.evaluator import EvaluationContext
from aloi.core.outcome import Outcome
from aloi.core.score import Verdict
from tests.evaluators.grading import calls, case, evaluator, grade


def spec_of(expected: list[tuple[str, Any]], **options: Any) -> Any:
    written = [{"tool": tool, "args": args} for tool, args in expected]
    return evaluator("tool_call_args", calls=written, **options)


@pytest.mark.parametrize(
    ("expected", "actual", "options", "value"),
    [
        ([("f", {"x": 1})], [("f", {"x": 1.0, "y": 2})], {}, 1),
        ([("f", {"x": 1})], [("f", {"x": 1, "y": 2})], {"mode": "exact"}, 0),
        ([("f", {"x": 1})], [("f", {"x": 1})], {"mode": "exact"}, 1),
        ([("f", {})], ["f"], {"mode": "exact"}, 1),
        ([("f", {})], [("f", None)], {"mode": "exact"}, 1),
        ([("f", {})], [("f", "not JSON")], {}, 1),
        ([("f", {})], [("f", "not JSON")], {"mode": "exact"}, 0),
        ([("f", {"x": 1})], [("f", "not JSON")], {}, 0),
        ([("f", {"x": 1})], [("f", '{"x": 1}')], {}, 1),
        ([("f", {"x": {"a": 1}})], [("f", {"x": {"a": 1, "b": 2}})], {}, 0),
        ([("f", {"x": None})], [("f", {})], {}, 0),
        ([("f", {"x": True})], [("f", {"x": 1})], {}, 0),
        ([("f", {}), ("f", {})], ["f"], {}, 0.5),
        ([("f", {})], ["f", "f", "g"], {}, 1),
        ([("f", {})], ["f", "f", "g"], {"forbid_extra": True}, 1 / 3),
        ([("f", {}), ("g", {})], ["f"], {"forbid_extra": True}, 0.5),
        ([("f", {}), ("f", {"x": 1}), ("f", {"x": 1, "y": 1})], [("f", {"x": 1, "y": 1}), ("f", {"x": 1}), "f"], {}, 1),
        ([], [], {}, 1),
        ([], ["f"], {}, 0),
    ],
)
async def test_value(expected: Any, actual: Any, options: dict[str, Any], value: float) -> None:
    score = await grade(spec_of(expected, **options), tool_calls=calls(*actual))
    assert score.value == pytest.approx(value)
    assert score.verdict is (Verdict.PASS if value == 1 else Verdict.FAIL)


async def test_the_threshold_decides() -> None:
    half = await grade(spec_of([("f", {}), ("g", {})], threshold=0.5), tool_calls=calls("f"))
    assert (half.value, half.verdict, half.threshold) == (0.5, Verdict.PASS, 0.5)


async def test_without_a_trace_it_is_an_error() -> None:
    spec = spec_of([])
    with pytest.raises(StageFailure) as failure:
        spec.evaluate(EvaluationContext(case=case(), outcome=Outcome(output="x")))
    assert failure.value.type == "missing_evidence"


async def test_without_calls_it_applies_where_criteria_give_them() -> None:
    assert evaluator("tool_call_args", mode="exact").missing(case()) == "calls"
    assert spec_of([]).missing(case()) is None
    with pytest.raises(StageFailure, match="calls"):
        await grade(evaluator("tool_call_args"))


@pytest.mark.parametrize(
    "fields", [{"calls": [{"tool": ""}]}, {"calls": [{"args": {}}]}, {"calls": [{"tool": "f", "args": [1]}]}]
)
def test_bad_calls_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"calls\.0"):
        evaluator("tool_call_args", **fields)


async def test_the_explanation_names_what_is_missing_and_the_nearest_call() -> None:
    expected = [("f", {"x": 1, "y": 2}), ("g", {})]
    score = await grade(spec_of(expected), tool_calls=calls(("f", {"x": 1, "y": 3}), ("f", {"x": 5}), "h"))
    assert score.explanation == (
        '0 of 2 expected calls were made; f({"x": 1, "y": 2}) is missing; nearest call of it, in its arguments: '
        "at $.y: expected 2, got 3; g({}) is missing; calls left over: f, f, h"
    )


ARGS = st.fixed_dictionaries({}, optional={"x": st.integers(0, 1), "y": st.integers(0, 1)})
CALLS = st.lists(st.tuples(st.sampled_from("fg"), ARGS), max_size=4)


@given(CALLS.filter(bool), CALLS)
async def test_the_matching_is_the_largest_there_is(expected: Any, actual: Any) -> None:
    def fits(wanted: Any, call: Any) -> bool:
        return wanted[0] == call[0] and wanted[1].items() <= call[1].items()

    padded = [*actual, *[("", {})] * len(expected)]
    best = max(sum(map(fits, expected, order)) for order in permutations(padded, len(expected)))
    score = await grade(spec_of(expected), tool_calls=calls(*actual))
    assert score.value == best / len(expected)
    assert (await grade(spec_of(expected), tool_calls=calls(*expected))).value == 1
