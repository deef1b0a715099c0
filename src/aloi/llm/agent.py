"""The agent engine: ReAct over pydantic-ai. Importing it imports pydantic-ai, so only running an agent does."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from pydantic import JsonValue
from pydantic_ai import Agent, StructuredDict
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset

from aloi.bounded_schema import validator, violations
from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.identity import canonical_json
from aloi.core.json_values import storable
from aloi.core.spec import JsonObject
from aloi.core.target import Reply, TargetContext
from aloi.core.trace import INSTRUCTIONS, OPERATION, REQUEST_MODEL
from aloi.llm.agent_failures import failure
from aloi.llm.agent_job import AgentJob, McpServer
from aloi.llm.agent_messages import as_json, prompt_of
from aloi.llm.agent_model import RecordedModel
from aloi.llm.agent_tools import RecordedTools, engine_tool
from aloi.plugins import module

MCP = "aloi.llm.agent_mcp"  # imports the MCP libraries, so it is loaded for interactive use only
# Calls of unknown tools are answered, however many: limits.steps ends a run, nothing else counts its mistakes.
NO_LIMIT = 1_000_000
OUTPUT_RETRIES = 2
SCHEMA_SECONDS = 5.0
FAULTS_TOLD = 10


async def run(job: AgentJob, ctx: TargetContext) -> Reply:
    """Run an agent once, with everything of it fresh; its spans go to `ctx.recorder` while it runs.

    Args:
        job: who the agent is and what it is asked.
        ctx: `agent_model`, `recorder`, `tools`, `cost`; `stand_ins` answer for the tools that they cover; `interactive`
            lets MCP servers in.

    Returns:
        The answer (text, or an object when the job has a schema) and the usage of all model requests.

    Raises:
        StageFailure: stage `invoke`. What was used until then stands in the recorded `chat` spans.
    """
    model = RecordedModel(_engine_model(job, ctx), job, ctx)
    attributes: JsonObject = {OPERATION: "invoke_agent", REQUEST_MODEL: job.model.name}
    if job.instructions:
        attributes[INSTRUCTIONS] = [{"type": "text", "content": storable(job.instructions)}]
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
        result = await agent.run(prompt_of(storable(job.prompt), job.files), infer_name=False)
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
        tools=[engine_tool(tool, ctx) for tool in job.tools],
        toolsets=[_connected(server, ctx) for server in job.mcp_servers] if ctx.interactive else [],
    )
    if job.output_schema is not None:
        agent.output_validator(_follows(job.output_schema))
    return agent


def _connected(server: McpServer, ctx: TargetContext) -> AbstractToolset[None]:
    return RecordedTools(module(MCP).toolset(server, ctx), ctx.recorder, server.secrets(ctx.environ))


def _follows(schema: dict[str, JsonValue]) -> Any:
    """A check that an answer follows its schema; the model is told what does not, and may mend it."""
    text = canonical_json(schema)
    try:
        validator(text)
    except ValueError as error:
        raise InvalidInput(f"the output_schema cannot be used: {error}") from error

    async def check(output: dict[str, Any]) -> dict[str, Any]:
        found = await asyncio.to_thread(violations, text, output, SCHEMA_SECONDS, FAULTS_TOLD)
        if found:
            faults = "; ".join(f"{error.json_path}: {error.message}" for error in found)
            raise ModelRetry(f"the answer does not follow its schema: {faults}")
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
