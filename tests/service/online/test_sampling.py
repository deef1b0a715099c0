"""Every way in which an execution of production ends lets it wait for the rules, in the transaction that stores it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.errors import Conflict
from aloi.core.execution import Execution, Invoke
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject
from aloi.service import invoking, targets, waiting
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.durable import continuing
from aloi.service.online import results, rules
from aloi.service.online.sampling import let_execution_wait, let_wait
from aloi.service.process.lease import LEASE
from aloi.store import unfinished
from tests.service.stepwise import OK, definition, until
from tests.service.stepwise import stepwise as stepwise
from tests.service.traffic import TARGET, all_graded, asked, echoing, opened, rule_now, ruled
from tests.store.backends import BACKENDS, fresh


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    async with fresh(request, tmp_path) as address:
        context = await opened(tmp_path, address)
        await echoing(context)
        yield context
        await context.close()


async def waiting_now(context: Context) -> int:
    return (await rule_now(context)).waiting


async def test_filters_and_share_decide(context: Context):
    await ruled(context, filters={"status": "ok", "text": "order"}, name="orders")
    await ruled(context, share=0.5)
    await asked(context, "my ORDER", "hello", "fail", *(f"question {number}" for number in range(60)))
    assert (await rule_now(context, "orders")).waiting == 1
    assert 15 <= await waiting_now(context) <= 48


async def test_only_the_version_that_was_asked_for(context: Context):
    await ruled(context, filters={"version": 1})
    await asked(context, "hello")
    assert await waiting_now(context) == 1


async def test_without_rules_nothing_waits(context: Context):
    async with context.database.transaction() as tx:
        await let_wait(tx, [])
    await asked(context, "hello")
    async with context.database.read() as rx:
        assert await rx.fetch("SELECT 1 FROM online_queue") == []


async def test_one_that_was_graded_does_not_wait_again(context: Context):
    await ruled(context)
    [done] = await asked(context, "hello")
    await all_graded(context)
    async with context.database.transaction() as tx:
        await let_execution_wait(tx, done, done.outcome)
    assert await waiting_now(context) == 0


async def test_nothing_waits_for_an_execution_that_was_not_stored(context: Context):
    await ruled(context)
    [done] = await asked(context, "hello")
    await all_graded(context)
    again = done.model_copy(update={"id": done.id[:-4] + "0000"})
    with pytest.raises(ZeroDivisionError):
        async with context.database.transaction() as tx:
            await let_execution_wait(tx, again, again.outcome)
            raise ZeroDivisionError
    assert await waiting_now(context) == 0


async def test_a_caller_who_leaves_ends_it(context: Context):
    await ruled(context)
    invocation = await invoking.prepare(context, TARGET, Invoke(input="hello"))
    task = asyncio.create_task(invoking.carry_out(invocation))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert await waiting_now(context) <= 1  # it may have been over already


async def parked(context: Context, folder: Path, *, source: str = "production") -> Execution:
    """An execution of a target that asks a person first, with a rule on it."""
    await targets.save_definition(context, "flow", definition(folder, "ask", "b"))
    fields: JsonObject = {"name": "rule", "evaluators": [{"kind": "latency", "max": 60}]}
    await rules.create(context, "flow", fields)
    wanted = Invoke.model_validate({"input": "Hi", "source": source})
    return await invoking.carry_out(await invoking.prepare(context, "flow", wanted))


async def verdicts(context: Context) -> list[Verdict]:
    """What the rule said, once all is graded."""
    await all_graded(context)
    page = await results.page(context, "flow", "rule", results.ResultFilter(), 1, 20)
    return [result.verdict for result in page.items]


async def test_one_that_waits_for_people_is_graded_when_it_ends(
    context: Context, tmp_path: Path, stepwise: None
) -> None:
    execution = await parked(context, tmp_path)
    assert await verdicts(context) == []
    await waiting.answer(context, execution.id, "ask", "yes")
    await until(context, execution, OK)
    assert await verdicts(context) == [Verdict.PASS]


async def test_one_that_is_given_up_is_an_error(context: Context, tmp_path: Path, stepwise: None) -> None:
    execution = await parked(context, tmp_path)
    await waiting.cancel(context, execution.id)
    assert await verdicts(context) == [Verdict.ERROR]


async def test_one_that_waits_by_hand_is_not_graded(context: Context, tmp_path: Path, stepwise: None) -> None:
    execution = await parked(context, tmp_path, source="runner")
    await waiting.cancel(context, execution.id)
    assert await verdicts(context) == []


async def test_one_that_cannot_go_on_is_an_error(
    context: Context, tmp_path: Path, stepwise: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    execution = await parked(context, tmp_path)
    async with context.database.transaction() as tx:
        assert await unfinished.go_on(tx, execution.id, "somebody who is gone", now() - LEASE)
    monkeypatch.setattr(continuing, "resumable", changed)
    async with context.database.read() as rx:
        [found] = await unfinished.running(rx)
    await continuing.take_up(context, found)
    assert await verdicts(context) == [Verdict.ERROR]


async def changed(*_: object) -> None:
    raise Conflict("its module has changed")
