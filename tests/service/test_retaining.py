"""Executions of production go when they are old or too many; nothing else does."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.execution import ExecutionFilter, ToCase
from aloi.core.ingestion import Retention
from aloi.service import audit, cases, executions, harvesting, retaining
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store.codec import pack_time
from tests.otlp_requests import agent, execution, new_trace
from tests.service.observed import all_of, finish, send
from tests.service.started_runs import finished, prompts, save, start
from tests.store.backends import BACKENDS, fresh


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    async with fresh(request, tmp_path) as address:
        opened = await Context.open(Settings(home=tmp_path, database_url=address), {})
        yield opened
        await opened.close()


async def some(context: Context, count: int, days_ago: int = 0, text: str = "Noon.") -> None:
    """Executions of production, a second apart, so many days ago."""
    before = {found.id for found in await all_of(context)}
    for _ in range(count):
        trace_id = new_trace()
        await send(context, agent(trace_id, answer=text))
    await finish(context)
    new = [found.id for found in await all_of(context) if found.id not in before]
    async with context.database.transaction() as tx:
        for number, execution_id in enumerate(new):
            at = now() - timedelta(days=days_ago, seconds=count - number)
            moved = pack_time(at), bytes.fromhex(execution_id.replace("-", ""))
            await tx.execute("UPDATE executions SET created_at = ? WHERE id = ?", moved)


async def left(context: Context) -> int:
    return (await executions.listing(context, 1, 1, ExecutionFilter())).total


async def test_everything_is_kept_until_somebody_says_otherwise(context: Context):
    await some(context, 3, days_ago=1000)
    assert await retaining.get(context) == Retention(days=None, megabytes=None)
    assert await retaining.delete_expired(context) == 0
    assert await left(context) == 3


async def test_old_ones_go(context: Context):
    await some(context, 5, days_ago=31)
    await some(context, 2, days_ago=29)
    await retaining.update(context, {"days": 30})
    assert await retaining.delete_expired(context) == 5
    assert await left(context) == 2


async def test_the_oldest_go_until_the_rest_fits(context: Context, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retaining, "MEGABYTE", 10_000)
    await some(context, 4, days_ago=2, text="x" * 2_000)
    await some(context, 2, days_ago=1, text="y" * 2_000)
    await retaining.update(context, {"megabytes": 1})
    gone = await retaining.delete_expired(context)
    kept = await all_of(context)
    assert (gone, len(kept)) == (4, 2)
    assert {str(found.output)[0] for found in kept} == {"y"}
    assert await retaining.delete_expired(context) == 0


async def test_batches_go_on_until_nothing_is_beyond(context: Context, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retaining, "AT_ONCE", 2)
    monkeypatch.setattr(retaining, "PAUSE_SECONDS", 0)
    await some(context, 7, days_ago=3)
    await retaining.update(context, {"days": 1})
    assert await retaining.delete_expired(context) == 7


async def test_two_servers_delete_no_more_than_one(context: Context, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retaining, "AT_ONCE", 1)
    monkeypatch.setattr(retaining, "MEGABYTE", 20_000)
    await some(context, 10, days_ago=2, text="x" * 2_000)
    await retaining.update(context, {"megabytes": 1})
    gone = await asyncio.gather(retaining.delete_expired(context), retaining.delete_expired(context))
    kept = await left(context)
    assert (sum(gone), await retaining.delete_expired(context)) == (10 - kept, 0)
    async with context.database.read() as rx:
        [(size, largest)] = await rx.fetch("SELECT CAST(sum(size) AS BIGINT), max(size) FROM executions")
    assert size <= 20_000 < size + largest, "more went than had to"


async def test_runs_are_never_deleted(context: Context):
    run = await finished(context, await start(context, echo, await save(context, prompts(2))))
    await retaining.update(context, {"days": 1, "megabytes": 1})
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE executions SET created_at = ?", (pack_time(now() - timedelta(days=900)),))
    assert await retaining.delete_expired(context) == 0
    assert (await left(context), run.total) == (2, 2)


async def test_a_case_outlives_the_execution_that_it_was_made_of(context: Context):
    dataset = await save(context, prompts(1))
    await some(context, 1, days_ago=9)
    [found] = await all_of(context)
    made = await harvesting.to_case(context, found.id, ToCase(dataset_id=dataset))
    await retaining.update(context, {"days": 1})
    assert await retaining.delete_expired(context) == 1
    kept = await cases.read(context, dataset, made.id)
    assert kept.expected_output == "Noon."
    assert kept.source.model_dump()["execution_id"] == found.id


async def test_late_spans_of_one_that_went_make_a_new_one(context: Context):
    trace_id = new_trace()
    await send(context, *execution(trace_id))
    await finish(context)
    async with context.database.transaction() as tx:
        await tx.execute("DELETE FROM executions")
    await send(context, agent(trace_id))
    await finish(context)
    assert await left(context) == 1


async def test_a_change_names_what_changes_and_is_audited(context: Context):
    await retaining.update(context, {"days": 30, "megabytes": 5})
    assert await retaining.update(context, {"days": None}) == Retention(days=None, megabytes=5)
    [last, first] = (await audit.listing(context, action="workspace.retention")).items
    assert (first.after, last.before, last.after) == ({"days": 30, "megabytes": 5}, {"days": 30}, {"days": None})
    with pytest.raises(InvalidInput):
        await retaining.update(context, {"days": 0})


def echo(prompt: str) -> str:
    """A target."""
    return prompt
