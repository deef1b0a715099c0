"""A pydantic-ai model as a `ChatModel`, for plain and judge calls to the other providers."""

from collections.abc import Callable
from typing import Any, cast

from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from aloi.core.chat import ChatMessage, ChatReply, ChatRequest, ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.json_values import storable
from aloi.core.usage import call_usage, known_tokens
from aloi.llm.agent_failures import failure
from aloi.llm.agent_messages import prompt_of


class EngineChat:
    """A pydantic-ai model as a `ChatModel`: native structured output where the model has it, else an output tool."""

    def __init__(
        self,
        spec: ModelSpec,
        model: Model,
        cost: Callable[[ModelSpec, int | None, int | None], float | None],
    ) -> None:
        self._spec = spec
        self._model = model
        self._cost = cost

    @property
    def name(self) -> str:
        """`provider:model`, as in the spec."""
        return self._spec.model

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask once; see `ChatModel`.

        Raises:
            StageFailure: no usable reply, see `agent_failures`.
        """
        fields = {**request.settings, **self._spec.settings}
        settings = {name: value for name, value in fields.items() if value is not None}
        try:
            response = await model_request(
                self._model,
                _messages(request),
                model_settings=cast(ModelSettings, settings),
                model_request_parameters=self._parameters(request),
            )
        except StageFailure:
            raise
        except Exception as error:
            raise failure(error, self.name) from error
        return self._reply(response)

    def _parameters(self, request: ChatRequest) -> ModelRequestParameters:
        schema, name = request.output_schema, request.output_name
        if schema is None:
            return ModelRequestParameters()
        if self._model.profile.get("supports_json_schema_output", False):
            shape = OutputObjectDefinition(json_schema=cast(dict[str, Any], schema), name=name, strict=True)
            return ModelRequestParameters(output_mode="native", output_object=shape)
        tool = ToolDefinition(name=name, parameters_json_schema=cast(dict[str, Any], schema), kind="output")
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)

    def _reply(self, response: ModelResponse) -> ChatReply:
        texts = [part.content for part in response.parts if isinstance(part, TextPart)]
        calls = [call.args_as_json_str() for call in response.tool_calls]
        text = calls[0] if calls else ("".join(texts) if texts else None)
        used = response.usage
        known = (used.input_tokens, used.output_tokens) if used.has_values() else (None, None)
        tokens = (known_tokens(known[0]), known_tokens(known[1]))
        cost = self._cost(self._spec, *tokens)
        return ChatReply(
            text=None if text is None else storable(text),
            model=response.model_name or self._spec.name,
            finish_reason=response.finish_reason,
            usage=call_usage(*tokens, cost),
        )


def _messages(request: ChatRequest) -> list[ModelMessage]:
    """The messages as pydantic-ai has them: what the model said as responses, what stands between as one request."""
    messages: list[ModelMessage] = []
    parts: list[ModelRequestPart] = []
    for message in request.messages:
        if message.role != "assistant":
            parts.append(_part(message))
            continue
        if parts:
            messages.append(ModelRequest(parts=parts))
            parts = []
        messages.append(ModelResponse(parts=[TextPart(content=message.content)]))
    return [*messages, ModelRequest(parts=parts)] if parts else messages


def _part(message: ChatMessage) -> ModelRequestPart:
    if message.role == "system":
        return SystemPromptPart(content=message.content)
    return UserPromptPart(content=prompt_of(message.content, message.files))
