"""How much of what exporters send one server holds at once."""

from collections.abc import Generator
from contextlib import contextmanager

from aloi.core.errors import TooMany

MOST_IN_HAND = 64_000_000
RETRY_SECONDS = 1.0


class Intake:
    """Counts the bytes of the requests that are being read; beyond the limit the sender has to come back later."""

    def __init__(self, most: int = MOST_IN_HAND) -> None:
        self._most = most
        self._in_hand = 0

    @contextmanager
    def holding(self, size: int) -> Generator[None]:
        """Hold so many bytes in the block. One request is let through, however large it is.

        Raises:
            TooMany: there is no room now.
        """
        if self._in_hand and self._in_hand + size > self._most:
            raise TooMany("this server has its hands full of traces; send them again in a moment", RETRY_SECONDS)
        self._in_hand += size
        try:
            yield
        finally:
            self._in_hand -= size
