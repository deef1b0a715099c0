"""Scoring one output outside of any run."""

import pytest
from pydantic import ValidationError

from aloi.core.grading import GradeRequest
from aloi.core.spec import JsonObject
from aloi.core.trace import ToolCall
from aloi.core.trajectory import trajectory
from aloi.core.usage import Usage

CONTAINS: JsonObject = {"kind": "contains", "text": "Paris"}


def test_what_is_not_given() -> None:
    request = GradeRequest(evaluator=CONTAINS, output="Paris")
    outcome = request.outcome()
    assert (outcome.output, outcome.failure, outcome.trace) == ("Paris", None, None)
    assert (request.case.input, request.judge) == ("", None)


def test_unknown_tool_calls_are_not_no_tool_calls() -> None:
    none_made = GradeRequest(evaluator=CONTAINS, output="x", tool_calls=()).outcome()
    assert none_made.trace is not None
    assert none_made.trace.shows_tools
    assert trajectory(none_made.trace).tool_calls == ()


def test_tool_calls_are_the_path_in_their_order() -> None:
    calls = tuple(ToolCall(tool=name, args={"q": index}) for index, name in enumerate(["search", "book"]))
    trace = GradeRequest(evaluator=CONTAINS, output="x", tool_calls=calls).outcome().trace
    assert trace is not None
    assert [(call.tool, call.args) for call in trajectory(trace).tool_calls] == [
        ("search", {"q": 0}),
        ("book", {"q": 1}),
    ]


def test_latency_and_usage_are_those_given() -> None:
    usage = Usage(calls=1, cost=0.5)
    outcome = GradeRequest(evaluator=CONTAINS, output={"a": 1}, latency=1.5, usage=usage).outcome()
    assert (outcome.output, outcome.latency, outcome.usage) == ({"a": 1}, 1.5, usage)


def test_the_output_must_be_told() -> None:
    with pytest.raises(ValidationError, match="output"):
        GradeRequest.model_validate({"evaluator": CONTAINS})


def test_a_case_without_an_input_has_an_empty_one() -> None:
    case = {"expected_output": "x"}
    request = GradeRequest.model_validate({"evaluator": CONTAINS, "output": "x", "case": case})
    assert (request.case.input, request.case.expected_output) == ("", "x")
    request = GradeRequest.model_validate({"evaluator": CONTAINS, "output": "x", "case": {"prompt": "Hi"}})
    assert request.case.input == "Hi"
