"""The path of a workflow: its steps in order, and in the place of an agent's step what the agent did."""

from typing import Any

from pydantic import JsonValue

from aloi.core.path_text import path_text, simulations_text
from aloi.core.trace import (
    OPERATION,
    OUTPUT_MESSAGES,
    PROVENANCE,
    STEP_INPUT,
    STEP_NAME,
    STEP_OUTPUT,
    STEP_SKIPPED,
    STEP_WAITING,
    TOOL_ARGUMENTS,
    TOOL_NAME,
    TOOL_RESULT,
    Span,
    Trace,
)
from aloi.core.trajectory import trajectory


class Spans:
    """Spans in the order of their starts."""

    def __init__(self) -> None:
        self.made: list[Span] = []
        self.root = self.add("invoke_workflow", None)

    def add(self, operation: str, parent: str | None, attributes: Any = None, error: str | None = None) -> str:
        number = len(self.made)
        given = {OPERATION: operation, **(attributes or {})}
        self.made.append(
            Span(
                span_id=str(number),
                parent_id=parent,
                name=operation,
                start_ns=number,
                end_ns=number,
                attributes=given,
                error=error,
            )
        )
        return str(number)

    def step(self, path: str, output: JsonValue = None, parent: str | None = None, more: Any = None) -> str:
        attributes = {STEP_NAME: path, STEP_INPUT: {"of": path}, STEP_OUTPUT: output, **(more or {})}
        return self.add("workflow_step", parent or self.root, attributes)

    def chat(self, parent: str, text: str) -> str:
        said = [{"role": "assistant", "parts": [{"type": "text", "content": text}]}]
        return self.add("chat", parent, {OUTPUT_MESSAGES: said})

    def tool(self, parent: str, name: str) -> str:
        return self.add("execute_tool", parent, {TOOL_NAME: name, TOOL_ARGUMENTS: {}, TOOL_RESULT: "r"})

    def shown(self) -> list[tuple[str, str | None]]:
        steps = trajectory(Trace(trace_id="t", spans=tuple(self.made))).steps
        return [(step.type, step.call.tool if step.call else step.text) for step in steps]


def test_without_an_agent_the_steps_are_the_path() -> None:
    spans = Spans()
    spans.chat(spans.step("classify", "refund"), "refund")
    spans.step("route", "left")
    spans.step("left_out", more={STEP_SKIPPED: True})
    spans.tool(spans.step("lookup", 3), "calculator")
    spans.step("approve", more={STEP_WAITING: True})
    spans.step("final", "done", more={PROVENANCE: "static"})
    assert spans.shown() == [("step", "classify"), ("step", "route"), ("step", "lookup"), ("step", "final")]
    calls = trajectory(Trace(trace_id="t", spans=tuple(spans.made))).tool_calls
    assert [(call.tool, call.args, call.output, call.provenance) for call in calls] == [
        ("classify", {"of": "classify"}, "refund", "real"),
        ("route", {"of": "route"}, "left", "real"),
        ("lookup", {"of": "lookup"}, 3, "real"),
        ("final", {"of": "final"}, "done", "static"),
    ]


def test_in_the_place_of_an_agents_step_stands_what_the_agent_did() -> None:
    spans = Spans()
    spans.step("before", 1)
    agent = spans.add("invoke_agent", spans.step("ask", "answer"))
    spans.chat(agent, "thinking")
    spans.tool(agent, "search")
    spans.step("simulated_agent", "x", more={PROVENANCE: "generated"})
    assert spans.shown() == [("step", "before"), ("model", "thinking"), ("tool", "search"), ("step", "simulated_agent")]


def test_in_the_place_of_a_map_stand_the_steps_inside() -> None:
    spans = Spans()
    each = spans.step("each", [1, 2])
    spans.chat(spans.step("each[0].inner", 1, each), "one")
    broken = {STEP_NAME: "each[1].inner", STEP_INPUT: 2}
    spans.add("workflow_step", each, broken, error="broken")
    spans.step("empty", [])
    path = trajectory(Trace(trace_id="t", spans=tuple(spans.made)))
    assert [(call.tool, call.error) for call in path.tool_calls] == [
        ("inner", None),
        ("inner", "broken"),
        ("empty", None),
    ]


def test_a_judge_reads_the_steps_by_name() -> None:
    spans = Spans()
    spans.step("classify", "refund")
    spans.step("approve", True, more={PROVENANCE: "static"})
    path = trajectory(Trace(trace_id="t", spans=tuple(spans.made)))
    first, second = path_text(path).splitlines()
    assert '"type": "step"' in first and '"name": "classify"' in first and '"result": "refund"' in first
    assert '"provenance": "static"' in second
    assert '"approve"' in simulations_text(path)


def test_a_trace_without_workflow_is_read_as_before() -> None:
    spans = Spans()
    agent = spans.add("invoke_agent", None)
    spans.chat(agent, "hello")
    spans.tool(agent, "search")
    spans.tool(spans.root, "loose")
    assert spans.shown() == [("model", "hello"), ("tool", "search"), ("tool", "loose")]
