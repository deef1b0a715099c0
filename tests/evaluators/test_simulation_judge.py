"""`simulation_judge`: as `trajectory_judge`, told which calls were simulated and how."""

import pytest

from aloi.core.case import Case
from aloi.core.errors import StageFailure
from aloi.core.evaluator import EvaluationContext
from aloi.core.outcome import Outcome
from aloi.core.path_text import NO_SIMULATION
from aloi.core.score import Verdict
from aloi.core.trace import ToolCall, Trace, trace_of_calls
from aloi.evaluators.simulation_judge import SimulationJudge
from tests.scripted_model import ScriptedModel

GOOD = {"reasoning": "It asked the stand-in.", "score": 0.7}
CASE = Case(input="Refund?", expected_behavior="Asks a human before it pays.")


def context(model: ScriptedModel, trace: Trace | None) -> EvaluationContext:
    """The case with this trace and the output "Paid"; the boundary is `M4`."""
    return EvaluationContext(CASE, Outcome(output="Paid", trace=trace), model, 1, lambda: "M4")


async def test_the_judge_is_told_which_calls_were_simulated_and_how() -> None:
    calls = (
        ToolCall(tool="ask_human", args={"sum": 5}, output="yes", provenance="static"),
        ToolCall(tool="ledger", output=[]),
        ToolCall(tool="pay", output="done", provenance="generated"),
        ToolCall(tool="ask_human", output="yes", provenance="static"),
    )
    model = ScriptedModel([GOOD])
    score = await SimulationJudge().evaluate(context(model, trace_of_calls("t", calls)))
    assert (score.value, score.verdict, score.threshold) == (0.7, Verdict.PASS, 0.7)
    assert (
        "<<<SIMULATED_CALLS M4\n"
        '{"tool": "ask_human", "provenance": "static", "steps": [1, 4]}\n'
        '{"tool": "pay", "provenance": "generated", "steps": [3]}\n'
        "M4 SIMULATED_CALLS>>>"
    ) in model.seen
    assert '"tool": "ledger", "args": {}, "result": [], "provenance": "real"}' in model.seen
    for name in ("PROMPT", "EXPECTED_BEHAVIOR", "PATH", "SIMULATED_CALLS", "FINAL_OUTPUT"):
        assert model.seen.split("\n").count(f"<<<{name} M4") == model.seen.split("\n").count(f"M4 {name}>>>") == 1
    assert all(word in model.requests[0].messages[0].content for word in ("`real`", "`static`", "`generated`"))


@pytest.mark.parametrize("calls", [(), (ToolCall(tool="ledger"),)])
async def test_a_path_without_a_simulated_call_is_judged(calls: tuple[ToolCall, ...]) -> None:
    model = ScriptedModel([{"reasoning": "r", "score": 0.69}])
    score = await SimulationJudge().evaluate(context(model, trace_of_calls("t", calls)))
    assert score.verdict is Verdict.FAIL
    assert f"\n{NO_SIMULATION}\n" in model.seen


async def test_no_trace_is_an_error_before_any_call() -> None:
    model = ScriptedModel([])
    with pytest.raises(StageFailure, match="no trace"):
        await SimulationJudge().evaluate(context(model, None))
    assert model.requests == []


def test_it_needs_and_reads_the_expected_behaviour() -> None:
    assert SimulationJudge().missing(CASE) is None
    assert SimulationJudge().missing(Case(input="x")) == "expected_behavior"
    assert SimulationJudge.reads == {"expected_behavior"}
    assert SimulationJudge.judges
