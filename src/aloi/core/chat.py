"""Talking to a model: what is asked, what comes back, and the one protocol between."""

from typing import Literal, NamedTuple, Protocol

from pydantic import Field, field_validator

from aloi.core.attachment import AttachedFile
from aloi.core.spec import JsonObject, Value
from aloi.core.usage import NO_USAGE, Usage


class ModelSpec(Value):
    """A model by name, with where and how to reach it. Keys are named, never held."""

    model: str = Field(description="`provider:model`, e.g. `openai:gpt-4o-mini` (the Chat Completions protocol).")
    base_url: str | None = Field(
        default=None, description="Address of an OpenAI-compatible endpoint; default the provider's."
    )
    api_key_env: str | None = Field(default=None, description="Name of the environment variable that holds the key.")
    settings: JsonObject = Field(default_factory=dict, description="Model settings, e.g. temperature, max_tokens.")

    @field_validator("model")
    @classmethod
    def _named(cls, model: str) -> str:
        provider, colon, name = model.partition(":")
        if not (provider and colon and name):
            raise ValueError(f"the model {model!r} is not of the form provider:model; write e.g. openai:{model or 'x'}")
        return model

    @property
    def provider(self) -> str:
        """The part before the colon."""
        return self.model.partition(":")[0]

    @property
    def name(self) -> str:
        """The part behind the first colon."""
        return self.model.partition(":")[2]

    @property
    def model_spec(self) -> "ModelSpec":
        """The model alone, of a kind that has more fields."""
        return ModelSpec(model=self.model, base_url=self.base_url, api_key_env=self.api_key_env, settings=self.settings)


class ChatMessage(NamedTuple):
    """One message: who speaks and what is said. `files` stand behind what is said."""

    role: Literal["system", "user", "assistant"]
    content: str
    files: tuple[AttachedFile, ...] = ()


class ChatRequest(NamedTuple):
    """One call.

    `output_schema`, when given, is the JSON schema that the reply's text must follow, and `output_name` its name.
    """

    messages: tuple[ChatMessage, ...]
    settings: JsonObject = {}
    output_schema: JsonObject | None = None
    output_name: str = "reply"


class ChatReply(NamedTuple):
    """What a model said. `text` is null when it gave no answer; `refusal` is its own word for declining."""

    text: str | None
    refusal: str | None = None
    model: str = ""
    finish_reason: str | None = None
    usage: Usage = NO_USAGE


class ChatModel(Protocol):
    """A model that can be asked. Retries, pace and prices are behind it."""

    @property
    def name(self) -> str:
        """`provider:model`, as in the spec."""
        ...

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask once.

        With a schema: native structured output first, a forced tool call where the endpoint has no such thing; either
        way the reply's `text` is the JSON. The caller checks it against the schema.

        Raises:
            StageFailure: no reply was to be had (stage `invoke`; type `rate_limited`, `http_status`, `timeout`, ...).
        """
        ...
