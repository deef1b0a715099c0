"""Runs whose store is PostgreSQL: from start to end, broken off and resumed, and raced for by several contexts."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import Conflict
from aloi.core.run import RunStatus
from aloi.service import again, datasets, runs
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store import runs as stored_runs
from tests.postgres_server import PostgresServer
from tests.service.started_runs import Gate, finished, prompts, results_of, save, start, until_passed

RACES = 50


@pytest.fixture
async def contexts(postgres: PostgresServer, tmp_path: Path) -> AsyncIterator[list[Context]]:
    """Two contexts over one new database, as of two processes."""
    url = await postgres.fresh()
    settings = Settings(home=tmp_path, database_url=url)
    opened = [await Context.open(settings, {}) for _ in range(2)]
    opened[1].in_memory = opened[0].in_memory
    yield opened
    for context in opened:
        await context.close()
    postgres.drop(url)


async def answer(given: Any) -> Any:
    return f"ok {given}"


async def test_a_run_from_start_to_end_is_seen_by_all(contexts: list[Context]) -> None:
    one, two = contexts
    await save(one, prompts(12))
    run = await finished(one, await start(one, answer))
    assert run.status is RunStatus.COMPLETED and run.summary is not None
    assert (run.summary.passed, run.summary.failed, run.summary.errors) == (12, 0, 0)
    assert await runs.get(two, run.id) == run
    assert len(await results_of(two, run)) == 12
    anew = await finished(two, await again.regrade(two, run.id))
    assert anew.summary is not None and anew.summary.passed == 12
    await runs.delete(two, run.id)
    assert len(await results_of(one, anew)) == 12


async def test_a_run_that_was_interrupted_is_resumed_by_another_process(contexts: list[Context]) -> None:
    one, two = contexts
    target = Gate(free=5)
    await save(one, prompts(12))
    run = await start(one, target, concurrency=1)
    await until_passed(one, run, 5)
    with pytest.raises(Conflict, match="is worked on by"):
        await runs.resume(two, run.id)
    one.work[run.id].cancel()
    await asyncio.gather(one.work[run.id], return_exceptions=True)
    target.free = 100
    run = await finished(two, await runs.resume(two, run.id))
    assert run.status is RunStatus.COMPLETED and run.summary is not None and run.summary.passed == 12
    assert [target.calls[f"prompt {n}"] for n in range(5)] == [1] * 5


async def test_of_two_that_resume_a_run_one_gets_it_every_time(contexts: list[Context]) -> None:
    one = contexts[0]
    await save(one, prompts(1))
    run = await start(one, Gate())
    for _ in range(RACES):
        holders = [context for context in contexts if run.id in context.work]
        for context in holders:
            context.work[run.id].cancel()
            await asyncio.gather(context.work[run.id], return_exceptions=True)
        tries = await asyncio.gather(*(runs.resume(context, run.id) for context in contexts), return_exceptions=True)
        assert sorted(type(outcome).__name__ for outcome in tries) == ["Conflict", "Run"]
    async with one.database.transaction() as tx:
        await stored_runs.set_status(tx, run.id, set(RunStatus), RunStatus.CANCELLED)


async def test_both_save_and_start_the_same_dataset_at_once(contexts: list[Context]) -> None:
    """Neither is refused: who comes second finds what the first has stored."""
    for number in range(5):
        name = f"data {number}"
        saved = await asyncio.gather(*(save(context, prompts(20), name=name) for context in contexts))
        assert len(set(saved)) == 1
        started = await asyncio.gather(*(start(context, answer, dataset=name) for context in contexts))
        done = [await finished(context, run) for context, run in zip(contexts, started, strict=True)]
        assert len({run.spec.revision_id for run in done}) == 1
        assert all(run.status is RunStatus.COMPLETED for run in done)
    assert {entry.case_count for entry in await datasets.listing(contexts[0])} == {20}
