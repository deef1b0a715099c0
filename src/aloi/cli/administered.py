"""From the global options to what looks after targets, schedules, members and keys; `door` is that to evaluations."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import typer

from aloi.cli.door import surroundings
from aloi.client.administration import Administration, administer


@asynccontextmanager
async def administered(context: typer.Context) -> AsyncGenerator[Administration]:
    """What looks after targets, members and keys, closed at the end.

    Raises:
        InvalidInput: a setting cannot be read or used.
    """
    environ, settings = surroundings(context)
    client = await administer(settings, environ)
    try:
        yield client
    finally:
        await client.close()
