"""What the agent engine is asked to do. Light: describing an agent imports no engine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import Field, JsonValue, model_validator

from aloi.core.attachment import AttachedFile
from aloi.core.chat import ModelSpec
from aloi.core.keys import NamedKey
from aloi.core.spec import Value
from aloi.core.target import Reply, TargetContext
from aloi.core.tool import Tool


class AgentLimits(Value):
    """Where an agent is stopped. Passing a limit is a failure of the case, not a short answer."""

    steps: int = Field(default=50, ge=1, description="Most requests to the model.")
    tokens: int | None = Field(
        default=None, ge=1, description="Most input and output tokens together; null for no limit."
    )
    seconds: float | None = Field(
        default=None, gt=0, description="Most seconds; null for the run's own deadline alone."
    )


class McpServer(Value):
    """An MCP server, reached by its address or started by a command."""

    name: str = Field(pattern="^[A-Za-z0-9_-]{1,40}$", description="Its tools are offered as `NAME_TOOL`.")
    url: str | None = Field(default=None, description="Address of a server that speaks streamable HTTP.")
    headers_env: dict[str, str] = Field(
        default={}, description="Header name: environment variable that holds its value."
    )
    command: str | None = Field(
        default=None, description="Program to start, which speaks on its standard input and output."
    )
    args: tuple[str, ...] = Field(default=(), description="Its arguments.")
    env: tuple[str, ...] = Field(default=(), description="Names of environment variables that are passed on to it.")

    @model_validator(mode="after")
    def _one_way(self) -> "McpServer":
        if (self.url is None) == (self.command is None):
            raise ValueError(f"the MCP server {self.name!r} needs either a url or a command, and not both")
        return self

    def named_keys(self) -> tuple[NamedKey, ...]:
        """The variables that it gets: in headers sent to its url, or as a program of this machine."""
        names = self.env if self.url is None else self.headers_env.values()
        return tuple(NamedKey(variable=name, address=self.url) for name in sorted(set(names)))

    def secrets(self, environ: Mapping[str, str]) -> dict[str, str]:
        """The values of these variables by their names, for what it answers to be masked."""
        return {key.variable: environ.get(key.variable, "").strip() for key in self.named_keys()}


@dataclass(frozen=True)
class AgentJob:
    """One run of an agent: who it is, what it may use, the prompt and its files. `output_schema` null means text."""

    model: ModelSpec
    prompt: str
    instructions: str = ""
    tools: tuple[Tool, ...] = ()
    mcp_servers: tuple[McpServer, ...] = ()
    limits: AgentLimits = field(default_factory=lambda: AgentLimits())
    output_schema: dict[str, JsonValue] | None = None
    files: tuple[AttachedFile, ...] = ()


class AgentEngine(Protocol):
    """The module that runs agents, `aloi.llm.agent`, as its callers see it."""

    async def run(self, job: AgentJob, ctx: TargetContext) -> Reply:
        """Run the agent once. See `aloi.llm.agent.run`."""
        ...
