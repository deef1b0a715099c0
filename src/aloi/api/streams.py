"""Answers that are sent in pieces as they are made."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from starlette.responses import StreamingResponse
from starlette.types import Send


class Streamed(StreamingResponse):
    """The pieces of a generator. It is closed at once when the reader leaves, so that what it holds is given back."""

    def __init__(
        self,
        pieces: AsyncGenerator[str | bytes],
        media_type: str,
        filename: str | None = None,
        status_code: int = 200,  # the framework reads this default for the description of the API
    ) -> None:
        headers = {"X-Accel-Buffering": "no"}  # a proxy hands them on as they come
        if filename is not None:
            headers["Content-Disposition"] = f'attachment; filename="{filename}"'
        super().__init__(pieces, status_code, media_type=media_type, headers=headers)
        self._pieces = pieces

    async def stream_response(self, send: Send) -> None:
        """Send all pieces."""
        async with aclosing(self._pieces):
            await super().stream_response(send)
