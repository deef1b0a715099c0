"""Answers that are sent in pieces as they are made."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from starlette.responses import StreamingResponse
from starlette.types import Message, Send

# A reader takes a piece within this time: what an answer holds, a connection to the database say, others wait for.
PIECE_SECONDS = 60.0
log = logging.getLogger("aloi.api")


class Streamed(StreamingResponse):
    """The pieces of a generator.

    It is closed at once when the reader leaves, or takes nothing for a minute, so that what it holds is given back.
    """

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
            try:
                await super().stream_response(_in_time(send))
            except _Stalled:
                log.info("a reader took nothing for %g seconds; its answer was cut off", PIECE_SECONDS)


class _Stalled(Exception):
    """The reader takes nothing any more."""


def _in_time(send: Send) -> Send:
    """Sends each message within a time.

    Raises:
        _Stalled: it was not taken.
    """

    async def sent(message: Message) -> None:
        try:
            async with asyncio.timeout(PIECE_SECONDS):
                await send(message)
        except TimeoutError as error:
            raise _Stalled from error

    return sent
