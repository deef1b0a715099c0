"""Executions that wait for people: what is stored of them, and that they go on where they stood."""

import asyncio
from pathlib import Path

import pytest

from aloi.core.errors import Conflict, NotFound
from aloi.core.execution import ExecutionFilter, Invoke
from aloi.core.usage import Usage
from aloi.service import executions, invoking, targets, usage, waiting
from aloi.service.context import Context
from tests.service.stepwise import (
    ERROR,
    OK,
    RUNNING,
    VERDICT,
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


async def test_it_waits_and_goes_on_where_it_stood(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "a", "b", "ask", "c", answer_schema=VERDICT)
    assert execution.status is WAITING
    assert (execution.output, execution.outcome.failure) == (None, None)
    assert span_names(execution) == ["invoke_workflow", "step a", "step b"]
    [asked] = execution.human_steps
    assert (asked.step, asked.question, asked.answer_schema) == ("ask", "What of ask, given Hi?", VERDICT)
    assert (asked.answer, asked.answered_by, asked.answered_at) == (None, None, None)
    progress, state, owner = await stored_state(context, execution)
    assert (progress, owner) == ("waiting", None)
    assert state == '{"steps":{"a":"a done","b":"b done"}}'

    given = await waiting.answer(context, execution.id, "ask", {"approved": True})
    assert given.human_steps[0].answer == {"approved": True}
    done = await until(context, execution, OK, ERROR)
    assert done.output == {"a": "a done", "b": "b done", "ask": {"approved": True}, "c": "c done"}
    assert span_names(done) == ["invoke_workflow", "step a", "step b", "invoke_workflow", "step c"]
    assert done.outcome.trace is not None and execution.outcome.trace is not None
    assert done.outcome.trace.trace_id == execution.outcome.trace.trace_id
    assert done.outcome.trace.spans[:3] == execution.outcome.trace.spans
    assert done.outcome.latency > execution.outcome.latency
    assert begun(tmp_path) == {"a": 1, "b": 1, "c": 1}
    assert await stored_state(context, execution) == (None, None, None)
    assert context.work == {}


async def test_usage_is_added_up_and_counted_once(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "a", "ask", "b", "c")
    assert execution.outcome.usage == Usage(calls=1, input_tokens=10, output_tokens=1, cost=0.5)
    assert (await usage.report(context)).target == execution.outcome.usage
    await waiting.answer(context, execution.id, "ask", "yes")
    done = await until(context, execution, OK)
    assert done.outcome.usage == Usage(calls=3, input_tokens=30, output_tokens=3, cost=1.5)
    assert (await usage.report(context)).target == done.outcome.usage


async def test_what_still_waits_lets_it_park_again(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "a", "ask1", "ask2", "b", "ask3")
    assert [step.step for step in execution.human_steps] == ["ask1", "ask2"]
    await waiting.answer(context, execution.id, "ask2", "two")
    async with asyncio.timeout(5):
        while context.work:
            await asyncio.sleep(0.01)
    again = await until(context, execution, WAITING)
    assert [step.answer for step in again.human_steps] == [None, "two"]
    await waiting.answer(context, execution.id, "ask1", "one")
    async with asyncio.timeout(5):
        while len((third := await executions.get(context, execution.id)).human_steps) < 3:
            await asyncio.sleep(0.01)
    assert [step.step for step in third.human_steps] == ["ask1", "ask2", "ask3"]
    await until(context, execution, WAITING)
    await waiting.answer(context, execution.id, "ask3", "three")
    done = await until(context, execution, OK)
    assert done.output == {"a": "a done", "ask2": "two", "ask1": "one", "b": "b done", "ask3": "three"}
    assert begun(tmp_path) == {"a": 1, "b": 1}


async def test_an_answer_while_it_goes_on_is_used_next(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "ask1", "ask2", "b")
    # The target ran with the answer to one; that to the other came before it parked again.
    first, second = await asyncio.gather(
        waiting.answer(context, execution.id, "ask1", "one"), waiting.answer(context, execution.id, "ask2", "two")
    )
    assert {first.status, second.status} == {RUNNING}
    done = await until(context, execution, OK)
    assert done.output == {"ask1": "one", "ask2": "two", "b": "b done"}
    assert begun(tmp_path) == {"b": 1}


async def test_a_failure_ends_it(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "a", "ask", "b", fail="b")
    await waiting.answer(context, execution.id, "ask", "yes")
    done = await until(context, execution, ERROR)
    assert done.outcome.failure is not None and done.outcome.failure.message == "step b is broken"
    assert done.outcome.usage.calls == 2
    assert await stored_state(context, execution) == (None, None, None)


async def test_a_caller_who_leaves_ends_it(context: Context, tmp_path: Path) -> None:
    call = asyncio.create_task(invoked(context, tmp_path, "a", "b", "ask", hang="b"))
    async with asyncio.timeout(5):
        while begun(tmp_path)["b"] == 0:
            await asyncio.sleep(0.01)
    call.cancel()
    await asyncio.wait([call])
    [entry] = (await executions.listing(context, 1, 20, ExecutionFilter())).items
    found = await executions.get(context, entry.id)
    assert (found.status, found.outcome.failure) == (ERROR, invoking.LEFT)
    assert span_names(found) == ["invoke_workflow", "step a", "step b"]
    assert context.work == {}
    assert (await usage.report(context)).target.calls == 2


async def test_other_targets_have_no_row_until_they_answer(context: Context, tmp_path: Path) -> None:
    call = asyncio.create_task(invoked(context, tmp_path, "a", hang="a"))
    async with asyncio.timeout(5):
        while begun(tmp_path)["a"] == 0:
            await asyncio.sleep(0.01)
    assert (await executions.listing(context, 1, 20, ExecutionFilter())).items == ()
    let_go(tmp_path)
    assert (await call).status is OK


async def test_it_goes_with_its_target(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "a", "ask", "b", hang="b")
    other = await invoking.carry_out(await invoking.prepare(context, "flow", Invoke(input="Ho")))
    await waiting.answer(context, other.id, "ask", "yes")
    async with asyncio.timeout(5):
        while begun(tmp_path)["b"] == 0:
            await asyncio.sleep(0.01)
    await targets.delete(context, "flow")
    for gone in (execution, other):
        with pytest.raises(NotFound):
            await executions.get(context, gone.id)
    assert (await waiting.listing(context, 1, 20)).total == 0
    async with asyncio.timeout(5):
        while context.work:  # whoever worked on it stops
            await asyncio.sleep(0.01)


async def test_an_execution_of_a_deleted_target_cannot_begin(context: Context, tmp_path: Path) -> None:
    await targets.save_definition(context, "flow", definition(tmp_path, "a", "ask"))
    prepared = await invoking.prepare(context, "flow", Invoke(input="Hi"))
    await targets.delete(context, "flow")
    with pytest.raises(Conflict):
        await invoking.carry_out(prepared)
    assert begun(tmp_path) == {}
