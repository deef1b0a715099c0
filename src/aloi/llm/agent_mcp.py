"""Connections to MCP servers, for interactive use alone. Importing it imports the MCP libraries."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from fastmcp.client.transports import StdioTransport
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.toolsets import AbstractToolset, WrapperToolset

from aloi.core.errors import StageFailure
from aloi.core.target import TargetContext
from aloi.llm.agent_job import McpServer
from aloi.llm.secrets import masked, read_secret

SECONDS_TO_CONNECT = 20.0


def toolset(server: McpServer, ctx: TargetContext) -> AbstractToolset[None]:
    """The tools of one server, named `SERVER_TOOL`; it is connected while a run of the agent lasts.

    Raises:
        StageFailure: a variable that it names is not set or cannot be sent, or it is a command and no code may run
            here.
    """
    if server.url is not None:
        headers = {header: _header(server, name, ctx) for header, name in server.headers_env.items()}
        tools = MCPToolset[None](server.url, headers=headers, init_timeout=SECONDS_TO_CONNECT)
    else:
        tools = MCPToolset[None](_command(server, ctx), init_timeout=SECONDS_TO_CONNECT)
    return _Server(tools.prefixed(server.name), server.name, server.secrets(ctx.environ))


@dataclass
class _Server(WrapperToolset[None]):
    """Names the server when it cannot be reached."""

    name: str
    secrets: Mapping[str, str]

    async def __aenter__(self) -> Self:
        try:
            return await super().__aenter__()
        except Exception as error:
            words = masked(str(error), self.secrets)
            raise StageFailure(
                "invoke", "mcp", f"the MCP server {self.name!r} cannot be used: {words}; check its address or command"
            ) from error


def _command(server: McpServer, ctx: TargetContext) -> StdioTransport:
    if not ctx.allow_code:
        raise StageFailure(
            "invoke",
            "not_permitted",
            f"the MCP server {server.name!r} is a command, and the operator has not allowed code; use one with a url",
        )
    environ = {name: _variable(server, name, ctx) for name in server.env}
    return StdioTransport(command=server.command or "", args=list(server.args), env=environ)


def _header(server: McpServer, name: str, ctx: TargetContext) -> str:
    return read_secret({name: _variable(server, name, ctx)}, name)


def _variable(server: McpServer, name: str, ctx: TargetContext) -> str:
    value = ctx.environ.get(name)
    if value is None:
        raise StageFailure(
            "invoke", "mcp", f"the MCP server {server.name!r} needs the environment variable {name}, which is not set"
        )
    return value
