"""Spans of cases that come from elsewhere: they join the case's trace before it is graded, or their absence is told."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.access import LOCAL, Workspace
from aloi.core.execution import ExecutionSource
from aloi.core.result import CaseResult
from aloi.core.run import Run, RunLimits, RunRequest
from aloi.core.score import Verdict
from aloi.core.trajectory import trajectory
from aloi.service import retaining, runs, targets
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.service.traces import observing
from aloi.settings import Settings
from aloi.store import workspaces
from aloi.targets.http import Http
from tests.otlp_requests import Json
from tests.remote_agent import RemoteAgent, serving, spans_of
from tests.service.observed import all_of, come_to_rest, send, waiting_rows
from tests.service.started_runs import finished, prompts, results_of, save
from tests.store.backends import BACKENDS, fresh

ORDER = {"kind": "tool_call_order", "tools": ["search", "book"]}
ARGS = {"kind": "tool_call_args", "calls": [{"tool": "search", "args": {"city": "Paris"}}]}
CONTAINS = {"kind": "contains", "text": "Booked"}
IDLE = 0.1


@pytest.fixture
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str | None]:
    """The address of an empty database; null for SQLite in the home."""
    if not hasattr(request, "param"):
        yield None
        return
    async with fresh(request, tmp_path) as found:
        yield found


@pytest.fixture
async def context(tmp_path: Path, address: str | None) -> AsyncIterator[Context]:
    opened = await Context.open(Settings(home=tmp_path, database_url=address, trace_idle_seconds=IDLE), {})
    yield opened
    await opened.close()


@pytest.fixture
async def agent() -> AsyncIterator[RemoteAgent]:
    async with serving(RemoteAgent()) as found:
        yield found


both = pytest.mark.parametrize("address", BACKENDS, indirect=True)


async def started(context: Context, agent: RemoteAgent, cases: int = 1, **options: Any) -> Run:
    """Start a run of the agent on the dataset that was saved."""
    given = {"url": agent.url, "output": "$.answer", **options}
    version = await targets.save(context, "target", Http.model_validate(given))
    limits = RunLimits(concurrency=max(1, cases))
    return await runs.start(context, RunRequest(target_version_id=version.id, dataset="data", limits=limits))


async def results(
    context: Context, agent: RemoteAgent, *evaluators: dict[str, Any], cases: int = 1, **options: Any
) -> dict[str, CaseResult]:
    """The results of a run of the agent."""
    await save(context, prompts(cases), evaluators)
    return await results_of(context, await finished(context, await started(context, agent, cases, **options)))


async def only(context: Context, agent: RemoteAgent, *evaluators: dict[str, Any], **options: Any) -> CaseResult:
    """The result of one case."""
    return (await results(context, agent, *evaluators, **options))["k0"]


async def left_out(context: Context) -> int:
    return (await retaining.counts(context)).left_out_spans


def sends_at_once(context: Context, **options: Any):
    """The agent's spans arrive before its answer."""

    async def sender(trace_id: str, parent_id: str, number: int) -> None:
        await send(context, *spans_of(trace_id, parent_id, **options))

    return sender


@both
async def test_its_spans_join_the_trace_before_the_case_is_graded(context: Context, agent: RemoteAgent):
    agent.send = sends_at_once(context)
    result = await only(context, agent, ORDER, ARGS)
    assert [(score.verdict, score.failure) for score in result.scores] == [(Verdict.PASS, None)] * 2
    trace = result.outcome.trace
    assert trace is not None and trace.shows_tools
    request, root, *_ = trace.spans
    assert root.parent_id == request.span_id
    assert agent.traceparents == [f"00-{trace.trace_id}-{request.span_id}-01"]
    usage = result.outcome.usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, 100, 20)
    assert usage.cost is not None and usage.cost > 0


@both
async def test_they_make_no_execution_of_their_own_and_are_let_go_when_the_case_is_graded(
    context: Context, agent: RemoteAgent
):
    agent.send = sends_at_once(context)
    await only(context, agent, ORDER)
    assert await waiting_rows(context) == 2
    await come_to_rest(context)
    assert await observing.finish_due(context) == 1
    assert await waiting_rows(context) == 0
    assert [execution.source for execution in await all_of(context)] == [ExecutionSource.RUN]
    assert await left_out(context) == 0


async def test_none_arrives_and_the_error_says_how_long_was_waited_and_what_to_check(
    context: Context, agent: RemoteAgent
):
    result = await only(context, agent, ORDER, CONTAINS, span_wait=0.3)
    order, contains = result.scores
    assert contains.verdict is Verdict.PASS
    assert order.verdict is Verdict.ERROR and order.failure is not None
    assert order.failure.type == "missing_evidence"
    for said in ("no spans", "within 0.3 s", "traceparent", "/v1/traces", "span_wait"):
        assert said in order.explanation


async def test_a_service_that_is_traced_without_its_agent_is_told_apart(context: Context, agent: RemoteAgent):
    async def sender(trace_id: str, parent_id: str, number: int) -> None:
        await send(context, spans_of(trace_id, parent_id)[0])

    agent.send = sender
    result = await only(context, agent, ORDER)
    assert "none tells of work of an agent" in result.scores[0].explanation


async def test_nothing_is_waited_for_where_no_evaluator_reads_the_trace(context: Context, agent: RemoteAgent):
    result = await only(context, agent, CONTAINS, span_wait=120)
    assert result.verdict is Verdict.PASS
    assert context.awaited.looks == 0
    assert agent.traceparents[0] is not None


async def test_a_wait_of_none_is_none_and_is_told(context: Context, agent: RemoteAgent):
    result = await only(context, agent, ORDER, span_wait=0)
    assert context.awaited.looks == 0
    assert "span_wait is 0" in result.scores[0].explanation


async def test_split_late_and_duplicated_spans_become_one_trace(context: Context, agent: RemoteAgent):
    later: list[asyncio.Task[None]] = []

    async def trickle(spans: list[Json]) -> None:
        for one in (spans[4], spans[3], spans[4], spans[1], spans[2], spans[0]):
            await asyncio.sleep(0.05)
            await send(context, one)

    async def sender(trace_id: str, parent_id: str, number: int) -> None:
        later.append(asyncio.create_task(trickle(spans_of(trace_id, parent_id))))

    agent.send = sender
    result = await only(context, agent, ORDER)
    assert result.verdict is Verdict.PASS
    assert result.outcome.trace is not None
    ids = [span.span_id for span in result.outcome.trace.spans]
    assert len(ids) == len(set(ids)) == 6


async def test_spans_that_come_after_the_grading_are_left_out_and_counted(context: Context, agent: RemoteAgent):
    result = await only(context, agent, ORDER, span_wait=0.2)
    assert agent.traceparents[0] is not None
    _, trace_id, parent_id, _ = agent.traceparents[0].split("-")
    await send(context, *spans_of(trace_id, parent_id))
    await come_to_rest(context)
    await observing.finish_due(context)
    assert (await left_out(context), await waiting_rows(context)) == (5, 0)
    [execution] = await all_of(context)
    assert execution.outcome == result.outcome


@both
@pytest.mark.parametrize(
    ("evaluator", "options"),
    [(ORDER, {"output": "$.missing"}), (CONTAINS, {})],
    ids=["the agent fails", "none reads the trace"],
)
async def test_where_no_evaluator_read_the_trace_what_comes_later_is_shown_and_changes_no_figure(
    context: Context, agent: RemoteAgent, evaluator: Json, options: Json
):
    agent.send = sends_at_once(context)
    result = await only(context, agent, evaluator, **options)
    await come_to_rest(context)
    await observing.finish_due(context)
    assert (await left_out(context), await waiting_rows(context)) == (0, 0)
    [execution] = await all_of(context)
    trace = execution.outcome.trace
    assert trace is not None and [call.tool for call in trajectory(trace).tool_calls] == ["search", "book"]
    assert execution.outcome.model_copy(update={"trace": result.outcome.trace}) == result.outcome


async def test_spans_of_another_workspace_do_not_join(context: Context, agent: RemoteAgent):
    elsewhere = Workspace(id=new_id(), name="elsewhere")
    async with context.database.transaction() as tx:
        await workspaces.create(tx, elsewhere)
    other = context.acting_as(LOCAL.model_copy(update={"workspace": elsewhere}))
    agent.send = sends_at_once(other)
    result = await only(context, agent, ORDER, span_wait=0.3)
    assert result.scores[0].failure is not None
    assert result.scores[0].failure.type == "missing_evidence"
    await come_to_rest(context)
    await observing.finish_due(context)
    assert [execution.source for execution in await all_of(other)] == [ExecutionSource.PRODUCTION]


@pytest.mark.parametrize("hours", [-3, 3])
async def test_a_clock_that_is_off_is_set_right(context: Context, agent: RemoteAgent, hours: int):
    agent.send = sends_at_once(context, skew_ns=hours * 3600 * 10**9)
    result = await only(context, agent, ORDER)
    assert result.verdict is Verdict.PASS
    assert result.outcome.trace is not None
    request, root, *_ = result.outcome.trace.spans
    assert request.start_ns <= root.start_ns <= root.end_ns <= request.end_ns


async def test_fifty_cases_wait_with_one_look_for_all(context: Context, agent: RemoteAgent):
    agent.send = sends_at_once(context)
    found = await results(context, agent, ORDER, cases=50)
    assert [result.verdict for result in found.values()] == [Verdict.PASS] * 50
    assert context.awaited.looks < 50


async def test_a_run_that_stopped_before_the_spans_came_is_resumed_without_invoking_again(
    context: Context, agent: RemoteAgent
):
    await save(context, prompts(1), [ORDER])
    run = await started(context, agent, span_wait=60)
    async with asyncio.timeout(5):
        while not await all_of(context):
            await asyncio.sleep(0.01)
    context.work[run.id].cancel()
    await asyncio.wait([context.work[run.id]])
    assert agent.traceparents[0] is not None
    _, trace_id, parent_id, _ = agent.traceparents[0].split("-")
    await send(context, *spans_of(trace_id, parent_id))
    await come_to_rest(context)
    await observing.finish_due(context)
    assert await waiting_rows(context) == 2, "they wait for the run"
    resumed = await finished(context, await runs.resume(context, run.id))
    result = (await results_of(context, resumed))["k0"]
    assert (result.verdict, len(agent.traceparents)) == (Verdict.PASS, 1)
    assert resumed.summary is not None and resumed.summary.usage.calls == 1


async def test_what_is_not_graded_in_a_day_is_let_go(context: Context, agent: RemoteAgent):
    await save(context, prompts(1), [ORDER])
    agent.send = sends_at_once(context)
    run = await started(context, agent, span_wait=60)
    async with asyncio.timeout(5):
        while not await all_of(context):
            await asyncio.sleep(0.01)
    context.work[run.id].cancel()
    await asyncio.wait([context.work[run.id]])
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE traces SET first_at = 1000000, due_at = 1000000")
    await observing.finish_due(context)
    assert (await waiting_rows(context), await left_out(context)) == (0, 5)


async def test_an_invocation_that_was_never_stored_leaves_no_execution(context: Context):
    async with context.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO expected_traces (workspace_id, trace_id, until) VALUES (?, ?, ?)",
            (tx.workspace, bytes.fromhex("ab" * 16), 1),
        )
    await send(context, *spans_of("ab" * 16, "cd" * 8))
    await come_to_rest(context)
    await observing.finish_due(context)
    assert (await all_of(context), await waiting_rows(context), await left_out(context)) == ([], 0, 5)
    await retaining.forget_expected(context)
    async with context.database.read() as rx:
        assert await rx.fetch("SELECT 1 FROM expected_traces") == []
