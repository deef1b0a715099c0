"""`openai`: a model behind an OpenAI-compatible endpoint, asked once, without tools."""

from functools import cached_property
from typing import ClassVar

from pydantic import Field, field_validator

from aloi.core.chat import ChatMessage, ChatRequest, ModelSpec
from aloi.core.json_values import text_of
from aloi.core.spec import JsonObject
from aloi.core.target import Invocation, Reply, Target, TargetContext
from aloi.llm.recorded_chat import ask, no_answer

PREFIX = "openai:"


class OpenAI(Target):
    """A model of an OpenAI-compatible endpoint (Chat Completions), asked once.

    A text input is the user's message; an object is put to the model as JSON, and the case's files stand behind it. The
    answer is the text of the reply.
    """

    kind: ClassVar[str] = "openai"

    model: str = Field(
        min_length=1, description="Name of the model as the endpoint knows it; `openai:` may stand before it."
    )
    base_url: str | None = Field(default=None, description="Address of the endpoint; default OpenAI's.")
    api_key_env: str | None = Field(
        default=None,
        description="Name of the environment variable that holds the key; default OPENAI_API_KEY without a base_url, "
        "and no key with one.",
    )
    instructions: str = Field(default="", description="The system message; none if empty.")
    settings: JsonObject = Field(
        default_factory=dict, description="Fields of the request, e.g. temperature, max_tokens."
    )

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        """Ask the model; one `chat` span.

        Raises:
            StageFailure: type `no_answer` (no choice, null content, a refusal alone), or as `ChatModel.complete`.
        """
        model = ctx.chat(self._spec)
        prompt = text_of(invocation.input)
        messages = [ChatMessage(role="user", content=prompt, files=await ctx.files(invocation))]
        if self.instructions:
            messages.insert(0, ChatMessage(role="system", content=self.instructions))
        reply = await ask(model, self._name, ChatRequest(messages=tuple(messages)), ctx.recorder)
        if reply.text is None:
            raise no_answer(model.name, reply)
        return Reply(output=reply.text, usage=reply.usage)

    def refuses_attachments(self) -> None:
        """It takes files; whether the model can read them is seen when it is asked."""

    def models(self) -> tuple[ModelSpec, ...]:
        """Its one model."""
        return (self._spec,)

    @field_validator("model")
    @classmethod
    def _named(cls, model: str) -> str:
        if model == PREFIX:
            raise ValueError(f"there is no name behind {PREFIX}; write e.g. {PREFIX}gpt-4o-mini")
        return model

    @property
    def _name(self) -> str:
        return self.model.removeprefix(PREFIX)

    @cached_property
    def _spec(self) -> ModelSpec:
        return ModelSpec(
            model=f"{PREFIX}{self._name}",
            base_url=self.base_url,
            api_key_env=self.api_key_env,
            settings=self.settings,
        )
