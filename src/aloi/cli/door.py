"""From the global options to a client, and from `async` work to a result."""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar

import typer

from aloi.cli.tree import Globals
from aloi.client import Client, connect
from aloi.settings import Settings, read_settings

if sys.platform == "win32":
    from asyncio import new_event_loop
else:
    from uvloop import new_event_loop

T = TypeVar("T")
# Where `aloi serve` listens unless it is told otherwise.
LOCAL_SERVER = "http://127.0.0.1:8080"


class Surroundings(NamedTuple):
    """The environment with the global options in it, and the settings read from it."""

    environ: dict[str, str]
    settings: Settings


def surroundings(context: typer.Context) -> Surroundings:
    """What the environment and the global options say.

    Raises:
        InvalidInput: a setting cannot be read.
    """
    given: Globals = context.find_object(Globals) or Globals()
    options = {"ALOI_HOME": given.home, "ALOI_SERVER": given.server}
    environ = {**os.environ, **{name: value for name, value in options.items() if value is not None}}
    return Surroundings(environ, read_settings(environ))


@asynccontextmanager
async def opened(context: typer.Context) -> AsyncGenerator[Client]:
    """A client, closed at the end.

    Raises:
        InvalidInput: a setting cannot be read or used.
    """
    environ, settings = surroundings(context)
    client = await connect(settings, environ)
    try:
        yield client
    finally:
        await client.close()


def sign_in_address(context: typer.Context, path: str) -> str:
    """Where a one-time link leads: on the server that is named, else on the one that runs, or will run, here."""
    settings = surroundings(context).settings
    return f"{(settings.server or settings.public_url or LOCAL_SERVER).rstrip('/')}{path}"


def carry_out(work: Coroutine[Any, Any, T]) -> T:
    """Do `async` work to its end. Ctrl-C cancels it."""
    _collect_seldom()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)


def _collect_seldom() -> None:
    """Let the collector leave alone what was imported, and look at the rest less often: a run makes little garbage that
    it is needed for, and would spend a fifth of its time on it.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()
