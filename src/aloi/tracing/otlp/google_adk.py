"""What Google's Agent Development Kit tells in attributes of its own, in the names of the GenAI conventions."""

from aloi.core.spec import JsonObject
from aloi.core.trace import INPUT_MESSAGES, OPERATION, OUTPUT_MESSAGES, TOOL_NAME, TOOL_RESULT
from aloi.tracing.otlp.messages import messages, read

REQUEST, RESPONSE = "gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response"
EVENT = "gcp.vertex.agent.event_id"
GAVE = "gcp.vertex.agent.tool_response"
# Around calls that were made at once it tells one more, which nobody made.
MERGED = "(merged tools)"


def told(given: JsonObject) -> JsonObject:
    """The attributes with those of the conventions that they stand for; as they are where the kit does not speak."""
    if given.get(TOOL_NAME) == MERGED:
        return {name: value for name, value in given.items() if name not in (OPERATION, TOOL_NAME)}
    asked, answered = read(given.get(REQUEST)), read(given.get(RESPONSE))
    found: JsonObject = {}
    if isinstance(asked, dict) and asked.get("contents"):
        found[INPUT_MESSAGES] = messages(asked["contents"])
        found[OPERATION] = "chat"
    if isinstance(answered, dict) and isinstance(content := answered.get("content"), dict):
        found[OUTPUT_MESSAGES] = messages([content])
    gave = read(given.get(GAVE, given.get(TOOL_RESULT))) if EVENT in given else None
    if isinstance(gave, dict) and gave.keys() == {"result"}:  # so it wraps what is no object
        return {**found, **given, TOOL_RESULT: gave["result"]}
    return {**found, **given}
