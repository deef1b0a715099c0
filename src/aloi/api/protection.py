"""What stands around every request: the headers that keep a browser safe, and the limits on bodies."""

import asyncio
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aloi.api.errors import problem
from aloi.core.attachment import MOST_FILE_BYTES

MOST_BYTES = 10 * 1024 * 1024
MOST_UPLOAD_BYTES = 50 * 1024 * 1024
MOST_CALL_BYTES = 1024 * 1024  # of a simulated tool
MOST_ATTACHMENT_BYTES = MOST_FILE_BYTES + 64 * 1024  # the file, and what a form puts around it
MOST_TRACE_BYTES = 20 * 1024 * 1024  # what collectors take by default
MOST_DIGITS = 18
# A body has to come to its end within this time: what is held open for ever takes memory and connections.
BODY_SECONDS = 300.0
# Files of cases come this way; everything else is small.
UPLOADS = ("/import", "/eval/suites/dataset", "/eval/suites/runs")
ATTACHMENTS = "/eval/attachments"
TRACES = "/v1/traces"
SERVED_TOOLS = "/mcp/"
HEADERS = {
    # Styles are set by the UI's library on elements; scripts come from our own files alone.
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Protection:
    """An ASGI application around another one. It streams: nothing is held back."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # there are none here
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        body = _Body(receive, _most_bytes(path))

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if path.startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        if body.is_announced_too_large(dict(scope["headers"]).get(b"content-length")):
            await problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", body.refusal)(scope, receive, answer)
        else:
            await self._app(scope, body.receive, answer)


def _most_bytes(path: str) -> int:
    if path == TRACES:
        return MOST_TRACE_BYTES
    if path.startswith(SERVED_TOOLS):
        return MOST_CALL_BYTES
    if path.endswith(ATTACHMENTS):
        return MOST_ATTACHMENT_BYTES
    return MOST_UPLOAD_BYTES if path.endswith(UPLOADS) else MOST_BYTES


class _Body:
    """Counts the bytes of a body as they come, and the time that they take."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0
        self._until: float | None = None
        self._complete = False
        self.refusal = f"the request is larger than {limit // 1024 // 1024} MB; send less at once"

    def is_announced_too_large(self, length: bytes | None) -> bool:
        """Whether a body says itself that it is too long."""
        return length is not None and length.isdigit() and (len(length) > MOST_DIGITS or int(length) > self._limit)

    async def receive(self) -> Message:
        """The next part of the body.

        Raises:
            HTTPException: it is too long or too slow: the framework lets this one kind of error through as it reads a
                body.
        """
        message = await self._receive() if self._complete else await self._in_time()
        self._seen += len(message.get("body", b""))
        if self._seen > self._limit:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, self.refusal)
        return message

    async def _in_time(self) -> Message:
        self._until = self._until or asyncio.get_running_loop().time() + BODY_SECONDS
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError as error:
            refusal = (
                f"the request did not come to its end within {BODY_SECONDS:g} seconds; send it again, or less at once"
            )
            raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, refusal) from error
        self._complete = not message.get("more_body", False)
        return message
