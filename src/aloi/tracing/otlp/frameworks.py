"""What some frameworks wrap around what goes in and what comes out of an agent."""

import re

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.trajectory import parsed
from aloi.tracing.otlp.messages import messages, plain, read

# A Python object as text: `StopEvent(result=AgentOutput(...`.
PYTHON_OBJECT = re.compile(r"[A-Z]\w*\(\w+=")
# LlamaIndex tells how its workflow begins, which is no input that anybody gave.
WORKFLOW_STATE = {"init_state", "start_event"}
CREW_INPUTS = "crew_inputs"
CREW_TASKS = ("crew_tasks", "crewai.crew.tasks")  # as OpenInference tells them, and OpenLLMetry
# What smolagents and AutoGen are given beside a task: how to do it.
OF_A_RUN = {"stream", "reset", "images", "additional_args", "max_steps", "return_full_result", "cancellation_token"}
# How Python functions are called, as LlamaIndex and smolagents tell it.
OF_A_CALL = {"args", "kwargs", "sanitize_inputs_outputs"}


def given(root: JsonObject) -> JsonValue:
    """What goes in, where a framework wraps it: its task. Null for other frameworks.

    Of a CrewAI crew that are its inputs; where it has none, its first task.
    """
    run = parsed(root.get("input.value"))
    if isinstance(run, dict) and "task" in run and run.keys() - {"task"} <= OF_A_RUN and len(run) > 1:
        return run["task"]
    if isinstance(run, dict) and run.keys() == {"args", "kwargs"}:  # OpenLLMetry: how a function was called
        return _called_with(run["args"], run["kwargs"])
    if isinstance(run, dict) and run.keys() == {"input_args"}:  # DSPy
        return run["input_args"]
    inputs, tasks = (
        parsed(root.get(CREW_INPUTS)),
        next((parsed(root[name]) for name in CREW_TASKS if name in root), None),
    )
    if isinstance(inputs, dict) and inputs:
        return inputs
    first = tasks[0] if isinstance(tasks, list) and tasks else None
    return first.get("description") if isinstance(first, dict) else None


def _called_with(args: JsonValue, kwargs: JsonValue) -> JsonValue:
    """What a function was given: one value by its place as that, those by name as an object; null for a mixture."""
    if not args:
        return kwargs
    return args[0] if isinstance(args, list) and len(args) == 1 and not kwargs else None


def bare(value: JsonValue) -> JsonValue:
    """What went into a chain of LangChain, or came out of it, without what OpenLLMetry tells around it."""
    if isinstance(value, dict) and {"inputs", "tags"} <= value.keys():
        return value["inputs"]
    return value["outputs"] if isinstance(value, dict) and value.keys() == {"outputs", "kwargs"} else value


def conversation(value: JsonValue) -> JsonValue:
    """The messages in a state that holds them; null where there are none, or in a form that is not read."""
    inside = value.get("messages") if isinstance(value, dict) else None
    found = messages(inside) if isinstance(inside, list) else None
    known = isinstance(found, list) and all(isinstance(one, dict) and one.get("role") for one in found)
    return found if known else None


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
    inside = value.get("result")
    if isinstance(inside, dict) and {"response", "current_agent_name"} <= inside.keys():  # LlamaIndex
        return None
    return None if "messages" in value else value


def arguments(value: JsonValue) -> JsonValue:
    """A tool's arguments; some write them as those of a Python function."""
    if isinstance(value, dict) and "kwargs" in value and value.keys() <= OF_A_CALL:
        return value["kwargs"] or value.get("args") or {}
    if isinstance(value, dict) and {"input_str", "inputs"} <= value.keys():  # LangChain, as OpenLLMetry tells it
        return value["inputs"] if value["inputs"] is not None else value["input_str"]
    return value


def result(value: JsonValue) -> tuple[JsonValue, JsonValue]:
    """A tool's result, and the id of its call where that is told with it.

    LangChain wraps it in a message of its own, LlamaIndex in an object beside what was given, MCP in blocks.
    """
    told = read(value)
    if isinstance(told, dict) and told.keys() == {"output", "kwargs"}:  # OpenLLMetry, around that of LangChain
        value = told = told["output"]
    if isinstance(told, str):  # a text that may be written as JSON
        return told, None
    if (text := _said_by_mcp(told)) is not None:
        return text, None
    if not isinstance(told, dict):
        return value, None
    if (message := _tool_message(told)) is not None:
        return plain(message.get("content")), message.get("tool_call_id")
    if {"tool_output", "tool_name", "tool_id"} <= told.keys():  # LlamaIndex's event, around its result
        gave = told["tool_output"]
        return gave.get("raw_output", gave) if isinstance(gave, dict) else gave, told["tool_id"]
    if {"raw_output", "tool_name", "raw_input"} <= told.keys():
        return told["raw_output"], None
    return value, None


def _said_by_mcp(told: JsonValue) -> str | None:
    """The text in the blocks that a tool of MCP answers with, where it answers with text alone."""
    content = told.get("content") if isinstance(told, dict) and "isError" in told else told
    blocks = content if isinstance(content, list) else [content]
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    words = [text for text in texts if isinstance(text, str)]
    return "\n".join(words) if words and len(words) == len(blocks) else None


def _tool_message(told: JsonObject) -> JsonObject | None:
    """The fields of LangChain's message of a tool, in the three ways in which it is written."""
    if told.get("type") == "tool" and "tool_call_id" in told:
        return told
    fields = told.get("kwargs") if "lc" in told else told.get("data") if told.get("type") == "tool" else None
    return fields if isinstance(fields, dict) and ("lc" not in told or "tool_call_id" in fields) else None


def is_no_tool(name: JsonValue) -> bool:
    """Whether a tool is none, but how a model gives a structured answer to pydantic-ai, or OpenAI Agents hand over."""
    return isinstance(name, str) and (name == "final_result" or name.startswith(("final_result_", "transfer_to_")))
