"""`human`: a question that a person answers."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from aloi.core.errors import StageFailure
from aloi.core.spec import JsonObject
from aloi.core.step import Reading, Step, StepContext, Types, Waiting
from aloi.core.target import Question
from aloi.llm.schema_fit import AnySchema, misfit
from aloi.templates import TemplateText, readings, render_text


class Human(Step):
    """A question to a person; the execution waits until somebody answers, through the API or in the UI.

    In a run nobody does, so there it must be simulated.
    """

    kind: ClassVar[str] = "human"
    component: ClassVar[Literal["tool", "step", "human"] | None] = "human"

    question: TemplateText = Field(min_length=1, description="What is asked: text with {{ expressions }}.")
    output_schema: AnySchema | None = Field(
        default=None, description="JSON schema that the answer must fit; null for any text."
    )

    def reads(self) -> Sequence[Reading]:
        """What the question reads."""
        return readings(self.question, ("question",))

    def arguments(self, document: JsonObject) -> JsonValue:
        """`{"question": ...}`"""
        return {"question": render_text(self.question, document)}

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue | Waiting:
        """The answer; or, while there is none, the question that waits for it.

        Raises:
            StageFailure: the answer does not fit (type `bad_answer`).
        """
        if ctx.path not in ctx.answers:
            text = str(arguments["question"]) if isinstance(arguments, dict) else ""
            return Waiting((Question(step=ctx.path, text=text, answer_schema=self.output_schema),))
        answer = ctx.answers[ctx.path]
        fault = await misfit(self.output_schema or {"type": "string"}, answer)
        if fault:
            raise StageFailure("invoke", "bad_answer", f"what was answered does not fit: {fault}")
        return answer

    def answer_schema(self, types: Types) -> JsonObject | None:
        """Its output schema; else a text."""
        return self.output_schema or {"type": "string"}
