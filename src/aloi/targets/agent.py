"""`agent`: the built-in ReAct agent."""

import inspect
from typing import ClassVar, Self, cast

from pydantic import Field, JsonValue, field_validator, model_validator

from aloi.core.attachment import AttachedFile
from aloi.core.chat import ModelSpec
from aloi.core.errors import InvalidInput
from aloi.core.json_values import text_of
from aloi.core.keys import NamedKey
from aloi.core.spec import JsonObject
from aloi.core.target import Component, Invocation, Reply, Target, TargetContext
from aloi.core.tool import Tool
from aloi.llm.agent_job import AgentEngine, AgentJob, AgentLimits, McpServer
from aloi.plugins import build, module

ENGINE = "aloi.llm.agent"  # imports pydantic-ai, so it is loaded at the first invocation only


class Agent(ModelSpec, Target):
    """A ReAct agent: a model that thinks, calls tools, reads their results and answers.

    Every case gets a fresh agent and a fresh file workspace. A tool that fails, or is called wrongly, tells the model
    why, and the agent goes on. MCP servers serve interactive use only: a run leaves them out and says so.
    """

    kind: ClassVar[str] = "agent"
    uses_workspace: ClassVar[bool] = True

    instructions: str = Field(default="", description="What the agent is told before the case's prompt.")
    tools: tuple[str | JsonObject, ...] = Field(
        default=(), description="Built-in tools by name, or with their options: `{kind: file_ops, max_bytes: 1000}`."
    )
    mcp_servers: tuple[McpServer, ...] = Field(
        default=(), description="MCP servers whose tools it gets in interactive use."
    )
    side_effects: tuple[str, ...] = Field(
        default=(), description="Those of its tools that change the world: a run must simulate them, or allow them."
    )
    limits: AgentLimits = Field(default=AgentLimits(), description="Where it is stopped.")
    output_schema: dict[str, JsonValue] | None = Field(
        default=None, description="JSON schema of an object that the answer must follow; null for an answer in text."
    )

    @field_validator("tools")
    @classmethod
    def _tools_exist(cls, tools: tuple[str | JsonObject, ...]) -> tuple[str | JsonObject, ...]:
        try:
            names = [_built(tool).kind for tool in tools]
        except InvalidInput as error:
            raise ValueError(str(error)) from error
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"listed twice: {', '.join(twice)}; name each tool once")
        return tools

    @model_validator(mode="after")
    def _side_effects_are_of_tools(self) -> Self:
        names = [_built(tool).kind for tool in self.tools]
        strange = [name for name in self.side_effects if name not in names]
        if strange:
            raise ValueError(
                f"side_effects names {', '.join(strange)}, and the agent's tools are: {', '.join(names) or 'none'}"
            )
        return self

    @field_validator("mcp_servers")
    @classmethod
    def _servers_differ(cls, servers: tuple[McpServer, ...]) -> tuple[McpServer, ...]:
        if len({server.name for server in servers}) < len(servers):
            raise ValueError("two MCP servers have the same name; give each its own")
        return servers

    @field_validator("output_schema")
    @classmethod
    def _schema_of_object(cls, schema: dict[str, JsonValue] | None) -> dict[str, JsonValue] | None:
        if schema is not None and schema.get("type") != "object":
            raise ValueError('it must describe an object: write {"type": "object", "properties": ...}')
        return schema

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        """Run a fresh agent on the input; an object is put to it as JSON, and the case's files stand behind it.

        Raises:
            StageFailure: stage `invoke`; type `step_limit`, `token_limit`, `timeout`, `no_answer`, `bad_reply`,
                `http_status`, `rate_limited`, `connection`, `mcp` or `not_permitted`.
        """
        engine = cast(AgentEngine, module(ENGINE))
        return await engine.run(self._job(invocation, await ctx.files(invocation)), ctx)

    def refuses_attachments(self) -> None:
        """It takes files; whether its model can read them is seen when it is asked."""

    def models(self) -> tuple[ModelSpec, ...]:
        """Its one model."""
        return (self.model_spec,)

    def named_keys(self) -> tuple[NamedKey, ...]:
        """The variables that its MCP servers get: in their headers, or as programs."""
        return tuple(key for server in self.mcp_servers for key in server.named_keys())

    def components(self) -> tuple[Component, ...]:
        """Its built-in tools."""
        return tuple(self._component(tool) for tool in map(_built, self.tools))

    def knows_components(self) -> bool:
        """It does, also when it has no tool: those of MCP servers are not in a run."""
        return True

    def _component(self, tool: Tool) -> Component:
        return Component(
            name=tool.kind,
            description=inspect.getdoc(type(tool)) or "",
            output_schema=tool.Output,
            side_effect=tool.kind in self.side_effects,
        )

    def skipped(self) -> tuple[str, ...]:
        """The names of the MCP servers, which a run leaves out."""
        return tuple(server.name for server in self.mcp_servers)

    def _job(self, invocation: Invocation, files: tuple[AttachedFile, ...]) -> AgentJob:
        return AgentJob(
            model=self.model_spec,
            prompt=text_of(invocation.input),
            instructions=self.instructions,
            tools=tuple(_built(tool) for tool in self.tools),
            mcp_servers=self.mcp_servers,
            limits=self.limits,
            output_schema=self.output_schema,
            files=files,
        )


def _built(tool: str | JsonObject) -> Tool:
    return build("tools", {"kind": tool} if isinstance(tool, str) else tool, Tool)
