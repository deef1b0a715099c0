"""A server of its own for one test of the command line: in this process, on a thread with a loop of its own."""

import asyncio
import threading
from collections.abc import Coroutine, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from aloi.core.access import Role
from aloi.service.accounts import api_keys
from aloi.service.context import Context
from aloi.settings import Settings
from tests.api.calls import running

T = TypeVar("T")


class ThreadServer(NamedTuple):
    """A server that runs. `context` acts as its local owner, in `loop`."""

    url: str
    context: Context
    loop: asyncio.AbstractEventLoop

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something behind the server, in its loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    def key(self, role: Role = Role.OWNER) -> str:
        """A fresh API key of a role."""
        return self.do(api_keys.create(self.context, f"a {role}'s", role, None)).secret


@contextmanager
def thread_server(home: Path, allow_code: bool = False) -> Generator[ThreadServer]:
    """A server over the database in a home."""
    ready: Future[ThreadServer] = Future()
    ended = asyncio.Event()

    async def serve() -> None:
        context = await Context.open(Settings(home=home, allow_code=allow_code), {}, served=True)
        try:
            async with running(context) as server:
                ready.set_result(ThreadServer(server.url, context, asyncio.get_running_loop()))
                await ended.wait()
        finally:
            await context.close()

    def work() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    thread = threading.Thread(target=work, name="aloi-test-server", daemon=True)
    thread.start()
    server = ready.result(30)
    try:
        yield server
    finally:
        server.loop.call_soon_threadsafe(ended.set)
        thread.join(30)
