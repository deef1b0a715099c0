"""One stretch of an execution: what is kept of it while it runs, and how it settles."""

import asyncio
from pathlib import Path

import pytest

from aloi.core.execution import ExecutionFilter, Invoke
from aloi.core.outcome import Outcome
from aloi.core.trace import Span, Trace
from aloi.core.usage import Usage
from aloi.service import executions, invoking, targets, waiting
from aloi.service.context import Context
from aloi.service.durable import stretch
from aloi.service.durable.stretch import joined
from tests.service.stepwise import (
    ERROR,
    RUNNING,
    WAITING,
    begun,
    definition,
    invoked,
    let_go,
    span_names,
    stored_state,
    until,
)
from tests.service.stepwise import context as context
from tests.service.stepwise import stepwise as stepwise

pytestmark = pytest.mark.usefixtures("stepwise")


async def test_a_target_that_asks_nothing_fails(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "a", "ask", silent=True)
    assert execution.status is ERROR
    assert execution.outcome.failure == stretch.NOBODY_ASKED
    assert execution.outcome.usage.calls == 1


async def test_one_that_asks_again_waits_for_another_answer(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "ask", careless=True)
    await waiting.answer(context, execution.id, "ask", "yes")
    async with asyncio.timeout(5):
        while (again := await executions.get(context, execution.id)).human_steps[0].answer is not None:
            await asyncio.sleep(0.01)
    assert again.human_steps[0].asked_at > execution.human_steps[0].asked_at
    await until(context, execution, WAITING)


async def test_it_stands_from_the_start_and_steps_are_kept(context: Context, tmp_path: Path) -> None:
    call = asyncio.create_task(invoked(context, tmp_path, "a", "b", "ask", hang="b"))
    async with asyncio.timeout(5):
        while begun(tmp_path)["b"] == 0:
            await asyncio.sleep(0.01)
    [entry] = (await executions.listing(context, 1, 20, ExecutionFilter(status=RUNNING))).items
    running = await executions.get(context, entry.id)
    assert (running.status, running.outcome.usage.calls) == (RUNNING, 1)
    assert span_names(running) == ["invoke_workflow", "step a"]
    progress, state, owner = await stored_state(context, running)
    assert (progress, state, owner) == ("running", '{"steps":{"a":"a done"}}', context.owner)
    let_go(tmp_path)
    assert (await call).status is WAITING


async def test_a_trace_that_takes_time_to_store_is_not_stored_each_time(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stretch, "TRACE_PAUSE", 1e9)
    call = asyncio.create_task(invoked(context, tmp_path, "a", "b", "c", "ask", hang="c"))
    async with asyncio.timeout(5):
        while begun(tmp_path)["c"] == 0:
            await asyncio.sleep(0.01)
    [entry] = (await executions.listing(context, 1, 20, ExecutionFilter(status=RUNNING))).items
    running = await executions.get(context, entry.id)
    assert span_names(running) == ["invoke_workflow", "step a"]
    assert (await stored_state(context, running))[1] == '{"steps":{"a":"a done","b":"b done"}}'
    let_go(tmp_path)
    assert span_names(await call) == ["invoke_workflow", "step a", "step b", "step c"]


async def test_no_secret_is_stored(context: Context, tmp_path: Path) -> None:
    spec = definition(tmp_path, "pl4nted-secret", "ask", "b", key_env="SOME_KEY")
    await targets.save_definition(context, "flow", spec)
    prepared = await invoking.prepare(context, "flow", Invoke(input="the pl4nted-secret"))
    execution = await invoking.carry_out(prepared)
    assert execution.human_steps[0].question == "What of ask, given the [SOME_KEY]?"
    _, state, _ = await stored_state(context, execution)
    assert "pl4nted-secret" not in f"{state} {execution.outcome.model_dump_json()}"


def test_stretches_are_joined() -> None:
    def outcome(trace_id: str, name: str, shows_tools: bool = True) -> Outcome:
        span = Span(span_id=name, name=name, start_ns=1, end_ns=2)
        trace = Trace(trace_id=trace_id, spans=(span,), shows_tools=shows_tools)
        return Outcome(output=name, usage=Usage(calls=1), latency=1.5, trace=trace)

    both = joined(outcome("x", "a", shows_tools=False), outcome("y", "b"))
    assert (both.output, both.usage.calls, both.latency) == ("b", 2, 3.0)
    assert both.trace is not None
    assert (both.trace.trace_id, both.trace.shows_tools) == ("x", False)
    assert [span.name for span in both.trace.spans] == ["a", "b"]
    assert joined(Outcome(), outcome("y", "b")) == outcome("y", "b")
    assert joined(outcome("x", "a"), Outcome()).trace == outcome("x", "a").trace
