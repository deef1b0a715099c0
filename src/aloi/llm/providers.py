"""All other providers, and every model as the agent engine wants it. Imports pydantic-ai: load it through `plugins`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import httpx2
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletion
from pydantic import JsonValue
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelTimeoutError,
    UserError,
)
from pydantic_ai.messages import ModelMessage, ModelResponse, ModelResponsePart, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.models import Model, ModelRequestParameters, create_async_httpx2_client, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings, merge_model_settings

from aloi.core.chat import ChatModel, ModelSpec
from aloi.core.errors import InvalidInput
from aloi.llm.agent_failures import failure
from aloi.llm.bounded_transport import BoundedTransport
from aloi.llm.chat_wire import NO_SECRETS
from aloi.llm.engine_chat import EngineChat
from aloi.llm.models import Models, speaks_openai
from aloi.llm.openai import endpoint_of, find_key, known_keys
from aloi.llm.retry import AttemptFailed, Cause, Retrier, cause_of
from aloi.llm.secrets import masked

# Ours are the only retries, so that pace and counts are right.
NO_SDK_RETRIES = 0
ONE_ATTEMPT = ModelSettings(max_retries=NO_SDK_RETRIES)
NO_KEY = "api-key-not-set"  # the SDK insists on some text where the endpoint wants none


@dataclass
class Providers:
    """Models by way of pydantic-ai, one of each, with one HTTP client per Chat Completions endpoint.

    Args:
        models: the registry that this serves; pace, retries, prices and keys are its.
    """

    models: Models
    _clients: dict[str, httpx2.AsyncClient] = field(default_factory=dict[str, httpx2.AsyncClient])
    _found: dict[tuple[str, str | None, str | None], "PacedModel"] = field(
        default_factory=dict[tuple[str, str | None, str | None], "PacedModel"]
    )

    def agent(self, spec: ModelSpec) -> "PacedModel":
        """The model of a spec, without its settings.

        Raises:
            InvalidInput: there is no such provider, or a part of it is not installed or not set up.
            StageFailure: the variable that should hold the key is not set (type `no_key`), or the key cannot be sent
                (`bad_key`).
        """
        key = (spec.model, spec.base_url, spec.api_key_env)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._make(spec)
        return found

    def chat(self, spec: ModelSpec) -> ChatModel:
        """The model of a spec as a `ChatModel`; errors as of `agent`."""
        return EngineChat(spec, self.agent(spec), self.models.cost)

    async def close(self) -> None:
        """Close the HTTP clients."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()

    def _make(self, spec: ModelSpec) -> "PacedModel":
        keys = known_keys(spec, self.models.environ)
        if speaks_openai(spec):
            endpoint = endpoint_of(spec)
            return PacedModel(self._openai(spec, endpoint), spec.model, self.models.retrier(endpoint), secrets=keys)
        other = self._other(spec)
        once = None if "max_retries" in other.unsupported_settings else ONE_ATTEMPT
        return PacedModel(other, spec.model, self.models.retrier(spec.provider), once, secrets=keys)

    def _openai(self, spec: ModelSpec, endpoint: str) -> Model:
        client = AsyncOpenAI(
            base_url=endpoint,
            api_key=find_key(spec, self.models.environ) or NO_KEY,
            http_client=self._client(endpoint),
            max_retries=NO_SDK_RETRIES,
        )
        if spec.base_url is None:
            return ChatCompletions(spec.name, provider=OpenAIProvider(openai_client=client))
        return ChatCompletions(spec.name, provider=OpenAICompatibleProvider(spec.provider, openai_client=client))

    def _client(self, endpoint: str) -> httpx2.AsyncClient:
        found = self._clients.get(endpoint)
        if found is None:
            found = self._clients[endpoint] = create_async_httpx2_client(
                transport=BoundedTransport(limits=httpx2.Limits(max_keepalive_connections=200))
            )
        return found

    def _other(self, spec: ModelSpec) -> Model:
        key = find_key(spec, self.models.environ)

        def provider(name: str) -> Provider[Any]:
            return infer_provider(name) if key is None else cast(Any, infer_provider_class(name))(api_key=key)

        try:
            return infer_model(spec.model, provider)
        except ImportError as error:
            raise InvalidInput(f"the provider of {spec.model} is not installed: {error}") from error
        except (UserError, ValueError, TypeError) as error:
            raise InvalidInput(f"{spec.model} cannot be used: {error}") from error


class ChatCompletions(OpenAIChatModel):
    """A Chat Completions model whose empty text is an answer, where the engine's own would take it for none."""

    def _process_response(self, response: ChatCompletion | str, **options: bool) -> ModelResponse:
        reply = super()._process_response(response, **options)
        if reply.parts or isinstance(response, str) or response.choices[0].message.content != "":
            return reply
        return replace(reply, parts=[TextPart("")])


class PacedModel(WrapperModel):
    """A model that keeps to the pace of its endpoint, and tries again as the thin door does.

    Args:
        name: `provider:model`, for messages.
        once: settings that keep the provider's own client from trying again; null where it does not anyway.
        secrets: what is masked in replies and failures.
    """

    def __init__(
        self,
        wrapped: Model,
        name: str,
        retrier: Retrier,
        once: ModelSettings | None = None,
        *,
        secrets: Mapping[str, str] = NO_SECRETS,
    ) -> None:
        super().__init__(wrapped)
        self._name = name
        self._retrier = retrier
        self._once = once
        self._secrets = secrets

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask the model.

        Raises:
            StageFailure: no usable reply, see `agent_failures`.
        """
        settings = model_settings if self._once is None else merge_model_settings(model_settings, self._once)

        async def attempt() -> ModelResponse:
            try:
                return await self.wrapped.request(messages, settings, model_request_parameters)
            except Exception as error:
                cause, wait = _cause(error)
                raise AttemptFailed(failure(error, self._name, self._secrets), cause, wait) from error

        response = await self._retrier.call(attempt)
        return replace(response, parts=[_masked(part, self._secrets) for part in response.parts])


def _masked(part: ModelResponsePart, secrets: Mapping[str, str]) -> ModelResponsePart:
    """A part of a reply without the secrets: a text, a thought or the arguments of a call."""
    match part:
        case TextPart(content=text) | ThinkingPart(content=text):
            return replace(part, content=masked(text, secrets))
        case ToolCallPart(args=str() | dict() as given):
            return replace(part, args=masked(cast(JsonValue, given), secrets))
        case _:
            return part


def _cause(error: Exception) -> tuple[Cause, float | None]:
    """Whether an error of the engine is worth another attempt, and how long the endpoint asked to wait before it."""
    match error:
        case ModelQuotaExceededError() | ModelTimeoutError():
            return "final", None
        case ModelRateLimitError(retry_after=wait):
            return "throttled", wait
        case ModelHTTPError(status_code=status, retry_after=wait):
            return cause_of(status), wait
        case ModelConnectionError(phase="pool" | "connect"):
            return "unsent", None
        case ModelConnectionError():
            return "dropped", None
        case ModelAPIError(retry_after=wait) if wait is not None:
            return "unavailable", wait
        case _:
            return "final", None
