"""Runs that are looked at, waited for and listed, or were never begun."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import InvalidInput, NotFound
from aloi.core.run import Run, RunStatus
from aloi.service import runs
from aloi.service.context import Context
from aloi.settings import Settings
from tests.service.started_runs import finished, prompts, save, start


async def answer(given: Any) -> Any:
    return f"ok {given}"


async def pending(context: Context) -> Run:
    """A run that was stored and never begun, as older programs could leave behind."""
    await save(context, prompts(2))
    run = await finished(context, await start(context, answer))
    async with context.database.transaction() as tx:
        await tx.execute("DELETE FROM results")
        await tx.execute("UPDATE runs SET status = 'pending', summary = NULL, started_at = NULL, finished_at = NULL")
    return run


async def test_a_pending_run_can_be_cancelled(context: Context) -> None:
    run = await runs.cancel(context, (await pending(context)).id)
    assert run.status is RunStatus.CANCELLED
    assert run.summary is not None and run.summary.total == 0


async def test_a_pending_run_can_be_resumed(context: Context) -> None:
    run = await finished(context, await runs.resume(context, (await pending(context)).id))
    assert run.status is RunStatus.COMPLETED


async def test_an_unknown_run_is_told_everywhere(context: Context) -> None:
    for call in (
        runs.wait(context, "0123", 0),
        runs.cancel(context, "0123"),
        runs.resume(context, "0123"),
        runs.delete(context, "0123"),
        runs.progress(context, "0123"),
        runs.results_page(context, "latest", None, 1, 10),
        runs.result(context, "", "k0", 0),
    ):
        with pytest.raises(NotFound, match="there is no run"):
            await call


async def test_waiting_ends_when_the_time_is_over(context: Context) -> None:
    async def hang(given: Any) -> Any:
        await asyncio.sleep(60)

    await save(context, prompts(1))
    run = await start(context, hang)
    assert (await runs.wait(context, run.id, 0.01)).status is RunStatus.RUNNING
    assert (await runs.wait(context, run.id, 0)).status is RunStatus.RUNNING


async def test_a_run_of_another_context_is_waited_for_until_it_is_finished(context: Context, tmp_path: Path) -> None:
    release = asyncio.Event()

    async def slow(given: Any) -> Any:
        await release.wait()
        return "ok"

    await save(context, prompts(1))
    run = await start(context, slow)
    other = await Context.open(Settings(home=tmp_path), {})
    try:
        assert (await runs.wait(other, run.id, 0.01)).status is RunStatus.RUNNING
        waiting = asyncio.create_task(runs.wait(other, run.id, 3600))
        release.set()
        assert (await asyncio.wait_for(waiting, 5)).status is RunStatus.COMPLETED
    finally:
        await other.close()


async def test_runs_are_listed_newest_first_and_by_dataset(context: Context) -> None:
    await save(context, prompts(1))
    await save(context, prompts(1), name="other")
    made = [await finished(context, await start(context, answer, name)) for name in ("data", "other", "data")]
    ids = [run.id for run in reversed(made)]
    assert [run.id for run in (await runs.listing(context, None, 1, 10)).items] == ids
    page = await runs.listing(context, "data", 1, 10)
    assert ([run.id for run in page.items], page.total) == ([ids[0], ids[2]], 2)
    second = await runs.listing(context, None, 2, 2)
    assert ([run.id for run in second.items], second.total, second.pages) == (ids[2:], 3, 2)
    for unknown in ("nope", ""):
        with pytest.raises(NotFound, match="no dataset"):
            await runs.listing(context, unknown, 1, 10)


@pytest.mark.parametrize(("page", "size"), [(0, 10), (-1, 10), (1, 0), (1, -5)])
async def test_pages_that_cannot_be_are_refused(context: Context, page: int, size: int) -> None:
    await save(context, prompts(1))
    run = await finished(context, await start(context, answer))
    with pytest.raises(InvalidInput, match="pages count from 1"):
        await runs.listing(context, None, page, size)
    with pytest.raises(InvalidInput, match="pages count from 1"):
        await runs.results_page(context, run.id, None, page, size)
