"""What frameworks wrap is unwrapped, and nothing else is."""

import json
from typing import Any

import pytest

from aloi.tracing.otlp import frameworks

RAW = '{"raw_output": 3, "tool_name": "t", "raw_input": {}}'
BLOCK = '{"type": "text", "text": "a"}'
CREW = {"raw": "Noon.", "pydantic": None, "json_dict": None, "tasks_output": []}


def test_what_goes_into_a_crew():
    tasks = json.dumps([{"description": "Tell the time."}])
    assert frameworks.given({"crew_inputs": '{"city": "Paris"}', "crew_tasks": tasks}) == {"city": "Paris"}
    assert frameworks.given({"crew_inputs": "", "crew_tasks": tasks}) == "Tell the time."
    assert frameworks.given({"crewai.crew.tasks": tasks}) == "Tell the time."
    assert frameworks.given({"input.value": "x"}) is None


def test_what_is_told_around_a_chain():
    assert frameworks.bare({"inputs": {"city": "Paris"}, "tags": [], "metadata": {}}) == {"city": "Paris"}
    assert frameworks.bare({"outputs": "Yes.", "kwargs": {}}) == "Yes."
    assert frameworks.bare({"inputs": "Hi?"}) == {"inputs": "Hi?"}
    assert frameworks.bare("Hi?") == "Hi?"


@pytest.mark.parametrize(
    ("value", "given"),
    [
        ({"args": ["Hi?"], "kwargs": {}}, "Hi?"),
        ({"args": [], "kwargs": {"city": "Paris"}}, {"city": "Paris"}),
        ({"args": ["Hi?", 3], "kwargs": {}}, None),
        ({"input_args": {"question": "Hi?"}}, {"question": "Hi?"}),
    ],
)
def test_what_a_function_is_called_with(value: Any, given: Any):
    assert frameworks.given({"input.value": json.dumps(value)}) == given


@pytest.mark.parametrize(
    ("value", "given"),
    [
        ({"task": "Hi?", "stream": False, "reset": True, "max_steps": None}, "Hi?"),
        ({"task": "Hi?"}, None),
        ({"task": "Hi?", "city": "Paris"}, None),
    ],
)
def test_what_a_run_is_given_beside_its_task_is_no_input(value: Any, given: Any):
    assert frameworks.given({"input.value": json.dumps(value)}) == given


@pytest.mark.parametrize("messages", [[], [["user", "Hi?"]], [{"role": "user", "content": "Hi?"}]])
def test_the_messages_of_a_state(messages: Any):
    found: Any = frameworks.conversation({"messages": messages})
    assert [one["parts"][0]["content"] for one in found] == ["Hi?"] * len(messages)


@pytest.mark.parametrize("state", [{"messages": ["Message(Hi?)"]}, {"messages": "Hi?"}, {"city": "Paris"}, "Hi?", None])
def test_a_state_without_messages_that_are_read(state: Any):
    assert frameworks.conversation(state) is None


def test_tools_that_are_none():
    names = ["final_result", "final_result_Weather", "transfer_to_math", "final_results", "search", None]
    assert [frameworks.is_no_tool(name) for name in names] == [True, True, True, False, False, False]


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        (CREW, "Noon."),
        ({**CREW, "json_dict": {"time": 12}}, {"time": 12}),
        ({"raw": "kept"}, {"raw": "kept"}),
        ({"messages": []}, None),
        ({"result": {"response": {}, "current_agent_name": "a"}}, None),
        ({"result": {"response": 3}}, {"result": {"response": 3}}),
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
        ({"args": [], "sanitize_inputs_outputs": True, "kwargs": {"city": "Paris"}}, {"city": "Paris"}),
        ({"input_str": "{'city': 'Paris'}", "inputs": {"city": "Paris"}, "tags": []}, {"city": "Paris"}),
        ({"input_str": "Paris", "inputs": None}, "Paris"),
        ({"kwargs": 1, "city": "Paris"}, {"kwargs": 1, "city": "Paris"}),
        ({"args": ["Paris"], "kwargs": {}}, ["Paris"]),
        ({"args": [], "kwargs": {}}, {}),
        ("Paris", "Paris"),
    ],
)
def test_arguments(value: Any, given: Any):
    assert frameworks.arguments(value) == given


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ('{"type": "tool", "data": {"content": "sunny", "tool_call_id": "7"}}', ("sunny", "7")),
        (RAW, (3, None)),
        ('{"raw_output": 3}', ('{"raw_output": 3}', None)),
        (
            '{"tool_name": "t", "tool_id": "7", "tool_output": {"raw_output": 3, "tool_name": "t", "raw_input": {}}}',
            (3, "7"),
        ),
        ('{"output": {"lc": 1, "kwargs": {"content": "sunny", "tool_call_id": "7"}}, "kwargs": {}}', ("sunny", "7")),
        ('{"output": "sunny", "kwargs": {}}', ("sunny", None)),
        ('{"output": "sunny"}', ('{"output": "sunny"}', None)),
        ('{"type": "tool", "content": [{"type": "text", "text": "sunny"}], "tool_call_id": "7"}', ("sunny", "7")),
        ('"sunny"', ("sunny", None)),
        ('{"type": "text", "text": "sunny"}', ("sunny", None)),
        (
            '{"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "isError": false}',
            ("a\nb", None),
        ),
        ('[{"text": "sunny", "id": 1}]', ('[{"text": "sunny", "id": 1}]', None)),
        ("[]", ("[]", None)),
        ("sunny", ("sunny", None)),
    ],
)
def test_a_result(value: str, found: Any):
    assert frameworks.result(value) == found
