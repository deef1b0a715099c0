"""Where agents elsewhere find the simulated tools of a case: an MCP server under an address that nobody can guess.

The token in the address is all that a caller shows. It is no part of the REST API, and not in its description.
"""

import asyncio
import logging
from types import ModuleType

from starlette.requests import ClientDisconnect, Request
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from aloi.api.errors import problem_of
from aloi.core.errors import AloiError, StoreUnavailable
from aloi.plugins import module
from aloi.service.context import Context
from aloi.service.served_tools import answering
from aloi.service.served_tools.serving import PATH

log = logging.getLogger("aloi.api")


class ServedTools:
    """An ASGI application. The MCP libraries are imported with the first request that has tools to be served.

    That takes a second or two, in which other requests go on.
    """

    def __init__(self) -> None:
        self._server: ModuleType | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        context = Request(scope).app.state.context
        assert isinstance(context, Context)
        token: str = scope["path_params"]["token"]
        try:
            async with context.desk.place():
                session = await answering.session(context, token)
                self._server = self._server or await asyncio.to_thread(module, "aloi.api.mcp_server")
                async with context.desk.away():  # however slowly an agent sends, it keeps no place from another one
                    body = await Request(scope, receive).body()
                await self._server.answer(context, token, session, scope, _again(body, receive), send)
        except ClientDisconnect:
            log.info("an agent left in the middle of a call of a simulated tool")
        except AloiError as error:
            # The address is a secret, so that it is in no log.
            if isinstance(error, StoreUnavailable):
                log.error("simulated tools cannot be served: %s", error)
            await problem_of(error)(scope, receive, send)


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives a body that was read, whole, and then what comes behind it."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return first.pop() if first else await receive()

    return next_message


def route() -> Route:
    """Where it stands. Each request stands for itself, so there is nothing to GET, and no session to DELETE."""
    return Route(PATH + "{token}", ServedTools(), methods=["POST"], include_in_schema=False)
