"""What frameworks wrap is unwrapped, and nothing else is."""

import json
from typing import Any

import pytest

from aloi.tracing.otlp import frameworks

CREW = {"raw": "Noon.", "pydantic": None, "json_dict": None, "tasks_output": []}


def test_what_goes_into_a_crew():
    tasks = json.dumps([{"description": "Tell the time."}])
    assert frameworks.given({"crew_inputs": '{"city": "Paris"}', "crew_tasks": tasks}) == {"city": "Paris"}
    assert frameworks.given({"crew_inputs": "", "crew_tasks": tasks}) == "Tell the time."
    assert frameworks.given({"input.value": "x"}) is None


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        (CREW, "Noon."),
        ({**CREW, "json_dict": {"time": 12}}, {"time": 12}),
        ({"raw": "kept"}, {"raw": "kept"}),
        ({"messages": []}, None),
        ("StopEvent(result=AgentOutput(x))", None),
        ("Hello (you=me)", "Hello (you=me)"),
        (3, 3),
    ],
)
def test_an_answer(value: Any, answer: Any):
    assert frameworks.answer(value) == answer


@pytest.mark.parametrize(
    ("value", "given"),
    [
        ({"kwargs": {"city": "Paris"}}, {"city": "Paris"}),
        ({"args": [], "kwargs": {"city": "Paris"}}, {"city": "Paris"}),
        ({"kwargs": 1, "city": "Paris"}, {"kwargs": 1, "city": "Paris"}),
        ("Paris", "Paris"),
    ],
)
def test_arguments(value: Any, given: Any):
    assert frameworks.arguments(value) == given


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ('{"type": "tool", "data": {"content": "sunny", "tool_call_id": "7"}}', ("sunny", "7")),
        ('{"raw_output": 3, "tool_name": "t", "raw_input": {}}', (3, None)),
        ('{"raw_output": 3}', ('{"raw_output": 3}', None)),
        ("sunny", ("sunny", None)),
    ],
)
def test_a_result(value: str, found: Any):
    assert frameworks.result(value) == found
