"""Spans of services that the steps of a workflow ask: they join its case's trace, or its execution."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.execution import Execution, ExecutionSource, ExecutionStatus, Invoke
from aloi.core.result import CaseResult
from aloi.core.run import RunRequest
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject
from aloi.core.trace import Trace
from aloi.core.trajectory import trajectory
from aloi.plugins import build
from aloi.service import executions, invoking, runs, targets, waiting
from aloi.service.context import Context
from aloi.service.traces import observing
from aloi.settings import Settings
from aloi.targets.workflow import Workflow
from tests.remote_agent import RemoteAgent, serving, spans_of
from tests.service.observed import all_of, come_to_rest, finish, send, waiting_rows
from tests.service.started_runs import finished, results_of, save
from tests.store.backends import BACKENDS, fresh

HOUR_NS = 3600 * 10**9
BOTH: JsonObject = {"kind": "tool_call_order", "tools": ["search", "book", "search", "book"]}
ORDER: JsonObject = {"kind": "tool_call_order", "tools": ["search", "book"]}
BY_STEP: JsonObject = {"kind": "tool_call_order", "tools": ["one"]}


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    async with fresh(request, tmp_path) as address:
        opened = await Context.open(Settings(home=tmp_path, database_url=address, trace_idle_seconds=0.1), {})
        yield opened
        await opened.close()


@pytest.fixture
async def agents() -> AsyncIterator[tuple[RemoteAgent, RemoteAgent]]:
    async with serving(RemoteAgent()) as first, serving(RemoteAgent()) as second:
        yield first, second


def tells(context: Context, agent: RemoteAgent, **options: Any) -> None:
    """Let the spans of an agent arrive before its answer."""

    async def sender(trace_id: str, parent_id: str, number: int) -> None:
        await send(context, *spans_of(trace_id, parent_id, **options))

    agent.send = sender


def ask(name: str, agent: RemoteAgent, **fields: Any) -> JsonObject:
    return {"name": name, "kind": "http", "url": agent.url, "output": "$.answer", "side_effect": False, **fields}


def workflow(*steps: JsonObject) -> Workflow:
    built = build("targets", {"kind": "workflow", "steps": list(steps)}, Workflow)
    assert isinstance(built, Workflow)
    return built


async def result_of(context: Context, target: Workflow, evaluator: JsonObject, **case: Any) -> CaseResult:
    """The result of a run of one case."""
    await save(context, [{"key": "k0", "prompt": "Book!", **case}], [evaluator])
    version = await targets.save(context, "flow", target)
    run = await finished(context, await runs.start(context, RunRequest(target_version_id=version.id, dataset="data")))
    return (await results_of(context, run))["k0"]


def calls(trace: Trace | None) -> list[str]:
    return [] if trace is None else [call.tool for call in trajectory(trace).tool_calls]


async def test_they_are_graded_each_by_its_own_clock(context: Context, agents: tuple[RemoteAgent, RemoteAgent]):
    first, second = agents
    tells(context, first, skew_ns=3 * HOUR_NS)
    tells(context, second, skew_ns=-3 * HOUR_NS, first=10)
    flow = workflow(ask("one", first, span_wait=30), ask("two", second, span_wait=30, needs=["one"]))
    result = await result_of(context, flow, BOTH)
    assert [(score.verdict, score.failure) for score in result.scores] == [(Verdict.PASS, None)]
    trace = result.outcome.trace
    assert trace is not None
    for agent, step in zip(agents, ("step one", "step two"), strict=True):
        [request] = [span for span in trace.spans if agent.traceparents[0] == f"00-{trace.trace_id}-{span.span_id}-01"]
        [root] = [span for span in trace.spans if span.parent_id == request.span_id]
        assert request.start_ns <= root.start_ns <= root.end_ns <= request.end_ns
        assert [span.name for span in trace.spans if span.span_id == request.parent_id] == [step]
    assert result.outcome.usage.calls == 2
    await finish(context)
    assert [execution.source for execution in await all_of(context)] == [ExecutionSource.RUN]


async def test_nothing_is_waited_for_unless_a_step_says_so_and_what_comes_is_shown(
    context: Context, agents: tuple[RemoteAgent, RemoteAgent]
):
    tells(context, agents[0])
    result = await result_of(context, workflow(ask("one", agents[0])), BY_STEP)
    assert (result.verdict, context.awaited.looks) == (Verdict.PASS, 0)
    await finish(context)
    [execution] = await all_of(context)
    assert (execution.source, calls(execution.outcome.trace)) == (ExecutionSource.RUN, ["search", "book"])
    assert execution.outcome.usage == result.outcome.usage


async def test_where_none_arrive_the_error_names_the_request(context: Context, agents: tuple[RemoteAgent, RemoteAgent]):
    tells(context, agents[0])
    flow = workflow(ask("one", agents[0], span_wait=0.1), ask("two", agents[1], span_wait=0.3))
    result = await result_of(context, flow, ORDER)
    assert result.scores[0].failure is not None and result.scores[0].failure.type == "missing_evidence"
    assert result.scores[0].explanation.startswith("POST 127.0.0.1: no spans of the service arrived within 0.3 s")


async def test_a_step_that_is_simulated_is_not_waited_for(context: Context, agents: tuple[RemoteAgent, RemoteAgent]):
    simulated = {"kind": "static", "answers": [{"output": "Booked."}]}
    flow = workflow(ask("one", agents[0], span_wait=60))
    result = await result_of(context, flow, BY_STEP, simulations={"one": simulated})
    assert (result.verdict, context.awaited.looks, agents[0].traceparents) == (Verdict.PASS, 0, [])


async def over(context: Context, execution: Execution) -> Execution:
    async with asyncio.timeout(10):
        while (found := await executions.get(context, execution.id)).status is not ExecutionStatus.OK:
            await asyncio.sleep(0.01)
    return found


async def test_they_join_an_execution_that_waited_for_a_person_meanwhile(
    context: Context, agents: tuple[RemoteAgent, RemoteAgent]
):
    tells(context, agents[0])
    tells(context, agents[1], first=10)
    human: JsonObject = {"name": "ask", "kind": "human", "question": "{{ steps.one }}?"}
    flow = workflow(ask("one", agents[0]), human, ask("two", agents[1], body="{{ steps.ask }}"))
    await targets.save(context, "flow", flow)
    execution = await invoking.carry_out(await invoking.prepare(context, "flow", Invoke(input="Hi")))
    assert execution.status is ExecutionStatus.WAITING
    await come_to_rest(context)
    await observing.finish_due(context)
    assert await waiting_rows(context) > 0, "they wait until it is over"
    await waiting.answer(context, execution.id, "ask", "yes")
    ended = await over(context, execution)
    await finish(context)
    found = await executions.get(context, execution.id)
    assert calls(found.outcome.trace) == ["search", "book", "ask", "search", "book"]
    assert found.outcome.usage.calls == 2 and ended.outcome.usage.calls == 0
    assert (len(await all_of(context)), await waiting_rows(context)) == (1, 0)
