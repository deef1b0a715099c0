"""Traces become executions, each once, however their spans come."""

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from aloi.core.access import LOCAL, Workspace
from aloi.core.execution import ExecutionSource, ExecutionStatus
from aloi.core.trajectory import trajectory
from aloi.core.usage import Usage
from aloi.service import retaining
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.traces import merging, observing
from aloi.settings import Settings
from aloi.store import traces, workspaces
from tests.otlp_requests import agent, chat, execution, new_trace, span, tool
from tests.service.granted_usage import used_of
from tests.service.observed import all_of, come_to_rest, finish, only, send, waiting_rows
from tests.store.backends import BACKENDS, fresh


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    async with fresh(request, tmp_path) as where:
        yield where


@pytest.fixture
async def context(address: str, tmp_path: Path) -> AsyncIterator[Context]:
    opened = await Context.open(Settings(home=tmp_path, database_url=address), {}, served=True)
    yield opened
    await opened.close()


@pytest.fixture
async def other(context: Context, address: str, tmp_path: Path) -> AsyncIterator[Context]:
    """Another server on the same database."""
    opened = await Context.open(Settings(home=tmp_path, database_url=address), {}, served=True)
    yield opened
    await opened.close()


async def test_a_trace_becomes_an_execution_of_a_target_named_after_its_service(context: Context):
    await send(context, *execution(new_trace(), "search", "book"), service="travel agent")
    await finish(context)
    found = await only(context)
    assert (found.target_name, found.target_kind, found.version) == ("travel agent", "remote", 1)
    assert (found.source, found.status) == (ExecutionSource.PRODUCTION, ExecutionStatus.OK)
    assert (found.input, found.output) == ("What time is it?", "Noon.")
    assert found.outcome.trace is not None
    assert [call.tool for call in trajectory(found.outcome.trace).tool_calls] == ["search", "book"]
    assert (found.outcome.usage.input_tokens, found.outcome.usage.output_tokens) == (10, 2)
    assert await waiting_rows(context) == 0


async def test_a_trace_that_goes_on_is_left_alone_until_it_comes_to_rest(context: Context):
    await send(context, *execution(new_trace()))
    assert await observing.finish_due(context) == 0
    assert await all_of(context) == []


async def test_split_duplicated_and_shuffled_spans_make_one_execution(context: Context):
    trace_id = new_trace()
    spans = execution(trace_id, "a", "b", "c") * 2
    random.Random(7).shuffle(spans)
    for one in spans:
        await send(context, one)
    await finish(context)
    found = await only(context)
    assert found.outcome.trace is not None
    assert len(found.outcome.trace.spans) == 5
    assert [call.tool for call in trajectory(found.outcome.trace).tool_calls] == ["a", "b", "c"]
    assert found.outcome.usage.calls == 1


async def test_late_spans_update_the_same_execution_and_its_usage(context: Context):
    trace_id = new_trace()
    await send(context, chat(trace_id, 1), tool(trace_id, 2, "a"))
    await finish(context)
    early = await only(context)
    await send(context, agent(trace_id, answer="At last."), chat(trace_id, 3, (5, 1)))
    await finish(context)
    late = await only(context)
    assert early.id == late.id
    assert (early.status, late.status) == (ExecutionStatus.ERROR, ExecutionStatus.OK)
    assert late.output == "At last."
    report = await used_of(context, late.target_id)
    assert (report.target.calls, report.target.input_tokens, report.target.output_tokens) == (2, 15, 3)
    assert [entry.model for entry in report.models] == ["openai:gpt-5-mini"]


async def test_what_comes_while_an_execution_is_made_is_added_by_the_next(context: Context):
    trace_id = new_trace()
    await send(context, agent(trace_id), tool(trace_id, 1, "a"))
    await come_to_rest(context)
    async with context.database.transaction() as tx:
        [claimed] = await traces.claim(tx, claim := new_id(), now(), now() + timedelta(minutes=1), 10, 10**6)
    async with context.database.read() as rx:
        rows = (await traces.received(rx, [trace_id]))[trace_id]
    await send(context, tool(trace_id, 2, "b"))
    async with context.database.transaction() as tx:
        assert await traces.still_claimed(tx, claim) == {trace_id}
        await traces.settle(tx, [(claimed, rows, 2)], now())
    await finish(context)
    found = await only(context)
    assert found.outcome.trace is not None
    assert [call.tool for call in trajectory(found.outcome.trace).tool_calls] == ["b"]  # the test threw the others away


@pytest.mark.parametrize("hours", [-30, 1, 24 * 400])
async def test_an_exporter_whose_clock_is_wrong_does_not_say_when(context: Context, hours: int):
    start = int((datetime.now(UTC) + timedelta(hours=hours)).timestamp() * 1e9)
    await send(context, span(new_trace(), 0, gen_ai__operation__name="invoke_agent", startTimeUnixNano=str(start)))
    await finish(context)
    assert abs((await only(context)).created_at - now()) < timedelta(minutes=1)


async def test_an_exporter_that_buffered_says_when(context: Context):
    start = datetime.now(UTC) - timedelta(hours=5)
    nanoseconds = str(int(start.timestamp() * 1e9))
    await send(context, span(new_trace(), 0, gen_ai__operation__name="invoke_agent", startTimeUnixNano=nanoseconds))
    await finish(context)
    assert abs((await only(context)).created_at - start) < timedelta(seconds=1)


async def test_traces_without_any_work_of_an_agent_are_dropped_and_counted(context: Context):
    await send(context, span(new_trace(), 0, name="GET /"), span(new_trace(), 0, name="SELECT"))
    await finish(context)
    assert await all_of(context) == []
    counts = await retaining.counts(context)
    assert (counts.spans, counts.dropped_traces, counts.waiting_spans) == (2, 2, 0)
    assert await waiting_rows(context) == 0


async def test_other_spans_of_an_agents_trace_are_kept(context: Context):
    trace_id = new_trace()
    await send(context, span(trace_id, 7, 0, name="SELECT"))
    await send(context, *execution(trace_id))
    await finish(context)
    trace = (await only(context)).outcome.trace
    assert trace is not None
    assert "SELECT" in {one.name for one in trace.spans}


async def test_a_trace_that_names_a_target_belongs_to_its_active_version(context: Context):
    await send(context, *execution(new_trace()), service="other", aloi__target="shop")
    trace_id = new_trace()
    await send(context, agent(trace_id, aloi__target="shop"), service="third")
    await finish(context)
    assert {found.target_name for found in await all_of(context)} == {"shop"}


async def test_a_service_without_a_name_has_a_target_all_the_same(context: Context):
    await send(context, *execution(new_trace()), service=None)
    await finish(context)
    assert (await only(context)).target_name == "unknown_service"


async def test_names_beyond_the_limit_share_a_target(context: Context, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("aloi.service.traces.observed_targets.MOST_REMOTE", 2)
    for name in "abcd":
        await send(context, *execution(new_trace()), service=name)
    await finish(context)
    names = sorted(found.target_name for found in await all_of(context))
    assert names == ["a", "b", "other services", "other services"]


async def test_one_that_cannot_be_made_does_not_hold_up_the_others(context: Context, monkeypatch: pytest.MonkeyPatch):
    bad, good = new_trace(), new_trace()
    await send(context, *execution(bad), service="bad")
    await send(context, *execution(good), service="good")
    whole = merging.merged

    def breaks(claimed: traces.Claimed, *rest: Any) -> merging.Merged:
        if claimed.trace_id == bad:
            raise ZeroDivisionError("a fault of ours")
        return whole(claimed, *rest)

    monkeypatch.setattr(observing, "merged", breaks)
    await come_to_rest(context)
    await observing.finish_due(context)
    assert (await only(context)).target_name == "good"
    for _ in range(observing.MOST_TRIES):
        await come_to_rest(context)
        await observing.finish_due(context)
    assert await waiting_rows(context) == 0
    assert (await retaining.counts(context)).dropped_traces == 1


async def test_two_servers_make_each_execution_once(context: Context, other: Context):
    ids = [new_trace() for _ in range(60)]
    for trace_id in ids:
        await send(context, *execution(trace_id, "a"))
    await come_to_rest(context)

    async def work(server: Context) -> None:
        while await observing.finish_due(server):
            pass

    await asyncio.gather(*(work(server) for server in (context, other) for _ in range(3)))
    found = await all_of(context)
    assert sorted(one.outcome.trace.trace_id for one in found if one.outcome.trace) == sorted(ids)
    assert (await retaining.counts(context)).dropped_traces == 0
    assert await waiting_rows(context) == 0


async def test_a_claim_of_a_server_that_died_ends(context: Context, other: Context):
    await send(context, *execution(new_trace()))
    await come_to_rest(context)
    async with other.database.transaction() as tx:
        assert await traces.claim(tx, new_id(), now(), now() + timedelta(milliseconds=150), 10, 10**6)
    assert await observing.finish_due(context) == 0
    await asyncio.sleep(0.16)
    assert await observing.finish_due(context) == 1
    assert len(await all_of(context)) == 1


async def test_who_lost_its_claim_writes_nothing(context: Context, other: Context, monkeypatch: pytest.MonkeyPatch):
    await send(context, *execution(new_trace()))
    await come_to_rest(context)
    monkeypatch.setattr(observing, "CLAIM", timedelta(0))
    kept = observing.observed.known

    async def slow(*given: Any) -> object:
        monkeypatch.setattr(observing.observed, "known", kept)
        assert await observing.finish_due(other) == 1
        return await kept(*given)

    monkeypatch.setattr(observing.observed, "known", slow)
    await observing.finish_due(context)
    assert len(await all_of(context)) == 1
    assert await waiting_rows(context) == 0


async def test_workspaces_do_not_see_one_anothers(context: Context):
    elsewhere = Workspace(id=new_id(), name="elsewhere")
    async with context.database.transaction() as tx:
        await workspaces.create(tx, elsewhere)
    theirs = context.acting_as(LOCAL.model_copy(update={"workspace": elsewhere}))
    trace_id = new_trace()
    await send(context, *execution(trace_id), service="ours")
    await send(theirs, *execution(trace_id), service="theirs")
    await finish(context)
    assert ((await only(context)).target_name, (await only(theirs)).target_name) == ("ours", "theirs")


async def test_a_model_with_a_known_price_has_a_cost(context: Context):
    trace_id = new_trace()
    await send(context, agent(trace_id), chat(trace_id, 1, (1_000_000, 0)))
    await finish(context)
    used = (await only(context)).outcome.usage
    assert used == Usage(calls=1, input_tokens=1_000_000, output_tokens=0, cost=used.cost, unpriced=0)
    assert used.cost


async def test_more_spans_than_are_kept_are_counted_and_work_of_the_agent_is_kept_first(
    context: Context, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(merging, "MOST_SPANS", 50)
    trace_id = new_trace()
    others = [span(trace_id, number, 0, name="SELECT") for number in range(100, 200)]
    await send(context, *others, *execution(trace_id, "a", "b"))
    await finish(context)
    found = (await only(context)).outcome.trace
    assert found is not None
    assert (len(found.spans), found.left_out, found.shows_tools) == (50, 54, True)
    assert [call.tool for call in trajectory(found).tool_calls] == ["a", "b"]
    assert (await retaining.counts(context)).left_out_spans == 54


async def test_where_calls_may_be_left_out_their_absence_proves_nothing(
    context: Context, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(merging, "MOST_SPANS", 3)
    await send(context, *execution(new_trace(), *"abc"))
    await finish(context)
    found = (await only(context)).outcome.trace
    assert found is not None
    assert (found.left_out, found.shows_tools) == (2, False)


async def test_spans_that_are_too_many_to_wait_are_refused_and_counted(
    context: Context, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(traces, "MOST_SPANS", 4)
    trace_id = new_trace()
    assert (await send(context, *execution(trace_id, "a"))).rejected == 0
    refused = await send(context, tool(trace_id, 8, "b"), tool(trace_id, 9, "c"))
    assert (refused.rejected, "at most" in refused.reason) == (2, True)
    await finish(context)
    found = (await only(context)).outcome.trace
    assert found is not None
    assert (found.left_out, len(found.spans)) == (2, 3)
    assert await waiting_rows(context) == 0
