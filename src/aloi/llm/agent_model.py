"""The agent's model with every request recorded, counted and held to the agent's limits."""

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from aloi.core.errors import StageFailure
from aloi.core.spec import JsonObject
from aloi.core.target import OpenSpan, TargetContext
from aloi.core.trace import INPUT_MESSAGES, OPERATION, OUTPUT_MESSAGES, REQUEST_MODEL, usage_attributes
from aloi.core.usage import NO_USAGE, Usage, call_usage, known_tokens
from aloi.llm.agent_failures import failure
from aloi.llm.agent_job import AgentJob
from aloi.llm.agent_messages import answer, arguments, new_messages
from aloi.llm.agent_tools import call_attributes


class RecordedModel(WrapperModel):
    """A model for one run of one agent.

    `used` is what its requests used so far; `said_nothing` is true when its last reply was an empty text (where the
    engine's model tells that from no text at all).
    """

    def __init__(self, wrapped: Model, job: AgentJob, ctx: TargetContext) -> None:
        super().__init__(wrapped)
        self.used = NO_USAGE
        self.said_nothing = False
        self._job = job
        self._ctx = ctx
        self._requests = 0

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask the model once, as a `chat` span.

        Raises:
            StageFailure: a limit is reached, or there is no usable reply.
        """
        self._check_steps()
        name = self._job.model.name
        attributes: JsonObject = {
            OPERATION: "chat",
            REQUEST_MODEL: name,
            INPUT_MESSAGES: new_messages(messages),
        }
        with self._ctx.recorder.span(f"chat {name}", attributes) as span:
            try:
                response = await super().request(messages, model_settings, model_request_parameters)
            except Exception as error:
                raise failure(error, self._job.model.model) from error
            self._count(span, response)
        self.said_nothing = any(isinstance(part, TextPart) and not part.content for part in response.parts)
        self._check_tokens()
        self._note_unknown_tools(response, model_request_parameters)
        return response

    def _count(self, span: OpenSpan, response: ModelResponse) -> None:
        usage = self._usage(response.usage)
        self.used += usage
        span.set({OUTPUT_MESSAGES: answer(response), **usage_attributes(usage)})

    def _usage(self, reported: RequestUsage) -> Usage:
        """The usage of one request; tokens are null where the endpoint tells none."""
        if not reported.has_values():
            return call_usage(None, None, None)
        tokens = (known_tokens(reported.input_tokens), known_tokens(reported.output_tokens))
        return call_usage(*tokens, self._ctx.cost(self._job.model, *tokens))

    def _check_steps(self) -> None:
        self._requests += 1
        most = self._job.limits.steps
        if self._requests > most:
            raise StageFailure(
                "invoke",
                "step_limit",
                f"the agent gave no answer within its limit of {most} model requests; raise limits.steps or see its "
                "trace for what keeps it busy",
            )

    def _check_tokens(self) -> None:
        most, used = self._job.limits.tokens, self.used.tokens
        if most is not None and used is not None and used > most:
            raise StageFailure(
                "invoke",
                "token_limit",
                f"the agent used {used} tokens, over its limit of {most}; raise limits.tokens or shorten its work",
            )

    def _note_unknown_tools(self, response: ModelResponse, offered: ModelRequestParameters) -> None:
        """Record calls of tools that do not exist, which the engine answers itself: they are evidence too."""
        known = {tool.name for tool in (*offered.function_tools, *offered.output_tools)}
        for call in response.tool_calls:
            if call.tool_name not in known:
                attributes = call_attributes(call.tool_name, arguments(call.args), call.tool_call_id)
                with self._ctx.recorder.span(f"execute_tool {call.tool_name}", attributes) as span:
                    span.fail(f"there is no tool {call.tool_name!r}")
