"""OpenInference's attributes (LangChain, LlamaIndex, OpenAI Agents ...) in the names of the GenAI conventions.

What is written flat, `llm.input_messages.0.message.role`, becomes messages; attributes that say nothing more are left
out. Source: OpenInference semantic conventions, version 1.
"""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.trace import (
    INPUT_MESSAGES,
    INPUT_TOKENS,
    OPERATION,
    OUTPUT_MESSAGES,
    OUTPUT_TOKENS,
    REQUEST_MODEL,
    TOOL_ARGUMENTS,
    TOOL_CALL_ID,
    TOOL_NAME,
    TOOL_RESULT,
)
from aloi.tracing.otlp import frameworks
from aloi.tracing.otlp.messages import ROLES, messages, read, response, text, tool_call

KIND = "openinference.span.kind"
INPUT, OUTPUT = "input.value", "output.value"
OPERATIONS = {
    "LLM": "chat",
    "TOOL": "execute_tool",
    "AGENT": "invoke_agent",
    "EMBEDDING": "embeddings",
    "RETRIEVER": "retrieval",
}
RENAMED = {
    "llm.model_name": REQUEST_MODEL,
    "llm.token_count.prompt": INPUT_TOKENS,
    "llm.token_count.completion": OUTPUT_TOKENS,
    "agent.name": "gen_ai.agent.name",
    "tool.name": TOOL_NAME,
    "tool_call.id": TOOL_CALL_ID,
}
MESSAGE = re.compile(r"llm\.(input|output)_messages\.(\d{1,6})\.message\.(.+)")
CALL = re.compile(r"tool_calls\.(\d{1,6})\.tool_call\.(id|function\.name|function\.arguments)")
CONTENT = re.compile(r"contents\.(\d{1,6})\.message_content\.text")
HANDOFF = "handoff to "  # OpenAI Agents: it goes on as another agent, and no tool is called
THOUGHT = ("reasoning", "thinking")  # contents of a message that are not said to anybody
LEFT_OUT = re.compile(r"llm\.(tools\.\d+\.|token_count\.total$)|(input|output)\.mime_type$")

Messages = dict[int, dict[str, JsonValue]]


def speaks(attributes: Mapping[str, JsonValue]) -> bool:
    """Whether a span has OpenInference's attributes."""
    return KIND in attributes


def told(attributes: JsonObject, name: str) -> JsonObject:
    """The attributes in the names of the GenAI conventions; `name` is the span's."""
    kind = str(attributes.get(KIND, "")).upper()
    found: JsonObject = {}
    sides: dict[str, Messages] = {"input": {}, "output": {}}
    for key, value in attributes.items():
        flat = MESSAGE.fullmatch(key)
        if flat is not None:
            sides[flat[1]].setdefault(int(flat[2]), {})[flat[3]] = value
        elif key in RENAMED:
            found[RENAMED[key]] = value
        elif not LEFT_OUT.match(key):
            found[key] = value
    for side, attribute in (("input", INPUT_MESSAGES), ("output", OUTPUT_MESSAGES)):
        if sides[side]:
            found[attribute] = [_message(fields) for _, fields in sorted(sides[side].items())]
    if kind == "LLM" and OUTPUT_MESSAGES not in found:
        found |= _of_response(found.get(OUTPUT))
    if kind == "TOOL" and name.startswith(HANDOFF):
        return found
    # LlamaIndex calls what only prepares a model's turn, or surrounds it, by the same kind.
    if kind in OPERATIONS and (kind != "LLM" or _is_turn(found)):
        found[OPERATION] = OPERATIONS[kind]
    if kind == "TOOL":
        _tool(found, name)
    return found


def _of_response(value: JsonValue) -> JsonObject:
    """What OpenAI's response tells; OpenAI Agents tell of one that was streamed by nothing else."""
    inside = read(value)
    first = inside[0] if isinstance(inside, list) and inside else inside
    if not isinstance(first, dict) or first.get("object") != "response":
        return {}
    used = first.get("usage")
    tokens = used if isinstance(used, dict) else {}
    counts = {INPUT_TOKENS: tokens.get("input_tokens"), OUTPUT_TOKENS: tokens.get("output_tokens")}
    told = {name: count for name, count in counts.items() if count is not None}
    return {**told, OUTPUT_MESSAGES: messages(first.get("output"))}


def _is_turn(found: JsonObject) -> bool:
    """Whether a model was asked: there are messages, tokens or prompts."""
    return any(name in found for name in (INPUT_MESSAGES, OUTPUT_MESSAGES, INPUT_TOKENS, OUTPUT_TOKENS, "llm.prompts"))


def _message(fields: dict[str, JsonValue]) -> JsonValue:
    """A message of the conventions: a role with its parts."""
    texts: list[JsonValue] = []
    calls: dict[int, dict[str, JsonValue]] = {}
    for key, value in fields.items():
        if call := CALL.fullmatch(key):
            calls.setdefault(int(call[1]), {})[call[2]] = value
        elif (part := CONTENT.fullmatch(key)) and fields.get(f"contents.{part[1]}.message_content.type") not in THOUGHT:
            texts.append(value)
    if not texts and fields.get("content"):  # some tell it both ways
        texts = [fields["content"]]
    parts: list[JsonValue] = [text(content) for content in texts]
    for _, call in sorted(calls.items()):
        parts.append(tool_call(call.get("id"), call.get("function.name"), call.get("function.arguments", "")))
    if fields.get("role") == "tool":
        answer = "\n".join(map(str, texts)) if texts else None
        parts = [response(fields.get("tool_call_id"), answer)]
    role = fields.get("role")
    return {"role": ROLES.get(role, role) if isinstance(role, str) else role, "parts": parts}


def _tool(found: JsonObject, name: str) -> None:
    """Name, arguments and result of a tool's span, in place."""
    found.setdefault(TOOL_NAME, name.removesuffix(".__call__"))  # DSPy names the method
    if INPUT in found:
        found[TOOL_ARGUMENTS] = frameworks.arguments(read(found.pop(INPUT)))
    elif isinstance(given := read(found.get("tool.parameters")), dict) and "properties" not in given:  # no schema
        found.setdefault(TOOL_ARGUMENTS, given)
    if OUTPUT in found:
        found[TOOL_RESULT], call_id = frameworks.result(found.pop(OUTPUT))
        if call_id is not None:
            found.setdefault(TOOL_CALL_ID, call_id)
