"""A judge of the path that a target took."""

from typing import ClassVar

from pydantic import Field

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, Expectation
from aloi.core.judge import Grade, JudgeEvaluator, JudgeReply, Question, ask, at_threshold
from aloi.core.path_text import path_text
from aloi.core.score import Score

TASK = """\
Grade how well the path of an AI agent followed the EXPECTED_BEHAVIOR, which is the test author's. You see the PROMPT \
that the agent was given, its PATH and its FINAL_OUTPUT. The path has one line of JSON per step, in order: a turn of \
the model with its text (null for a turn that only calls tools), or a call of a tool with its arguments, its result \
and, where it failed, its error. A path without any tool call may be right. Judge what was done, not what the agent \
says that it did: a call that is not in the path was not made.
reasoning: which steps follow the expected behaviour and which do not. \
score: from 0 (followed nothing of it) to 1 (followed all of it)."""


class TrajectoryJudge(JudgeEvaluator):
    """Let a judge say whether the path (model turns, tool calls, final output) followed the case's expected behaviour.

    It works without any tool call, but not without a trace of the path.
    """

    kind: ClassVar[str] = "trajectory_judge"
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
            "final_output": ctx.outcome.output,
        }
        return await ask(ctx, Question(TASK, Grade, at_threshold(self.threshold)), data, self.threshold)
