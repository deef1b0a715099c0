"""A judge that compares the meaning of the output with that of the expected output."""

from typing import ClassVar

from pydantic import Field, JsonValue

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, OutputEvaluator
from aloi.core.judge import Grade, JudgeEvaluator, JudgeReply, Question, ask, at_threshold
from aloi.core.score import Score

TASK = """\
Grade whether an AI agent's ANSWER to the PROMPT has the same meaning as the EXPECTED_OUTPUT, which is the test \
author's and right. Wording, order, format and language do not count; facts, figures, names and conclusions do. What \
the answer adds counts against it only where it contradicts the expected output or the prompt.
reasoning: what is the same and what differs. score: from 0 (another meaning, or none) to 1 (the same meaning)."""


class OutputJudge(JudgeEvaluator, OutputEvaluator):
    """Let a judge say whether the output means the same as the case's expected output."""

    kind: ClassVar[str] = "output_judge"
    task: ClassVar[str] = TASK
    reply: ClassVar[type[JudgeReply]] = Grade
    threshold: float = Field(default=0.7, ge=0, le=1, allow_inf_nan=False, description="The least score that passes.")

    def missing(self, case: Case) -> str | None:
        """It needs an expected output."""
        return "expected_output" if case.expected_output is None else None

    async def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score:
        """Ask the judge for a score; see `ask` for errors."""
        question = Question(TASK, Grade, at_threshold(self.threshold))
        data = {
            "prompt": ctx.case.input,
            "expected_output": ctx.case.expected_output,
            "answer": output,
        }
        return await ask(ctx, question, data, self.threshold)
