"""The agent engine: ReAct over pydantic-ai. Importing it imports pydantic-ai, so only running an agent does."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Protocol, cast

from jsonschema import Draft202012Validator, ValidationError
from pydantic import JsonValue
from pydantic_ai import Agent, StructuredDict
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset

from aloi.core.errors import StageFailure
from aloi.core.json_values import storable
from aloi.core.spec import JsonObject
from aloi.core.target import Reply, TargetContext
from aloi.core.trace import OPERATION, REQUEST_MODEL
from aloi.llm.agent_failures import failure
from aloi.llm.agent_job import AgentJob, McpServer
from aloi.llm.agent_messages import as_json
from aloi.llm.agent_model import RecordedModel
from aloi.llm.agent_tools import RecordedTools, engine_tool
from aloi.plugins import module

MCP = "aloi.llm.agent_mcp"  # imports the MCP libraries, so it is loaded for interactive use only
# Calls of unknown tools are answered, however many: limits.steps ends a run, nothing else counts its mistakes.
NO_LIMIT = 1_000_000
OUTPUT_RETRIES = 2


class SchemaCheck(Protocol):
    """The one method of a JSON schema's validator that is used here."""

    def iter_errors(self, instance: JsonObject) -> Iterable[ValidationError]:
        """What does not follow the schema."""
        ...


async def run(job: AgentJob, ctx: TargetContext) -> Reply:
    """Run an agent once, with everything of it fresh; its spans go to `ctx.recorder` while it runs.

    Args:
        job: who the agent is and what it is asked.
        ctx: `agent_model`, `recorder`, `tools`, `cost`; `interactive` lets MCP servers in.

    Returns:
        The answer (text, or an object when the job has a schema) and the usage of all model requests.

    Raises:
        StageFailure: stage `invoke`. What was used until then stands in the recorded `chat` spans.
    """
    model = RecordedModel(_engine_model(job, ctx), job, ctx)
    attributes: JsonObject = {OPERATION: "invoke_agent", REQUEST_MODEL: job.model.name}
    with ctx.recorder.span("invoke_agent", attributes):
        async with _deadline(job.limits.seconds):
            output = await _answer(job, ctx, model)
    return Reply(output=output, usage=model.used, shows_tools=True)


def _engine_model(job: AgentJob, ctx: TargetContext) -> Model[Any]:
    found = ctx.agent_model(job.model)
    if not isinstance(found, Model):
        raise TypeError(f"agent_model gave a {type(found).__name__} for {job.model.model}, not a pydantic-ai Model")
    return cast(Model[Any], found)


async def _answer(job: AgentJob, ctx: TargetContext, model: RecordedModel) -> JsonValue:
    agent = _agent(job, ctx, model)
    try:
        result = await agent.run(storable(job.prompt), infer_name=False)
    except Exception as error:
        raise failure(error, job.model.model) from error
    if result.output is not None:
        return as_json(result.output)
    if model.said_nothing:  # an empty text is an answer
        return ""
    raise StageFailure("invoke", "no_answer", f"{job.model.model}: its reply holds neither text nor a tool call")


def _agent(job: AgentJob, ctx: TargetContext, model: RecordedModel) -> Agent[None, Any]:
    agent: Agent[None, Any] = Agent(
        model,
        name="agent",
        deps_type=type(None),
        # None among the outputs makes an empty reply end the run at once, instead of the engine asking again.
        output_type=StructuredDict(job.output_schema, name="answer") if job.output_schema else [str, type(None)],
        instructions=job.instructions or None,
        model_settings=cast(ModelSettings, job.model.settings),
        retries={"tools": NO_LIMIT, "output": OUTPUT_RETRIES},
        tools=[engine_tool(tool, ctx.tools, ctx.recorder) for tool in job.tools],
        toolsets=[_connected(server, ctx) for server in job.mcp_servers] if ctx.interactive else [],
    )
    if job.output_schema is not None:
        agent.output_validator(_follows(job.output_schema))
    return agent


def _connected(server: McpServer, ctx: TargetContext) -> AbstractToolset[None]:
    return RecordedTools(module(MCP).toolset(server, ctx), ctx.recorder)


def _follows(schema: dict[str, JsonValue]) -> Any:
    """A check that an answer follows its schema; the model is told what does not, and may mend it."""
    validator = cast(SchemaCheck, Draft202012Validator(schema))

    async def check(output: dict[str, Any]) -> dict[str, Any]:
        faults = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(output)]
        if faults:
            raise ModelRetry("the answer does not follow its schema: " + "; ".join(faults[:10]))
        return output

    return check


@asynccontextmanager
async def _deadline(seconds: float | None) -> AsyncGenerator[None]:
    """Ends the block after so many seconds with a failure of its own; any other timeout passes as it is."""
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise StageFailure(
            "invoke", "timeout", f"the agent was stopped at its limit of {seconds} s; raise limits.seconds"
        ) from error
