"""What the use cases share in one process."""

import asyncio
from pathlib import Path

import pytest

from aloi.core.access import LOCAL, Principal, Role, Workspace
from aloi.core.errors import StoreUnavailable
from aloi.service.clock import new_id, now
from aloi.service.context import Context, interrupt
from aloi.settings import Settings
from aloi.store import targets
from aloi.store.codec import pack_id
from aloi.tracing.recorder import Recording


async def test_opening_makes_the_home(tmp_path: Path) -> None:
    context = await Context.open(Settings(home=tmp_path / "new" / "home"), {})
    assert (tmp_path / "new" / "home" / "aloi.db").is_file()
    await context.close()


async def test_a_database_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StoreUnavailable):
        await Context.open(Settings(home=tmp_path / "home"), {})


async def test_each_context_is_a_holder_of_its_own(context: Context, tmp_path: Path) -> None:
    other = await Context.open(Settings(home=tmp_path), {})
    assert other.owner != context.owner
    await other.close()


async def test_acting_as_another_shares_all_but_the_workspace(context: Context) -> None:
    workspace = Workspace(id="00000000-0000-7000-8000-000000000002", name="other")
    principal = Principal(workspace=workspace, name="ann@example.org", role=Role.EDITOR, kind="member")
    async with context.database.transaction() as tx:
        await tx.execute("INSERT INTO workspaces (id, name) VALUES (?, 'other')", (pack_id(workspace.id),))
        await targets.ensure(tx, "bot", "python", new_id, now())
    acting = context.acting_as(principal)
    assert (acting.principal, context.principal) == (principal, LOCAL)
    assert acting.work is context.work and acting.in_memory is context.in_memory
    assert acting.models is context.models and acting.owner == context.owner
    async with acting.database.read() as rx:
        assert await targets.listing(rx) == []


async def test_closing_twice_does_no_harm(context: Context) -> None:
    await context.close()
    await context.close()


async def test_the_database_is_closed_even_when_the_models_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken() -> None:
        raise ZeroDivisionError("by zero")

    context = await Context.open(Settings(home=tmp_path), {})
    monkeypatch.setattr(context.models, "close", broken)
    with pytest.raises(ZeroDivisionError):
        await context.close()
    assert context.database.read_only  # there is no connection left that writes


async def test_work_is_interrupted_once() -> None:
    cancels = 0

    async def work() -> None:
        nonlocal cancels
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancels += 1
            await asyncio.sleep(0.01)  # a commit, say
            cancels += 10
            raise

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    interrupt(task)
    await asyncio.sleep(0)
    interrupt(task)
    await asyncio.wait([task])
    assert cancels == 11


async def test_a_target_gets_what_the_operator_allows(tmp_path: Path) -> None:
    settings = Settings(
        home=tmp_path, allow_hosts=frozenset({"box"}), search_url="http://127.0.0.1:1", allow_code=False
    )
    context = await Context.open(settings, {"KEY": "secret"})
    given = context.target_context(Recording(), "/some/where")
    assert (given.allow_code, given.interactive, given.environ) == (False, False, {"KEY": "secret"})
    assert (given.tools.workspace, given.tools.allow_hosts) == ("/some/where", {"box"})
    assert given.tools.search_url == "http://127.0.0.1:1"
    assert context.target_context(Recording(), "", interactive=True).interactive
    await context.close()
