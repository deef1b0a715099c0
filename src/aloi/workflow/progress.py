"""How far an invocation of a workflow has come: what is stored when it parks, and what it goes on from."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import cast

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.usage import NO_USAGE, Usage

Keep = Callable[[JsonObject], Awaitable[None]]


class Progress:
    """The steps that are over, by their paths, and what was used.

    Args:
        state: what an earlier part of the invocation had come to; null for a new one.
        keep: stores the state; null where nothing is kept.
    """

    def __init__(self, state: JsonObject | None = None, keep: Keep | None = None) -> None:
        given = state or {}
        self.outputs: JsonObject = {**cast(JsonObject, given.get("steps", {}))}
        self.skipped: set[str] = set(cast("list[str]", given.get("skipped", [])))
        self.usage = Usage.model_validate(given["usage"]) if "usage" in given else NO_USAGE
        self._keep = keep
        self._turn = asyncio.Lock()
        self._changes = 0
        self._last_kept = 0

    def state(self) -> JsonObject:
        """As JSON: `{"steps": {path: output}, "skipped": [path], "usage": {...}}`."""
        skipped: list[JsonValue] = [*sorted(self.skipped)]
        return {
            "steps": dict(self.outputs),
            "skipped": skipped,
            "usage": self.usage.model_dump(mode="json"),
        }

    def spend(self, usage: Usage) -> None:
        """Add what a call used."""
        self.usage += usage

    async def finished(self, path: str, output: JsonValue, inside: Iterable[str] = ()) -> None:
        """A step is over, which is kept before this returns. `inside`: paths that are of no use any more."""
        self.outputs[path] = output
        for gone in inside:
            self.outputs.pop(gone, None)
            self.skipped.discard(gone)
        await self._kept()

    def left_out(self, path: str) -> None:
        """A step is skipped; it is kept with the next one that is over."""
        self.skipped.add(path)

    async def _kept(self) -> None:
        if self._keep is None:
            return
        self._changes += 1
        mine = self._changes
        async with self._turn:
            if self._last_kept < mine:  # else whoever was before in the line kept this change too
                self._last_kept = self._changes
                await self._keep(self.state())
