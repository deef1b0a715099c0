"""`openai`: a model behind an OpenAI-compatible endpoint, asked once, without tools."""

from functools import cached_property
from typing import ClassVar

from pydantic import Field, JsonValue, field_validator

from aloi.core.chat import ChatMessage, ChatReply, ChatRequest, ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.json_values import text_of
from aloi.core.spec import JsonObject
from aloi.core.target import Invocation, OpenSpan, Reply, Target, TargetContext
from aloi.core.trace import INPUT_MESSAGES, OPERATION, OUTPUT_MESSAGES, REQUEST_MODEL, usage_attributes

PREFIX = "openai:"


class OpenAI(Target):
    """A model of an OpenAI-compatible endpoint (Chat Completions), asked once.

    A text input is the user's message; an object is put to the model as JSON. The answer is the text of the reply.
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
        messages = [ChatMessage(role="user", content=prompt)]
        if self.instructions:
            messages.insert(0, ChatMessage(role="system", content=self.instructions))
        attributes: JsonObject = {OPERATION: "chat", REQUEST_MODEL: self._name, INPUT_MESSAGES: _said("user", prompt)}
        with ctx.recorder.span(f"chat {self._name}", attributes) as span:
            reply = await model.complete(ChatRequest(messages=tuple(messages)))
            _record(span, reply)
        if reply.text is None:
            raise StageFailure("invoke", "no_answer", f"{model.name} gave no answer: {_why(reply)}")
        return Reply(output=reply.text, usage=reply.usage)

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


def _said(role: str, text: str) -> JsonValue:
    """One message in the shape of the GenAI conventions."""
    return [{"role": role, "parts": [{"type": "text", "content": text}]}]


def _record(span: OpenSpan, reply: ChatReply) -> None:
    attributes = usage_attributes(reply.usage)
    said = reply.text if reply.text is not None else reply.refusal
    if said is not None:
        attributes[OUTPUT_MESSAGES] = _said("assistant", said)
    span.set(attributes)


def _why(reply: ChatReply) -> str:
    if reply.refusal is not None:
        return f"it refused ({reply.refusal})"
    if reply.finish_reason == "length":
        return "it reached its limit of tokens first; raise max_tokens in the settings"
    if reply.finish_reason is None:
        return "the reply holds no choice"
    return f"the reply has no content (it ended with {reply.finish_reason})"
