"""What Langfuse's SDK tells of its observations, in the names of the GenAI conventions.

Source: Langfuse's documentation of its attributes for OpenTelemetry.
"""

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.trace import INPUT_MESSAGES, INPUT_TOKENS, OPERATION, OUTPUT_MESSAGES, OUTPUT_TOKENS, REQUEST_MODEL
from aloi.tracing.otlp.messages import messages, read

KIND = "langfuse.observation.type"
OPERATIONS = {
    "generation": "chat",
    "tool": "execute_tool",
    "agent": "invoke_agent",
    "embedding": "embeddings",
    "retriever": "retrieval",
}
INPUTS = ("langfuse.observation.input", "langfuse.trace.input")
OUTPUTS = ("langfuse.observation.output", "langfuse.trace.output")
USAGE = "langfuse.observation.usage_details"
MODEL = "langfuse.observation.model.name"
USED = {
    "input": INPUT_TOKENS,
    "prompt_tokens": INPUT_TOKENS,
    "output": OUTPUT_TOKENS,
    "completion_tokens": OUTPUT_TOKENS,
}


def told(given: JsonObject) -> JsonObject:
    """The attributes with those of the conventions that they stand for; as they are where Langfuse does not speak."""
    kind = given.get(KIND)
    if not isinstance(kind, str):
        return given
    found: JsonObject = {}
    is_turn = kind == "generation"
    for names, attribute, side in ((INPUTS, "input.value", INPUT_MESSAGES), (OUTPUTS, "output.value", OUTPUT_MESSAGES)):
        value = next((given[name] for name in names if name in given), None)
        if value is not None:
            found[side if is_turn else attribute] = messages(_conversation(value)) if is_turn else value
    if kind in OPERATIONS:
        found[OPERATION] = OPERATIONS[kind]
    if MODEL in given:
        found[REQUEST_MODEL] = given[MODEL]
    used = read(given.get(USAGE))
    if is_turn and isinstance(used, dict):
        found |= {attribute: used[name] for name, attribute in USED.items() if name in used}
    return {**found, **given}


def _conversation(value: JsonValue) -> JsonValue:
    """The messages in what went into a model or came out of it."""
    inside = read(value)
    return inside["messages"] if isinstance(inside, dict) and "messages" in inside else value
