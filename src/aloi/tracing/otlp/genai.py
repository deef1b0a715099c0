"""The GenAI conventions as they were before, and as others write them, in the names that Aloi reads.

Sources: OpenTelemetry GenAI semantic conventions 1.27 to 1.38; pydantic-ai's formats 1 to 6; OpenLLMetry; Google ADK.
"""

import json
import re
from collections.abc import Sequence

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
from aloi.tracing.otlp import frameworks, google_adk, langfuse, langsmith, told_events, vercel
from aloi.tracing.otlp.messages import message, messages, read, spoken, tool_call
from aloi.tracing.otlp.raw import Event

RENAMED = {
    "gen_ai.usage.prompt_tokens": INPUT_TOKENS,
    "gen_ai.usage.completion_tokens": OUTPUT_TOKENS,
    "tool_arguments": TOOL_ARGUMENTS,
    "tool_response": TOOL_RESULT,
    "tool.name": TOOL_NAME,
    "tool.arguments": TOOL_ARGUMENTS,
    "gen_ai.tool.arguments": TOOL_ARGUMENTS,
    "gen_ai.tool.result": TOOL_RESULT,
    "gcp.vertex.agent.tool_call_args": TOOL_ARGUMENTS,
    "gcp.vertex.agent.tool_response": TOOL_RESULT,
    "gen_ai.prompt": INPUT_MESSAGES,
    "gen_ai.completion": OUTPUT_MESSAGES,
    "spring.ai.tool.definition.name": TOOL_NAME,
    "spring.ai.tool.call.arguments": TOOL_ARGUMENTS,
    "spring.ai.tool.call.result": TOOL_RESULT,
    "crewai.crew.result": "output.value",
    "traceloop.entity.input": "input.value",
    "traceloop.entity.output": "output.value",
}
# Other words for what a span does.
OPERATIONS = {
    "text_completion": "chat",
    "generate_content": "chat",
    "completion": "chat",
    "chat.completions": "chat",
    "chat.streaming_completions": "chat",
    "text.completions": "chat",
    "text.streaming_completions": "chat",
}
TURNS = ("chat", "completion")  # of `llm.request.type`, which may be `embedding` too
TRACELOOP = {"tool": "execute_tool", "agent": "invoke_agent", "workflow": "invoke_workflow"}
FLAT = re.compile(r"gen_ai\.(prompt|completion)\.(\d{1,6})\.(.+)")
FLAT_CALL = re.compile(r"tool_calls\.(\d{1,6})\.(id|name|arguments)")
SIDES = {"prompt": INPUT_MESSAGES, "completion": OUTPUT_MESSAGES}
ERROR_TYPE = "error.type"
STATUSES = ("tool.status", "gen_ai.tool.status")  # Strands'
EXECUTE = "execute_tool "
MERGED = "execute_tool (merged"  # Google ADK's, around calls that were made at once
TOOL_PREFIXES = (EXECUTE, "running tool: ", "tools/call ")

DIALECTS = (vercel.told, google_adk.told, langfuse.told, langsmith.told)

Fields = dict[str, JsonValue]


def told(attributes: JsonObject, name: str, events: Sequence[Event] = ()) -> JsonObject:
    """The attributes in the present names of the conventions; `name` is the span's, `events` tell messages."""
    found: JsonObject = {}
    sides: dict[str, dict[int, Fields]] = {"prompt": {}, "completion": {}}
    for key, value in _in_dialect(attributes).items():
        if key in RENAMED:
            found.setdefault(RENAMED[key], value)
        elif key.startswith(("gen_ai.prompt.", "gen_ai.completion.")) and (flat := FLAT.fullmatch(key)):
            sides[flat[1]].setdefault(int(flat[2]), {})[flat[3]] = value
        else:
            found[key] = value
    for side, attribute in SIDES.items():
        if sides[side]:
            found.setdefault(attribute, [_flat(fields) for _, fields in sorted(sides[side].items())])
    told_events.add(found, [*told_events.in_attribute(attributes.get("events")), *events])
    for attribute in SIDES.values():
        if attribute in found:
            found[attribute] = messages(found[attribute])
    operation = _operation(found, name)
    if operation is not None:
        found[OPERATION] = operation
    if operation == "execute_tool":
        _tool(found, name)
    return found


def _in_dialect(attributes: JsonObject) -> JsonObject:
    """The attributes with those added that an SDK tells in words of its own."""
    for read_dialect in DIALECTS:
        attributes = read_dialect(attributes)
    return attributes


def told_failure(attributes: JsonObject) -> str | None:
    """Why a tool failed, where its span has no status of an error: some tell it by attributes alone."""
    failed = attributes.get(ERROR_TYPE) or "error" in (attributes.get(name) for name in STATUSES)
    if not failed or attributes.get(OPERATION) != "execute_tool":
        return None
    why = attributes.get("error.message") or attributes.get(TOOL_RESULT) or attributes.get(ERROR_TYPE)
    return why if isinstance(why, str) else "error" if why is None else json.dumps(why)


def _operation(found: JsonObject, name: str) -> str | None:
    """What the span does: what it says, else what its attributes betray."""
    said = found.get(OPERATION)
    if isinstance(said, str) and said:
        return OPERATIONS.get(said, said)
    kind = found.get("traceloop.span.kind")
    if isinstance(kind, str) and kind in TRACELOOP:
        return TRACELOOP[kind]
    if name.startswith(EXECUTE) and not name.startswith(MERGED):
        return "execute_tool"
    if TOOL_NAME in found and (TOOL_ARGUMENTS in found or name.startswith(TOOL_PREFIXES)):
        return "execute_tool"
    if found.get("llm.request.type") in TURNS or (INPUT_TOKENS in found and REQUEST_MODEL in found):
        return None if "agent" in name else "chat"
    return None


def _tool(found: JsonObject, name: str) -> None:
    """Name, arguments and result of a tool's span, in place, wherever they are told."""
    for prefix in TOOL_PREFIXES:
        name = name.removeprefix(prefix)
    found.setdefault(TOOL_NAME, found.get("traceloop.entity.name") or name)
    asked, answered = found.get(INPUT_MESSAGES), found.get(OUTPUT_MESSAGES)
    ways: dict[str, tuple[JsonValue, ...]] = {
        TOOL_ARGUMENTS: (found.get("input.value"), spoken(asked)),
        TOOL_RESULT: (found.get("output.value"), spoken(answered)),
    }
    for attribute, values in ways.items():
        if (
            attribute not in found
            and (value := next((value for value in values if value is not None), None)) is not None
        ):
            found[attribute] = value
    if TOOL_ARGUMENTS in found:
        found[TOOL_ARGUMENTS] = frameworks.arguments(read(found[TOOL_ARGUMENTS]))
    if TOOL_RESULT in found:
        found[TOOL_RESULT], call_id = frameworks.result(found[TOOL_RESULT])
        if call_id is not None:
            found.setdefault(TOOL_CALL_ID, call_id)
    if "gen_ai.tool_call.id" in found:
        found.setdefault(TOOL_CALL_ID, found["gen_ai.tool_call.id"])


def _flat(fields: Fields) -> JsonObject:
    """A message whose every field is an attribute of its own."""
    calls: dict[int, Fields] = {}
    for key, value in fields.items():
        if call := FLAT_CALL.fullmatch(key):
            calls.setdefault(int(call[1]), {})[call[2]] = value
    told = message({key: fields[key] for key in ("role", "content", "tool_call_id") if key in fields})
    asked = [tool_call(call.get("id"), call.get("name"), call.get("arguments")) for _, call in sorted(calls.items())]
    parts = told["parts"]
    return {**told, "parts": [*(parts if isinstance(parts, list) else []), *asked]}
