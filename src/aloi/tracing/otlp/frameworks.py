"""What some frameworks wrap around what goes in and what comes out of an agent."""

import re

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.trajectory import parsed

# A Python object as text: `StopEvent(result=AgentOutput(...`.
PYTHON_OBJECT = re.compile(r"[A-Z]\w*\(\w+=")
# LlamaIndex tells how its workflow begins, which is no input that anybody gave.
WORKFLOW_STATE = {"init_state", "start_event"}
CREW = ("crew_inputs", "crew_tasks")


def given(root: JsonObject) -> JsonValue:
    """What goes into a CrewAI crew: its inputs; where it has none, its first task. Null for other frameworks."""
    inputs, tasks = (parsed(root.get(name)) for name in CREW)
    if isinstance(inputs, dict) and inputs:
        return inputs
    first = tasks[0] if isinstance(tasks, list) and tasks else None
    return first.get("description") if isinstance(first, dict) else None


def is_conversation(value: JsonObject) -> bool:
    """Whether an input is the state that holds the messages, which tell it better."""
    return "messages" in value or bool(WORKFLOW_STATE & value.keys())


def answer(value: JsonValue) -> JsonValue:
    """An output without what the framework adds; null where it is told in a form that is not read."""
    if isinstance(value, str) and PYTHON_OBJECT.match(value):
        return None
    if not isinstance(value, dict):
        return value
    if "tasks_output" in value and "raw" in value:  # CrewAI
        return value.get("pydantic") or value.get("json_dict") or value["raw"]
    return None if "messages" in value else value


def arguments(value: JsonValue) -> JsonValue:
    """A tool's arguments; LlamaIndex writes them as those of a Python function."""
    if isinstance(value, dict) and "kwargs" in value and value.keys() <= {"args", "kwargs"}:
        return value["kwargs"]
    return value


def result(value: JsonValue) -> tuple[JsonValue, JsonValue]:
    """A tool's result, and the id of its call where that is told with it.

    LangChain wraps it in a message of its own, LlamaIndex in an object beside what was given.
    """
    inside = parsed(value)
    if not isinstance(inside, dict):
        return value, None
    data = inside.get("data")
    if inside.get("type") == "tool" and isinstance(data, dict):
        return data.get("content"), data.get("tool_call_id")
    if {"raw_output", "tool_name", "raw_input"} <= inside.keys():
        return inside["raw_output"], None
    return value, None
