"""What a run tells those who follow it: one look at the database for all of them, each event encoded once.

It follows the database, so it does not matter which process works on the run. Nothing is kept for a follower but how
far it got: a slow one reads on from there.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from pydantic import BaseModel

from aloi.core.errors import NotFound, StoreUnavailable
from aloi.core.run import Progress
from aloi.core.run_view import live_figures, result_event, run_view
from aloi.store import result_feed, results, run_targets, runs
from aloi.store.database import Database
from aloi.store.result_feed import FeedEntry

LOOK_SECONDS = 0.3
# A look at a large run costs more, and is made less often: looking may take this share of the time.
LOOK_SHARE = 0.1
CHUNK = 200
CHUNKS_KEPT = 64
log = logging.getLogger("aloi.service")
GONE = b'event: done\ndata: {"status":"gone"}\n\n'


def encoded(event: str, seq: int, value: BaseModel) -> bytes:
    """A server-sent event; who comes back names its `id`, and goes on behind it."""
    return f"event: {event}\nid: {seq}\ndata: {value.model_dump_json()}\n\n".encode()


class Chunk(NamedTuple):
    """Some encoded `result` events, and the number of the last one."""

    events: bytes
    last: int


class State(NamedTuple):
    """What a look found: the number of the last result, the encoded `progress`, and `done` once the run is over."""

    head: int
    progress: bytes
    done: bytes | None


class Feed:
    """One run, for all who follow it in this process.

    `changed` is set, and replaced, when `state` is another one. `closed`: no more comes, though the run may go on.
    """

    def __init__(self, database: Database, run_id: str) -> None:
        self.state: State | None = None
        self.changed = asyncio.Event()
        self.closed = False
        self.followers = 0
        self._database = database
        self._run_id = run_id
        self._progress = Progress(total=0)
        self._chunks: OrderedDict[int, Chunk] = OrderedDict()
        self._reading = asyncio.Lock()
        self._looking = asyncio.create_task(self._look_on(), name=f"feed of run {run_id}")

    async def chunk(self, seq: int) -> Chunk:
        """The results behind a number. Followers at the same place share one."""
        async with self._reading:
            known = self._chunks.get(seq)
            if known is None:
                async with self._database.read() as rx:
                    known = _chunk(await result_feed.after(rx, self._run_id, seq, CHUNK), seq)
                if known.events:
                    self._chunks[seq] = known
                if len(self._chunks) > CHUNKS_KEPT:
                    self._chunks.popitem(last=False)
        return known

    async def close(self) -> None:
        """Look no more, and let followers go."""
        self.closed = True
        self._looking.cancel()
        await asyncio.gather(self._looking, return_exceptions=True)
        self._tell()

    async def _look_on(self) -> None:
        """Look until the run is over."""
        try:
            while self.state is None or self.state.done is None:
                began = time.monotonic()
                with suppress(StoreUnavailable):  # the next look may find it again
                    await self._look()
                took = time.monotonic() - began
                await asyncio.sleep(max(LOOK_SECONDS, took / LOOK_SHARE))
        except Exception:
            log.exception("run %s cannot be followed any more", self._run_id)
            self.closed = True
            self._tell()

    async def _look(self) -> None:
        before = self.state
        try:
            async with self._database.read() as rx:
                run = await runs.get(rx, self._run_id)
                head = await result_feed.last_seq(rx, run.id)
                if before is None or head != before.head:
                    self._progress = await results.counts(rx, run.id)
                done = None
                if run.status.finished:
                    version = run.spec.target_version_id
                    target = (await run_targets.shown(rx, [version]))[version]
                    done = encoded("done", head, run_view(run, target, self._progress))
        except NotFound:
            head, done = (before.head if before else 0), GONE
        if before is None or (head, done) != (before.head, before.done):
            self.state = State(head, encoded("progress", head, live_figures(self._progress)), done)
            self._tell()

    def _tell(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


def _chunk(entries: Iterable[FeedEntry], seq: int) -> Chunk:
    events: list[bytes] = []
    for entry in entries:
        seq = entry.seq
        events.append(encoded("result", seq, result_event(seq, entry.row)))
    return Chunk(b"".join(events), seq)
