"""The agent engine's way to an endpoint, which reads so much of an answer and no more."""

from collections.abc import AsyncIterator

import httpx2

MOST_BYTES = 64 * 1024 * 1024  # as of the thin door
PLAIN = "identity"


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """Breaks off an answer that is longer than 64 MB: one without end would take all memory of this machine.

    Answers are wanted as they are: of a compressed one, a few bytes may unfold to as much.
    """

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer; reading too much of it raises `httpx2.ReadError`."""
        request.headers["Accept-Encoding"] = PLAIN
        response = await super().handle_async_request(request)
        if response.headers.get("Content-Encoding", PLAIN).strip().lower() not in ("", PLAIN):
            await response.aclose()
            raise httpx2.RemoteProtocolError("the answer is compressed, which was not asked for", request=request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = Bounded(response.stream, request)
        return response


class Bounded(httpx2.AsyncByteStream):
    """A body that ends with an error where it becomes too long."""

    def __init__(self, body: httpx2.AsyncByteStream, request: httpx2.Request) -> None:
        self._body = body
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._body:
            seen += len(chunk)
            if seen > MOST_BYTES:
                message = f"the answer is longer than {MOST_BYTES:,} bytes, the most that is read"
                raise httpx2.ReadError(message, request=self._request)
            yield chunk

    async def aclose(self) -> None:
        """Close the connection."""
        await self._body.aclose()
