"""A judge of a path in which tools or human steps were simulated."""

from typing import ClassVar

from pydantic import Field

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, Expectation
from aloi.core.judge import Grade, JudgeEvaluator, JudgeReply, Question, ask, at_threshold
from aloi.core.path_text import path_text, simulations_text
from aloi.core.score import Score

TASK = """\
Grade how well the path of an AI agent followed the EXPECTED_BEHAVIOR, which is the test author's, in a test where \
some tools or human steps were simulated. You see the PROMPT that the agent was given, its PATH, the SIMULATED_CALLS \
and its FINAL_OUTPUT. The path has one line of JSON per step, in order: a turn of the model with its text (null for a \
turn that only calls tools), or a call of a tool with its arguments, its result and, where it failed, its error. The \
provenance of a call says where its result came from: `real` (the tool itself ran), `static` (a fixed answer that the \
test author set) or `generated` (an answer that a model made up from a description). The simulated calls are listed \
again by tool, with their steps. A simulated result is given by the test: do not hold its content, or that it is not \
real, against the agent; judge which calls the agent made, with which arguments, and what it did with the results. A \
path without any tool call may be right. Judge what was done, not what the agent says that it did: a call that is not \
in the path was not made.
reasoning: which steps follow the expected behaviour and which do not. \
score: from 0 (followed nothing of it) to 1 (followed all of it)."""


class SimulationJudge(JudgeEvaluator):
    """Let a judge say whether the path followed the case's expected behaviour, told which calls were simulated and how.

    It works without any tool call, simulated or real, but not without a trace of the path.
    """

    kind: ClassVar[str] = "simulation_judge"
    reads_trace: ClassVar[bool] = True
    reads: ClassVar[frozenset[Expectation]] = frozenset({"expected_behavior"})
    task: ClassVar[str] = TASK
    reply: ClassVar[type[JudgeReply]] = Grade
    threshold: float = Field(default=0.7, ge=0, le=1, allow_inf_nan=False, description="The least score that passes.")

    def missing(self, case: Case) -> str | None:
        """It needs an expected behaviour."""
        return None if case.expected_behavior else "expected_behavior"

    async def evaluate(self, ctx: EvaluationContext) -> Score:
        """Ask the judge for a score; see `ask` for errors, and `ctx.trajectory` for a missing trace."""
        data = {
            "prompt": ctx.case.input,
            "expected_behavior": ctx.case.expected_behavior,
            "path": path_text(ctx.trajectory),
            "simulated_calls": simulations_text(ctx.trajectory),
            "final_output": ctx.outcome.output,
        }
        return await ask(ctx, Question(TASK, Grade, at_threshold(self.threshold)), data, self.threshold)
