"""How executions read."""

import io

from rich.console import RenderableType

from aloi.cli.execution_view import executions_table, render_beside, render_execution, waiting_table
from aloi.cli.terminal import console
from aloi.core.execution import Execution, ExecutionEntry, ExecutionSource, ExecutionStatus, HumanStep, WaitingStep
from aloi.core.outcome import Failure, Outcome
from aloi.core.trace import Span, Trace
from aloi.core.usage import NO_USAGE, Usage
from tests.cli.made import RUN_ID, START

ASKED = HumanStep(
    step="each[0].approve",
    question="Send\nit \x1b[2J?",
    answer_schema={"type": "boolean"},
    asked_at=START,
    answer=None,
    answered_by=None,
    answered_at=None,
)
TRACE = Trace(
    trace_id="t",
    spans=(
        Span(span_id="a", name="invoke_workflow", start_ns=0, end_ns=2_000_000_000),
        Span(span_id="b", parent_id="a", name="step each", start_ns=0, end_ns=350_000_000, error="it broke"),
    ),
)


def execution(status: ExecutionStatus, outcome: Outcome, *asked: HumanStep) -> Execution:
    return Execution(
        id=RUN_ID,
        target_id=RUN_ID,
        target_name="flow",
        target_kind="workflow",
        version=2,
        source=ExecutionSource.RUNNER,
        run_id=None,
        case_key=None,
        created_at=START,
        status=status,
        input={"q": "é"},
        outcome=outcome,
        human_steps=asked,
    )


def text(*parts: RenderableType) -> str:
    file = io.StringIO()
    shown = console(width=80, file=file)
    for part in parts:
        shown.print(part)
    return file.getvalue()


def test_one_that_waits_says_how_to_answer() -> None:
    shown = text(*render_beside(execution(ExecutionStatus.WAITING, Outcome(), ASKED)))
    assert [line.rstrip() for line in shown.splitlines()] == [
        "Waits for a person in step each[0].approve",
        "  Send",
        "  it \ufffd[2J?",
        "Answer: aloi executions answer 01a22bad-96b0 each[0].approve --json JSON",
        "flow@2 · 0 ms",
    ]


def test_one_that_is_over_asks_nobody_any_more() -> None:
    failure = Failure(stage="invoke", type="cancelled", message="ann cancelled it")
    outcome = Outcome(failure=failure, usage=Usage(calls=1, input_tokens=3, output_tokens=4, cost=0.5), latency=1.25)
    shown = text(*render_beside(execution(ExecutionStatus.ERROR, outcome, ASKED)))
    assert shown.startswith("No answer: cancelled: ann cancelled it\nflow@2 · 1.2 s · ")
    assert "aloi executions answer" not in shown


def test_all_of_one() -> None:
    answered = ASKED.model_copy(update={"answer": True, "answered_by": "ann@example.org", "answered_at": START})
    shown = text(*render_execution(execution(ExecutionStatus.OK, Outcome(output="done", trace=TRACE), answered)))
    for part in ("flow@2  ok", RUN_ID, '{"q": "é"}', "ann@example.org on ", ": true", "done"):
        assert part in shown
    assert "The answer fits" not in shown
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "invoke_workflow 2.0 s" in lines and "step each 350 ms it broke" in lines
    waits = text(*render_execution(execution(ExecutionStatus.WAITING, Outcome(trace=TRACE), ASKED)))
    assert 'The answer fits {"type": "boolean"}' in waits


def test_lists() -> None:
    entry = ExecutionEntry(
        id=RUN_ID,
        target_id=RUN_ID,
        target_name="flow",
        version=2,
        source=ExecutionSource.RUNNER,
        run_id=None,
        case_key=None,
        created_at=START,
        status=ExecutionStatus.ERROR,
        input="Hi\nthere",
        output=None,
        failure=Failure(stage="invoke", type="timeout", message="too late"),
        latency=0.0,
        usage=NO_USAGE,
    )
    row = text(executions_table([entry])).splitlines()[2]
    assert row.startswith("01a22bad-96b0  flow@2 ") and "error" in row
    step = WaitingStep(**dict(ASKED), execution_id=RUN_ID, target_id=RUN_ID, target_name="flow", version=2)
    row = text(waiting_table([step])).splitlines()[2]
    assert row.startswith("01a22bad-96b0 ") and "flow@2" in row and "each[0]" in row
