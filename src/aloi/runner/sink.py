"""Where the events of a run go. The runner knows only this; a store stands behind it."""

from typing import Protocol

from aloi.runner.task import CaseEvent


class ResultSink(Protocol):
    """Takes events and makes them durable, several at a time."""

    async def record(self, event: CaseEvent) -> None:
        """Take one in; it is committed soon after (within 250 ms), and waited for only when too many are open.

        Raises:
            AloiError: an earlier commit failed.
        """
        ...

    async def flush(self) -> None:
        """Return when all that was taken in is committed."""
        ...
