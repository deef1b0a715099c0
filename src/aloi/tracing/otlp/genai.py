"""The GenAI conventions as they were before, and as others write them, in the names that Aloi reads.

Sources: OpenTelemetry GenAI semantic conventions 1.27 to 1.38; pydantic-ai's formats 1 to 6; OpenLLMetry; Google ADK.
"""

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
from aloi.core.trajectory import message_text
from aloi.tracing.otlp import told_events
from aloi.tracing.otlp.messages import message, messages, read, tool_call
from aloi.tracing.otlp.raw import Event

RENAMED = {
    "gen_ai.usage.prompt_tokens": INPUT_TOKENS,
    "gen_ai.usage.completion_tokens": OUTPUT_TOKENS,
    "tool_arguments": TOOL_ARGUMENTS,
    "tool_response": TOOL_RESULT,
    "gen_ai.tool.arguments": TOOL_ARGUMENTS,
    "gen_ai.tool.result": TOOL_RESULT,
    "gcp.vertex.agent.tool_call_args": TOOL_ARGUMENTS,
    "gcp.vertex.agent.tool_response": TOOL_RESULT,
    "gen_ai.prompt": INPUT_MESSAGES,
    "gen_ai.completion": OUTPUT_MESSAGES,
    "traceloop.entity.input": "input.value",
    "traceloop.entity.output": "output.value",
}
# Other words for what a span does.
OPERATIONS = {"text_completion": "chat", "generate_content": "chat", "completion": "chat"}
TRACELOOP = {"tool": "execute_tool", "agent": "invoke_agent", "workflow": "invoke_workflow"}
FLAT = re.compile(r"gen_ai\.(prompt|completion)\.(\d{1,6})\.(.+)")
FLAT_CALL = re.compile(r"tool_calls\.(\d{1,6})\.(id|name|arguments)")
SIDES = {"prompt": INPUT_MESSAGES, "completion": OUTPUT_MESSAGES}
TOOL_PREFIXES = ("execute_tool ", "running tool: ")

Fields = dict[str, JsonValue]


def told(attributes: JsonObject, name: str, events: Sequence[Event] = ()) -> JsonObject:
    """The attributes in the present names of the conventions; `name` is the span's, `events` tell messages."""
    found: JsonObject = {}
    sides: dict[str, dict[int, Fields]] = {"prompt": {}, "completion": {}}
    for key, value in attributes.items():
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


def _operation(found: JsonObject, name: str) -> str | None:
    """What the span does: what it says, else what its attributes betray."""
    said = found.get(OPERATION)
    if isinstance(said, str) and said:
        return OPERATIONS.get(said, said)
    kind = found.get("traceloop.span.kind")
    if isinstance(kind, str) and kind in TRACELOOP:
        return TRACELOOP[kind]
    if TOOL_NAME in found and (TOOL_ARGUMENTS in found or name.startswith(TOOL_PREFIXES)):
        return "execute_tool"
    if "llm.request.type" in found or (INPUT_TOKENS in found and REQUEST_MODEL in found):
        return None if "agent" in name else "chat"
    return None


def _tool(found: JsonObject, name: str) -> None:
    """Name, arguments and result of a tool's span, in place, wherever they are told."""
    for prefix in TOOL_PREFIXES:
        name = name.removeprefix(prefix)
    found.setdefault(TOOL_NAME, name)
    asked, answered = found.get(INPUT_MESSAGES), found.get(OUTPUT_MESSAGES)
    ways: dict[str, tuple[JsonValue, ...]] = {
        TOOL_ARGUMENTS: (found.get("input.value"), message_text(asked)),
        TOOL_RESULT: (found.get("output.value"), message_text(answered)),
    }
    for attribute, values in ways.items():
        if (
            attribute not in found
            and (value := next((value for value in values if value is not None), None)) is not None
        ):
            found[attribute] = value
    if TOOL_ARGUMENTS in found:
        found[TOOL_ARGUMENTS] = read(found[TOOL_ARGUMENTS])
    if "gen_ai.tool_call.id" in found:
        found.setdefault(TOOL_CALL_ID, found["gen_ai.tool_call.id"])


def _flat(fields: Fields) -> JsonObject:
    """A message whose every field is an attribute of its own."""
    calls: dict[int, Fields] = {}
    for key, value in fields.items():
        if call := FLAT_CALL.fullmatch(key):
            calls.setdefault(int(call[1]), {})[call[2]] = value
    said = message({key: fields[key] for key in ("role", "content") if key in fields})
    asked = [tool_call(call.get("id"), call.get("name"), call.get("arguments")) for _, call in sorted(calls.items())]
    parts = said["parts"]
    return {**said, "parts": [*(parts if isinstance(parts, list) else []), *asked]}
