"""The MCP server of one session's simulated tools. Importing it imports the MCP libraries.

A server is made for each request, with nothing kept from one to the next, so that any process can answer any request.
"""

from typing import Any
from urllib.parse import urlsplit

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, TextContent
from mcp_types import Tool as McpTool
from pydantic import JsonValue
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from aloi.api.protection import MOST_CALL_BYTES
from aloi.core.errors import AloiError
from aloi.core.json_values import text_of
from aloi.core.served import ServedSession
from aloi.service.context import Context
from aloi.service.served_tools import answering

NAME = "aloi-simulated-tools"
ON_THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
Given = ServerRequestContext[Any]


async def answer(
    context: Context, token: str, session: ServedSession, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer one request of a client, with JSON."""

    async def list_tools(_: Given, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=await _tools(session))

    async def call_tool(_: Given, params: CallToolRequestParams) -> CallToolResult:
        return await _called(context, token, session, params)

    manager = StreamableHTTPSessionManager(
        Server(NAME, on_list_tools=list_tools, on_call_tool=call_tool),
        json_response=True,
        stateless=True,
        security_settings=_security(context, Headers(scope=scope)),
        max_request_body_size=MOST_CALL_BYTES,
    )
    async with manager.run():
        await manager.handle_request(scope, receive, send)


async def _tools(session: ServedSession) -> list[McpTool]:
    return [
        McpTool(
            name=tool.name,
            description=tool.description,
            input_schema=tool.input_schema,
            output_schema=await answering.announced_schema(tool),
        )
        for tool in session.tools
    ]


async def _called(
    context: Context, token: str, session: ServedSession, params: CallToolRequestParams
) -> CallToolResult:
    """What a call gives. What is wrong with it is told to the agent, whose model may mend it."""
    tool = session.tool(params.name)
    if tool is None:
        names = ", ".join(tool.name for tool in session.tools)
        return _error(f"there is no tool {params.name:.200}; the tools are: {names}")
    try:
        call = await answering.answer(context, token, session, tool, params.arguments or {})
    except AloiError as error:
        return _error(str(error))
    return _error(call.error) if call.error is not None else _result(call.output)


def _result(output: JsonValue) -> CallToolResult:
    structured = output if isinstance(output, dict) else None
    return CallToolResult(content=[TextContent(text=text_of(output))], structured_content=structured)


def _error(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=message)], is_error=True)


def _security(context: Context, headers: Headers) -> TransportSecuritySettings:
    """No page in a browser may call, whatever name it found for this server.

    A proxy may have changed the host, so that behind one any host is right.
    """
    public = urlsplit(context.settings.public_url or "")
    if public.netloc:
        ours = f"{public.scheme}://{public.netloc}"
        return TransportSecuritySettings(allowed_hosts=[headers.get("host", "")], allowed_origins=[ours])
    own = urlsplit(context.address or "").netloc
    ports = [form for host in ON_THIS_MACHINE for form in (host, f"{host}:*")]
    return TransportSecuritySettings(allowed_hosts=[own, *ports])
