"""A judge that grades by a rubric."""

from typing import ClassVar

from pydantic import Field, JsonValue, field_validator

from aloi.core.evaluator import EvaluationContext, OutputEvaluator
from aloi.core.judge import Grade, JudgeEvaluator, JudgeReply, Question, ask, at_threshold
from aloi.core.score import Score

TASK = """\
Grade how well an AI agent's ANSWER to the PROMPT meets the RUBRIC, which is the test author's. Judge by the rubric \
alone: do not reward or punish what it does not speak of.
reasoning: one sentence that says why. score: from 0 (meets nothing of the rubric) to 1 (meets all of it)."""


class LlmJudge(JudgeEvaluator, OutputEvaluator):
    """Let a judge grade the output by a rubric in your words.

    The judge sees the prompt, the rubric and the output, and gives a score from 0 to 1 with a sentence of reasoning.
    """

    kind: ClassVar[str] = "llm_judge"
    task: ClassVar[str] = TASK
    reply: ClassVar[type[JudgeReply]] = Grade
    rubric: str = Field(min_length=1, description="What a good output is, in words.")
    threshold: float = Field(default=0.5, ge=0, le=1, allow_inf_nan=False, description="The least score that passes.")

    @field_validator("rubric")
    @classmethod
    def _said(cls, rubric: str) -> str:
        if not rubric.strip():
            raise ValueError("the rubric is blank; say in words what a good output is")
        return rubric

    async def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score:
        """Ask the judge for a score; see `ask` for errors."""
        question = Question(TASK, Grade, at_threshold(self.threshold))
        data = {"prompt": ctx.case.input, "rubric": self.rubric, "answer": output}
        return await ask(ctx, question, data, self.threshold)
