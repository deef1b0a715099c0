"""Tool calls that a target reports instead of making them before our eyes."""

from collections.abc import Iterable

from aloi.core.errors import StageFailure
from aloi.core.json_values import answer_fault
from aloi.core.target import Recorder
from aloi.core.trace import ToolCall, reported_attributes


def record_calls(recorder: Recorder, calls: Iterable[ToolCall]) -> None:
    """Write reported calls down as `execute_tool` spans, in their order.

    Raises:
        StageFailure: `bad_reply`; a call holds what could not be read again (see `answer_fault`).
    """
    for call in calls:
        if fault := answer_fault([call.args, call.output]):
            raise StageFailure("invoke", "bad_reply", f"the reported call of {call.tool} {fault}")
        with recorder.span(f"execute_tool {call.tool}", reported_attributes(call)) as span:
            if call.error is not None:
                span.fail(call.error)
