"""Executions for people."""

import json
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from aloi.cli.case_view import render_calls
from aloi.cli.faults import OK, REFUSED
from aloi.cli.figures import duration, short_id, when
from aloi.cli.tables import facts, table
from aloi.cli.terminal import one_line, plain, terminal
from aloi.core.execution import Execution, ExecutionEntry, ExecutionStatus, HumanStep, WaitingStep
from aloi.core.json_values import text_of
from aloi.core.trace import Trace
from aloi.core.trajectory import trajectory
from aloi.core.wording import cost_text, tokens_text

STATUS_STYLE = {
    ExecutionStatus.OK: "green",
    ExecutionStatus.ERROR: "red",
    ExecutionStatus.WAITING: "yellow",
    ExecutionStatus.RUNNING: "",
}


def show_ended(execution: Execution) -> int:
    """Print the answer, and beside it what it took, or who it waits for; the exit code, 1 where it failed."""
    notes = terminal().notes
    for part in render_beside(execution):
        notes.print(part)
    if execution.output is not None:
        print(plain(text_of(execution.output)))
    return OK if execution.outcome.failure is None else REFUSED


def render_beside(execution: Execution) -> Iterator[RenderableType]:
    """What stands beside the answer: the tool calls, who is asked, why there is no answer, and what it took."""
    outcome = execution.outcome
    yield from render_calls(trajectory(outcome.trace).tool_calls if outcome.trace else ())
    if outcome.failure is not None:
        yield Text(plain(f"No answer: {outcome.failure.type}: {outcome.failure.message}"))
    if execution.status is ExecutionStatus.WAITING:
        for step in execution.human_steps:
            if step.answered_at is None:
                yield from _asked(step)
                words = f"Answer: aloi executions answer {short_id(execution.id)} {step.step} {_example(step)}"
                yield Text(plain(words), style="dim")
    used = [tokens_text(outcome.usage), cost_text(outcome.usage)] if outcome.usage.calls else []
    took = [duration(outcome.latency), *used]
    yield Text(f"{execution.target_name}@{execution.version} · {' · '.join(took)}", style="dim")


def _asked(step: HumanStep) -> Iterator[RenderableType]:
    yield Text.assemble("Waits for a person in step ", (plain(step.step), "bold"))
    yield _indented(step.question)


def _example(step: HumanStep) -> str:
    return "TEXT" if step.answer_schema is None else "--json JSON"


def _indented(text: str) -> Padding:
    return Padding(Text(plain(text)), (0, 0, 0, 2))


def executions_table(found: Sequence[ExecutionEntry]) -> Table:
    """Executions as rows."""
    shown = table("Id", "Target", "Began", "Status", "Input", "Answer", whole=("Id", "Began", "Status"))
    for entry in found:
        answer = entry.output if entry.failure is None else f"{entry.failure.type}: {entry.failure.message}"
        shown.add_row(
            short_id(entry.id),
            Text(one_line(f"{entry.target_name}@{entry.version}", 30)),
            when(entry.created_at),
            Text(entry.status, style=STATUS_STYLE[entry.status]),
            Text(one_line(entry.input, 40)),
            Text(one_line(answer or "", 40)),
        )
    return shown


def waiting_table(found: Sequence[WaitingStep]) -> Table:
    """Steps that wait, as rows."""
    shown = table("Execution", "Target", "Since", "Step", "Question", whole=("Execution", "Since"))
    for step in found:
        shown.add_row(
            short_id(step.execution_id),
            Text(one_line(f"{step.target_name}@{step.version}", 30)),
            when(step.asked_at),
            Text(one_line(step.step, 60)),
            Text(one_line(step.question, 200)),
        )
    return shown


def render_execution(execution: Execution) -> Iterator[RenderableType]:
    """All that is known of an execution: input, what people were asked, its steps, the answer."""
    named = f"{execution.target_name}@{execution.version}"
    yield Text.assemble((plain(named), "bold"), "  ", (execution.status.value, STATUS_STYLE[execution.status]))
    yield facts([("Id", execution.id), ("Began", when(execution.created_at)), ("Source", execution.source)])
    yield Text("\nInput", style="dim")
    yield _indented(text_of(execution.input))
    for step in execution.human_steps:
        yield from _asked_and_answered(step)
    if execution.outcome.trace is not None:
        yield Text("\nSteps", style="dim")
        yield _spans(execution.outcome.trace)
    if execution.output is not None:
        yield Text("\nAnswer", style="dim")
        yield _indented(text_of(execution.output))
    yield Text()
    yield from render_beside(execution)


def _asked_and_answered(step: HumanStep) -> Iterator[RenderableType]:
    yield Text(f"\nAsked in step {plain(step.step)} on {when(step.asked_at)}", style="dim")
    yield _indented(step.question)
    if step.answer_schema is not None and step.answered_at is None:
        yield _indented(f"The answer fits {json.dumps(step.answer_schema, ensure_ascii=False)}")
    if step.answered_at is not None:
        yield _indented(f"{step.answered_by} on {when(step.answered_at)}: {text_of(step.answer)}")


def _spans(trace: Trace) -> Table:
    """The spans, each behind those that it is part of."""
    shown, depths = table("Step", "Took", "", whole=("Took",)), dict[str | None, int]()
    for span in trace.spans:
        depth = depths[span.span_id] = depths.get(span.parent_id, -1) + 1
        name = Text("  " * depth + one_line(span.name, 60))
        shown.add_row(name, duration((span.end_ns - span.start_ns) / 1e9), Text(one_line(span.error or "", 200)))
    return shown
