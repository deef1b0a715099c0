"""A real server over a fresh database, and members of each role who ask it.

`owner`, `editor` and `viewer` are members of the server's first workspace, `stranger` owns another one, `nobody` is not
signed in. Tests that are parametrised over `database_address` (`indirect`, with `BACKENDS`) run on PostgreSQL too.
"""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from aloi.core.access import LOCAL, Role, Workspace
from aloi.service.accounts import access, members
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store import workspaces
from tests.api.calls import Caller, RunningServer, running
from tests.store.backends import fresh


@pytest.fixture
async def database_address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str | None]:
    """The address of an empty database; null for SQLite in the home."""
    if not hasattr(request, "param"):
        yield None
        return
    async with fresh(request, tmp_path) as address:
        yield address


@pytest.fixture
async def server_settings(tmp_path: Path, database_address: str | None) -> Settings:
    """What the server runs with; a test file may override this fixture."""
    return Settings(home=tmp_path / "home", database_url=database_address)


@pytest.fixture
async def server(server_settings: Settings) -> AsyncIterator[RunningServer]:
    """The running server. Its `context` reaches behind it."""
    context = await Context.open(server_settings, {"TEST_KEY": "test-key"})
    try:
        async with running(context) as server:
            yield server
    finally:
        await context.close()


@pytest.fixture
async def owner(server: RunningServer) -> Caller:
    """An owner of the first workspace."""
    return await member(server, Role.OWNER)


@pytest.fixture
async def editor(server: RunningServer) -> Caller:
    """An editor of the first workspace."""
    return await member(server, Role.EDITOR)


@pytest.fixture
async def viewer(server: RunningServer) -> Caller:
    """A viewer of the first workspace."""
    return await member(server, Role.VIEWER)


@pytest.fixture
def nobody(server: RunningServer) -> Caller:
    """Somebody who is not signed in."""
    return server.caller()


@pytest.fixture
async def stranger(server: RunningServer) -> Caller:
    """The owner of another workspace."""
    workspace = Workspace(id=new_id(), name="elsewhere")
    async with server.context.database.transaction() as tx:
        await workspaces.create(tx, workspace)
    context = server.context.acting_as(LOCAL.model_copy(update={"workspace": workspace}))
    return await member(server, Role.OWNER, "stranger@example.org", context)


async def member(
    server: RunningServer,
    role: Role,
    email: str | None = None,
    context: Context | None = None,
    targets: Sequence[str] | None = None,
) -> Caller:
    """A new member, signed in by the link that the service made: `<role>@example.org`.

    Args:
        targets: those that they are narrowed to; null for all.
    """
    added = await members.add(context or server.context, email or f"{role}@example.org", role, targets=targets)
    assert added.link is not None
    signed_in = await access.sign_in_by_link(server.context, added.link.partition("token=")[2])
    return server.caller(signed_in.token)
