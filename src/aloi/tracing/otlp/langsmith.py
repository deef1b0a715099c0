"""What LangSmith's SDK tells of its runs by OpenTelemetry, in the names of the GenAI conventions."""

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.trace import INPUT_MESSAGES, OPERATION, OUTPUT_MESSAGES
from aloi.tracing.otlp.messages import messages, read

KIND = "langsmith.span.kind"
OPERATIONS = {"llm": "chat", "tool": "execute_tool", "embedding": "embeddings", "retriever": "retrieval"}
# Of every run, whatever it is, the inputs and the outputs by their names.
INPUTS, OUTPUTS = "gen_ai.prompt", "gen_ai.completion"
NOTHING = "{}"  # of a run that failed


def told(given: JsonObject) -> JsonObject:
    """The attributes with those of the conventions that they stand for; as they are where LangSmith does not speak."""
    kind = given.get(KIND)
    if not isinstance(kind, str):
        return given
    found = {name: value for name, value in given.items() if name not in (INPUTS, OUTPUTS, OPERATION)}
    if given.get(OUTPUTS) == NOTHING:
        given = {name: value for name, value in given.items() if name != OUTPUTS}
    if kind in OPERATIONS:
        found[OPERATION] = OPERATIONS[kind]
    if kind == "llm":
        sides = ((INPUTS, INPUT_MESSAGES, _asked), (OUTPUTS, OUTPUT_MESSAGES, _answered))
        return found | {side: messages(told(read(given[name]))) for name, side, told in sides if name in given}
    sides = ((INPUTS, "input.value", "input"), (OUTPUTS, "output.value", "output"))
    return found | {side: _alone(given[name], key) for name, side, key in sides if name in given}


def _alone(value: JsonValue, key: str) -> JsonValue:
    """What is given by itself, which is told as an object with just that."""
    inside = read(value)
    return inside[key] if isinstance(inside, dict) and inside.keys() == {key} else value


def _asked(inputs: JsonValue) -> JsonValue:
    """The messages that a model was sent; LangChain tells a list of such lists."""
    found = inputs.get("messages", inputs.get("prompts")) if isinstance(inputs, dict) else inputs
    return found[0] if isinstance(found, list) and len(found) == 1 and isinstance(found[0], list) else found


def _answered(outputs: JsonValue) -> JsonValue:
    """The messages that a model answered, as LangChain tells them, or OpenAI."""
    if not isinstance(outputs, dict):
        return outputs
    found = outputs.get("generations") or outputs.get("choices") or outputs.get("messages")
    first = found[0] if isinstance(found, list) and found else outputs
    first = first[0] if isinstance(first, list) and first else first
    return [first.get("message") or first] if isinstance(first, dict) else first
