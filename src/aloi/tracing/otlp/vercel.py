"""What Vercel's AI SDK tells, in the names of the GenAI conventions. Source: its documentation of `ai.*` attributes."""

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
from aloi.tracing.otlp.messages import messages, read, text, tool_call

WHAT = "ai.operationId"
TURNS = (".doGenerate", ".doStream")
AGENTS = ("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject")
RENAMED = {
    "ai.model.id": REQUEST_MODEL,
    "ai.toolCall.name": TOOL_NAME,
    "ai.toolCall.id": TOOL_CALL_ID,
}
OF_A_TURN = {
    "ai.usage.promptTokens": INPUT_TOKENS,
    "ai.usage.inputTokens": INPUT_TOKENS,
    "ai.usage.completionTokens": OUTPUT_TOKENS,
    "ai.usage.outputTokens": OUTPUT_TOKENS,
}


def told(given: JsonObject) -> JsonObject:
    """The attributes with those of the conventions that they stand for; as they are where the SDK does not speak."""
    what = given.get(WHAT)
    if not isinstance(what, str):
        return given
    is_turn = what.endswith(TURNS)
    names = {**RENAMED, **OF_A_TURN} if is_turn else RENAMED
    found: JsonObject = {names[key]: value for key, value in given.items() if key in names}
    if what == "ai.toolCall":
        found[OPERATION] = "execute_tool"
        for key, name in (("ai.toolCall.args", TOOL_ARGUMENTS), ("ai.toolCall.result", TOOL_RESULT)):
            if key in given:
                found[name] = read(given[key])
    elif is_turn or what in AGENTS:
        found[OPERATION] = "chat" if is_turn else "invoke_agent"
        found |= _conversation(given)
    return {**found, **given}


def _conversation(given: JsonObject) -> JsonObject:
    """The messages that went in, and the one that came out."""
    found: JsonObject = {}
    prompt = read(given.get("ai.prompt.messages", given.get("ai.prompt")))
    asked = prompt.get("messages") or prompt.get("prompt") if isinstance(prompt, dict) else prompt
    if isinstance(asked, str):
        found[INPUT_MESSAGES] = [{"role": "user", "parts": [text(asked)]}]
    elif asked:
        found[INPUT_MESSAGES] = messages(asked)
    said = given.get("ai.response.text") or given.get("ai.response.object")
    parts: list[JsonValue] = [text(said)] if said else []
    calls = read(given.get("ai.response.toolCalls"))
    parts += [
        tool_call(call.get("toolCallId"), call.get("toolName"), call.get("input", call.get("args")))
        for call in (calls if isinstance(calls, list) else [])
        if isinstance(call, dict)
    ]
    if parts:
        found[OUTPUT_MESSAGES] = [{"role": "assistant", "parts": parts}]
    return found
