"""The kinds of client that the contract suite runs on, and shortcuts for calling them."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from aloi.client.http import open_http
from aloi.client.local import open_local
from aloi.client.protocol import Client
from aloi.core.access import Role
from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.listing import Saved
from aloi.core.run import Run, RunRequest
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service.accounts import api_keys
from aloi.service.context import Context
from aloi.settings import Settings
from tests.api.calls import running
from tests.model_server import ModelServer

OpenClient = Callable[[Path, Mapping[str, str]], AbstractAsyncContextManager[Client]]


@asynccontextmanager
async def local(home: Path, environ: Mapping[str, str]) -> AsyncGenerator[Client]:
    """A client over the database in a home, in this process."""
    client = await open_local(Settings(home=home), environ)
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def served(home: Path, environ: Mapping[str, str]) -> AsyncGenerator[tuple[str, str]]:
    """A real server over the database in a home: its address and the key of an owner."""
    context = await Context.open(Settings(home=home), environ)
    try:
        made = await api_keys.create(context, "contract", Role.OWNER, None)
        async with running(context) as server:
            yield server.url, made.secret
    finally:
        await context.close()


@asynccontextmanager
async def http(home: Path, environ: Mapping[str, str]) -> AsyncGenerator[Client]:
    """A client of a real server over the database in a home, with the key of an owner."""
    async with served(home, environ) as (url, key):
        client = open_http(url, key)
        try:
            yield client
        finally:
            await client.close()


CLIENTS: dict[str, OpenClient] = {"local": local, "http": http}
UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057"
CONTAINS = (Binding.model_validate({"kind": "contains", "text": "ok"}),)


async def each(cases: Sequence[dict[str, Any]]) -> AsyncIterator[Case]:
    """The cases as a client takes them."""
    for case in cases:
        yield Case.model_validate(case)


def prompts(*keys: str) -> list[dict[str, Any]]:
    """A case per key, whose prompt has `ok` and the key in it."""
    return [{"key": key, "prompt": f"ok {key}"} for key in keys]


async def save(client: Client, *keys: str, name: str = "data", **options: Any) -> Saved:
    """Save a dataset of such cases, graded by whether `ok` is in the answer."""
    options.setdefault("bindings", CONTAINS)
    return await client.save_dataset(name, each(prompts(*keys)), **options)


def echo(server: ModelServer, model: str = "echo") -> Target:
    """A model of the model server."""
    return build("targets", {"kind": "openai", "model": model, "base_url": server.url}, Target)


def replay(**outputs: Any) -> Target:
    """Recorded answers by case key."""
    return build("targets", {"kind": "replay", "outputs": outputs}, Target)


async def begin(client: Client, target: Target, **options: Any) -> Run:
    """Start a run on the dataset `data`."""
    version = await client.save_target("bot", target)
    request = {"target_version_id": version.id, "dataset": "data", **options}
    return await client.start(RunRequest.model_validate(request))


async def ended(client: Client, run: Run) -> Run:
    """The run when it is finished."""
    run = await client.wait(run.id, 10)
    assert run.status.finished
    return run


async def recorded(client: Client, **outputs: Any) -> Run:
    """A finished run of recorded answers."""
    return await ended(client, await begin(client, replay(**outputs)))
