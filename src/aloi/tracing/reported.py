"""Tool calls that a target reports instead of making them before our eyes."""

from collections.abc import Iterable

from aloi.core.spec import JsonObject
from aloi.core.target import Recorder
from aloi.core.trace import OPERATION, PROVENANCE, TOOL_ARGUMENTS, TOOL_NAME, TOOL_RESULT, ToolCall


def record_calls(recorder: Recorder, calls: Iterable[ToolCall]) -> None:
    """Write reported calls down as `execute_tool` spans, in their order."""
    for call in calls:
        with recorder.span(f"execute_tool {call.tool}", _attributes(call)) as span:
            if call.error is not None:
                span.fail(call.error)


def _attributes(call: ToolCall) -> JsonObject:
    return {
        OPERATION: "execute_tool",
        TOOL_NAME: call.tool,
        TOOL_ARGUMENTS: call.args,
        TOOL_RESULT: call.output,
        PROVENANCE: call.provenance,
    }
