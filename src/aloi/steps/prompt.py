"""`prompt`: one question to a model, answered in text or as JSON that fits a schema."""

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Literal, Self

from pydantic import Field, JsonValue, field_validator, model_validator

from aloi.core.attachment import AttachedFile
from aloi.core.chat import ChatMessage, ChatReply, ChatRequest, ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.fence import sendable
from aloi.core.json_values import answer_fault, read_json
from aloi.core.mending import FAULT_LIMIT, RETRIES, asked_again
from aloi.core.spec import JsonObject
from aloi.core.step import Reading, Step, StepContext, Types
from aloi.llm.recorded_chat import ask, no_answer
from aloi.llm.schema_fit import AnySchema, misfit
from aloi.templates import TemplateText, readings, render_text


class Prompt(Step):
    """One call of a model.

    Without a schema the output is the text of the reply. With one it is an object: the model is asked for structured
    output, and a reply that does not fit is asked for again at most twice.
    """

    kind: ClassVar[str] = "prompt"
    component: ClassVar[Literal["tool", "step", "human"] | None] = "step"

    model: str = Field(description="`provider:model`, e.g. `openai:gpt-4o-mini`.")
    prompt: TemplateText = Field(min_length=1, description="What the model is asked: text with {{ expressions }}.")
    instructions: TemplateText = Field(default="", description="What it is told before: the system message.")
    output_schema: AnySchema | None = Field(
        default=None, description="JSON schema of an object that the reply must fit; null for a reply in text."
    )
    attachments: bool = Field(default=False, description="Whether the case's files stand behind the prompt.")
    base_url: str | None = Field(
        default=None, description="Address of an OpenAI-compatible endpoint; default the provider's."
    )
    api_key_env: str | None = Field(default=None, description="Name of the environment variable that holds the key.")
    settings: JsonObject = Field(default={}, description="Model settings, e.g. temperature, max_tokens.")

    @field_validator("output_schema")
    @classmethod
    def _schema_of_object(cls, schema: JsonObject | None) -> JsonObject | None:
        if schema is not None and schema.get("type") != "object":
            raise ValueError('it must describe an object: write {"type": "object", "properties": ...}')
        return schema

    @model_validator(mode="after")
    def _model_can_be_named(self) -> Self:
        _ = self._spec  # refuses what is no `provider:model`
        return self

    def reads(self) -> Sequence[Reading]:
        """What the two texts read."""
        return (*readings(self.instructions, ("instructions",)), *readings(self.prompt, ("prompt",)))

    def arguments(self, document: JsonObject) -> JsonValue:
        """`{"prompt": ..., "instructions": ...}`; no instructions where there are none."""
        texts: JsonObject = {"prompt": render_text(self.prompt, document)}
        if self.instructions:
            texts["instructions"] = render_text(self.instructions, document)
        return texts

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue:
        """Ask the model; one `chat` span for each call.

        Raises:
            StageFailure: type `no_answer` (no choice, null content, a refusal), `bad_reply` (no reply fits the schema),
                `attachment`, or as `ChatModel.complete`.
        """
        request = self._request(arguments, await ctx.target.files(ctx.invocation) if self.attachments else ())
        if self.output_schema is not None:
            return await self._structured(request, self.output_schema, ctx)
        _, text = await self._asked(request, ctx)
        return text

    def answer_schema(self, types: Types) -> JsonObject | None:
        """Its output schema; else a text."""
        return self.output_schema or {"type": "string"}

    def models(self) -> tuple[ModelSpec, ...]:
        """Its one model."""
        return (self._spec,)

    def takes_attachments(self) -> bool:
        """Where `attachments` says so."""
        return self.attachments

    @cached_property
    def _spec(self) -> ModelSpec:
        return ModelSpec(model=self.model, base_url=self.base_url, api_key_env=self.api_key_env, settings=self.settings)

    def _request(self, arguments: JsonValue, files: tuple[AttachedFile, ...]) -> ChatRequest:
        given = arguments if isinstance(arguments, dict) else {}
        messages = [ChatMessage(role="user", content=str(given["prompt"]), files=files)]
        if given.get("instructions"):
            messages.insert(0, ChatMessage(role="system", content=str(given["instructions"])))
        return ChatRequest(messages=tuple(messages), output_schema=self.output_schema, output_name="answer")

    async def _asked(self, request: ChatRequest, ctx: StepContext) -> tuple[ChatReply, str]:
        """The reply, with its text, which is there."""
        model = ctx.target.chat(self._spec)
        reply = await ask(model, self._spec.name, request, ctx.target.recorder)
        ctx.spend(reply.usage)
        if reply.text is None:
            raise no_answer(model.name, reply)
        return reply, reply.text

    async def _structured(self, request: ChatRequest, schema: JsonObject, ctx: StepContext) -> JsonValue:
        """The first of at most three replies that fits."""
        asked, fault = request, ""
        for _ in range(1 + RETRIES):
            reply, text = await self._asked(asked, ctx)
            try:
                return await _fitting(text, schema)
            except ValueError as error:
                cut = ", for it was cut at the limit of tokens: raise max_tokens in the settings"
                fault = sendable(str(error)[:FAULT_LIMIT]) + (cut if reply.finish_reason == "length" else "")
                asked = asked_again(request, reply, fault)
        message = f"none of {1 + RETRIES} replies of {self.model} fits the output_schema: {fault}"
        raise StageFailure("invoke", "bad_reply", message)


async def _fitting(text: str, schema: JsonObject) -> JsonValue:
    """The JSON value that a text holds, perhaps in a fence.

    Raises:
        ValueError: it holds none, or one that does not fit the schema.
    """
    value = read_json(text)
    fault = answer_fault(value)
    if fault:
        raise ValueError(f"the reply {fault}")
    unfit = await misfit(schema, value)
    if unfit:
        raise ValueError(unfit)
    return value
