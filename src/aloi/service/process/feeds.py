"""The runs that are followed in a process; see `feed`."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from aloi.plugins import module
from aloi.store.database import Database

if TYPE_CHECKING:  # a command that works by itself has no followers
    from aloi.service.process.feed import Feed


class Feeds:
    """The feeds of a process, by run. There is one while somebody follows the run."""

    def __init__(self) -> None:
        self._open: dict[str, Feed] = {}
        self._closed = False

    @property
    def open(self) -> int:
        """How many runs are followed."""
        return len(self._open)

    @asynccontextmanager
    async def of(self, database: Database, run_id: str) -> AsyncGenerator["Feed"]:
        """The feed of a run that the database, as it is given, has."""
        feed = self._open.get(run_id)
        if feed is None:
            feed = self._open[run_id] = _feed(database, run_id)
            feed.closed = self._closed
        feed.followers += 1
        try:
            yield feed
        finally:
            feed.followers -= 1
            if not feed.followers:
                del self._open[run_id]
                await feed.close()

    async def close(self) -> None:
        """End all feeds; those that are asked for later end at once."""
        self._closed = True
        for feed in list(self._open.values()):
            await feed.close()


def _feed(database: Database, run_id: str) -> "Feed":
    feed: Feed = module("aloi.service.process.feed").Feed(database, run_id)
    return feed
