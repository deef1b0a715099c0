"""A path as text for a judge: one line of JSON per step, so that nothing in a step can look like another step."""

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from aloi.core.fence import json_lines
from aloi.core.json_values import text_of
from aloi.core.spec import JsonObject
from aloi.core.trajectory import Step, Trajectory

VALUE_LIMIT = 8_000
PATH_LIMIT = 150_000
NO_STEP = "No model turn and no tool call was recorded."
NO_SIMULATION = "No call was simulated."


def path_text(path: Trajectory, limit: int = PATH_LIMIT) -> str:
    """The steps in order, numbered from 1; `NO_STEP` when there are none.

    A model turn is `{"step", "type": "model", "text"}` (text null for a turn of tool calls alone), a tool call
    `{"step", "type": "tool", "tool", "args", "result", "error", "provenance"}` (error only when it failed), a step of a
    workflow the same with `"type": "step"` and its `name` in the place of `tool`. A value
    beyond `VALUE_LIMIT` characters is cut, and `left_out` in its line says by how much.

    Args:
        limit: characters of the whole; beyond it steps are left out in the middle, and a line says how many.
    """
    lines = [_line(number, step) for number, step in enumerate(path.steps, start=1)]
    return "\n".join(_bounded(lines, limit)) or NO_STEP


def simulations_text(path: Trajectory) -> str:
    """Which calls were simulated and how: one line of JSON per tool and provenance; `NO_SIMULATION` when none was."""
    steps: dict[tuple[str, str], list[JsonValue]] = {}
    for number, step in enumerate(path.steps, start=1):
        if step.call is not None and step.call.provenance != "real":
            steps.setdefault((step.call.tool, step.call.provenance), []).append(number)
    simulated: list[JsonValue] = [
        {"tool": tool, "provenance": provenance, "steps": numbers} for (tool, provenance), numbers in steps.items()
    ]
    return json_lines(simulated) or NO_SIMULATION


def _line(number: int, step: Step) -> str:
    shown: JsonObject = {"step": number, "type": step.type}
    left_out: JsonObject = {}
    for name, value in _values(step).items():
        text = text_of(value)
        if len(text) > VALUE_LIMIT:
            left_out[name] = f"{len(text) - VALUE_LIMIT} characters"
        shown[name] = text[:VALUE_LIMIT] if name in left_out else value
    return json_lines([{**shown, "left_out": left_out} if left_out else shown])


def _values(step: Step) -> JsonObject:
    call = step.call
    if call is None:
        return {"text": step.text}
    failed: JsonObject = {} if call.error is None else {"error": call.error}
    called = "name" if step.type == "step" else "tool"
    return {called: call.tool, "args": call.args, "result": call.output, **failed, "provenance": call.provenance}


def _bounded(lines: Sequence[str], limit: int) -> Sequence[str]:
    """All lines, or the first and the last that fit into half the limit each, with a count of those between."""
    if sum(len(line) + 1 for line in lines) <= limit:
        return lines
    head = _fitting(lines, limit // 2)
    tail = _fitting(reversed(lines[len(head) :]), limit // 2)
    between = len(lines) - len(head) - len(tail)
    return [*head, json_lines([{"left_out_steps": between}]), *reversed(tail)]


def _fitting(lines: Iterable[str], limit: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        limit -= len(line) + 1
        if limit < 0:
            break
        kept.append(line)
    return kept
