"""Spans that others send of what a target does. The runner knows only this; a store stands behind it."""

from typing import Protocol

from aloi.core.outcome import Outcome


class Evidence(Protocol):
    """Brings the spans that a target exported itself into the trace of its outcome."""

    async def expect(self, trace_id: str, seconds: float) -> None:
        """Say, before a target is invoked, that spans of this trace belong to its invocation.

        Args:
            seconds: how long, at most, until its outcome is stored.

        Raises:
            AloiError: it could not be written down.
        """
        ...

    async def completed(self, outcome: Outcome, seconds: float) -> Outcome:
        """The outcome with the spans that come within so many seconds; the same one when it waits for none.

        Raises:
            AloiError: it could not be looked for them.
        """
        ...


class NoEvidence:
    """Where nobody sends any."""

    async def expect(self, trace_id: str, seconds: float) -> None:
        """Nothing to do."""

    async def completed(self, outcome: Outcome, seconds: float) -> Outcome:
        """The outcome as it is."""
        return outcome


NO_EVIDENCE = NoEvidence()
