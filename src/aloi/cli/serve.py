"""`aloi serve`: the server with the web UI and the REST API."""

import os
import sys
from collections.abc import Coroutine
from functools import partial
from typing import Annotated, Any

import typer

from aloi.cli.door import carry_out, surroundings
from aloi.cli.faults import OK
from aloi.plugins import module


def serve_command(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for other machines too.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 picks a free one.")] = 8080,
    grace: Annotated[float, typer.Option(min=0, help="Seconds that cases in flight get when it ends.")] = 10.0,
) -> None:
    """Serve the web UI, the REST API, and OTLP traces at /v1/traces; runs that a stopped server left are taken up."""
    environ, settings = surroundings(context)
    told = partial(announce, settings.public_url)
    carry_out(_served(module("aloi.api.server").serve(settings, environ, host, port, grace, told)))


async def _served(serving: Coroutine[Any, Any, None]) -> None:
    """Serve, and then leave: everything is stored, and work in a thread that will not end must not hold up the end."""
    await serving
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(OK)


def announce(public: str | None, address: str, link: str | None) -> None:
    """Tell where the server is. A link signs in once; it is told only where nobody else reads along."""
    print(f"Aloi is at {address}" if public is None else f"Aloi is at {public}, by way of {address}")
    if link is not None:
        print(f"Sign in, once, by: {address}{link}")
    print("Ctrl-C stops it; runs that are going on are taken up again by the next `aloi serve`.")
    sys.stdout.flush()
