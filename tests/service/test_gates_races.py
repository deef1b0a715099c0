"""Activations at the same time as other changes, by several processes over one database: each comes out as in one of
the two orders, and nothing waits for ever.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import Conflict, GateRefused, InvalidInput, NotFound
from aloi.core.gate import DatasetGate, Gate, GateState
from aloi.core.identity import etag
from aloi.core.spec import JsonObject
from aloi.service import cases, datasets, gates, saved_evaluators
from aloi.service.binding import bind
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store import activation
from aloi.store import cases as stored_cases
from aloi.store import datasets as stored_datasets
from aloi.store import gates as stored_gates
from aloi.store import runs as stored_runs
from aloi.store import targets as stored_targets
from aloi.store.connection import Connection
from tests.service.gated import BOT, URGENT, Gated, activate, active, gated, set_gate
from tests.service.started_runs import prompts, save
from tests.store.backends import BACKENDS, fresh

RACES = 50
DONE, REFUSED = "done", "refused"


@pytest.fixture(params=BACKENDS)
async def contexts(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[list[Context]]:
    """Two contexts over one new database, as of two processes."""
    async with fresh(request, tmp_path) as address:
        settings = Settings(home=tmp_path, database_url=address)
        opened = [await Context.open(settings, {}) for _ in range(2)]
        opened[1].in_memory = opened[0].in_memory
        yield opened
        for context in opened:
            await context.close()


@pytest.fixture
async def bot(contexts: list[Context]) -> Gated:
    """A target with a gate."""
    return await gated(contexts[0])


async def tried(activation: Awaitable[object]) -> str:
    """How an activation came out."""
    try:
        await activation
    except GateRefused:
        return REFUSED
    return DONE


async def back(context: Context) -> None:
    """Make version 1 the active one again, without a gate."""
    await set_gate(context)
    await activate(context, 1)


async def test_two_activations(contexts: list[Context], bot: Gated) -> None:
    """Of a good and a bad version at once, the bad one never wins: version 1, which has no run."""
    one, two = contexts
    await bot.run(10)
    for _ in range(RACES):
        await back(one)
        await set_gate(one, data=0.8)
        came = await asyncio.gather(tried(activate(one, 2)), tried(activate(two, 2)), tried(activate(two, 1)))
        assert came[:2] == [DONE, DONE]
        assert await active(one) == 2


async def test_an_activation_and_an_edit_of_the_dataset(contexts: list[Context], bot: Gated) -> None:
    one, two = contexts
    await bot.run(10)
    case_id, *_ = [case.id async for case in datasets.cases(one, "data")]
    seen: set[str] = set()
    for number in range(RACES):
        await back(one)
        await set_gate(one, data=0.8)
        edit = cases.update(two, bot.dataset_id, case_id, {"prompt": f"another {number}"})
        came, _ = await asyncio.gather(tried(activate(one, 2)), edit)
        assert await active(one) == (2 if came == DONE else 1)
        assert not (await bot.says()).allowed
        seen.add(came)
        await cases.update(one, bot.dataset_id, case_id, {"prompt": "prompt 0"})
    assert DONE in seen


async def test_an_activation_and_a_change_of_the_gate(contexts: list[Context], bot: Gated) -> None:
    one, two = contexts
    await bot.run(8)
    for number in range(RACES):
        await back(one)
        await set_gate(one, data=0.8)
        works = [tried(activate(one, 2)), set_gate(two, data=0.9)]
        came = await asyncio.gather(*(works if number % 2 else works[::-1]))
        assert await active(one) == (2 if DONE in came else 1)
        assert not (await bot.says()).allowed


async def test_an_override_is_written_down_once_for_each_that_needed_it(contexts: list[Context], bot: Gated) -> None:
    one, two = contexts
    for number in range(1, RACES + 1):
        await back(one)
        await set_gate(one, data=0.8)
        await asyncio.gather(*(activate(context, 2, URGENT) for context in contexts))
        assert (await gates.overrides_of(two, BOT, 1, 1)).total == number


async def set_thresholds(context: Context, thresholds: dict[str, float]) -> GateState:
    """Set the target's thresholds by the names of their datasets."""
    policies = [DatasetGate(dataset_id=name, threshold=threshold) for name, threshold in thresholds.items()]
    return await gates.replace(context, BOT, Gate(policies=tuple(policies)))


def gate_of(dataset_id: str, threshold: float) -> Gate:
    """A gate of one policy."""
    return Gate(policies=(DatasetGate(dataset_id=dataset_id, threshold=threshold),))


async def test_two_owners_who_read_the_same_gate(contexts: list[Context], bot: Gated) -> None:
    for number in range(RACES):
        read = etag((await bot.says()).gate)
        thresholds = (0.1 + number / 1000, 0.5 + number / 1000)
        works = [
            gates.replace(context, BOT, gate_of(bot.dataset_id, threshold), read)
            for context, threshold in zip(contexts, thresholds, strict=True)
        ]
        came = await asyncio.gather(*works, return_exceptions=True)
        assert sorted(type(outcome).__name__ for outcome in came) == ["GateState", "Stale"]


async def test_a_gate_and_the_deletion_of_its_dataset(contexts: list[Context], bot: Gated) -> None:
    one, two = contexts
    for number in range(RACES // 5):
        dataset_id = await save(one, prompts(2), name=f"more {number}")
        works = [set_thresholds(one, {"data": 0.8, f"more {number}": 0.5}), datasets.delete(two, dataset_id)]
        came = await asyncio.gather(*works, return_exceptions=True)
        kept = [policy.dataset_id for policy in (await bot.says()).policies]
        refused = [outcome for outcome in came if isinstance(outcome, (Conflict, NotFound, InvalidInput))]
        assert len(refused) == 1, came
        assert (dataset_id in kept) is isinstance(refused[0], Conflict)
        await set_gate(one, data=0.8)


async def test_gates_over_the_same_datasets_and_an_evaluator_of_all_wait_for_nobody(
    contexts: list[Context], bot: Gated
) -> None:
    """They hold the same datasets, in one order."""
    one, two = contexts
    saved = await saved_evaluators.create(one, {"name": "e", "spec": {"kind": "contains", "text": "0"}})
    names = [f"set {number}" for number in range(6)]
    for name in reversed(names):
        await bind(one, await save(one, prompts(3), name=name), [{"evaluator_id": saved.id}])
    for number in range(RACES // 2):
        await back(one)
        await set_thresholds(one, dict.fromkeys(names, 0.5))
        spec: JsonObject = {"spec": {"kind": "contains", "text": str(number)}}
        came, _ = await asyncio.gather(tried(activate(one, 2)), saved_evaluators.update(two, saved.id, spec))
        assert came == REFUSED


Work = Callable[[Context, Connection, Gated], Awaitable[object]]


async def edited(context: Context, tx: Connection, bot: Gated) -> None:
    """A case is edited."""
    await stored_datasets.hold_by_id(tx, bot.dataset_id)
    async for case in stored_cases.every(tx, bot.dataset_id):
        await stored_cases.update(tx, bot.dataset_id, case.model_copy(update={"input": "another"}))


async def raised(context: Context, tx: Connection, bot: Gated) -> None:
    """The threshold is raised."""
    await stored_targets.hold(tx, BOT)
    await stored_gates.replace(tx, bot.second.target_id, gate_of(bot.dataset_id, 1.0).policies)


async def ran(context: Context, tx: Connection, bot: Gated) -> None:
    """A bad run comes to its end."""
    run = await stored_runs.get(tx, "latest")
    assert run.summary is not None
    await gates.hold_for(tx, run)
    await gates.count_run(tx, run, run.summary.model_copy(update={"passed": 0, "failed": 10}), now())


@pytest.mark.parametrize("work", [edited, raised, ran])
async def test_an_activation_waits_for_what_is_under_way_and_sees_it(
    contexts: list[Context], bot: Gated, work: Work
) -> None:
    one, two = contexts
    await bot.run(9)
    async with two.database.transaction() as tx:
        await work(two, tx, bot)
        waiting = asyncio.create_task(tried(activate(one, 2)))
        await asyncio.sleep(0.1)
        assert not waiting.done()
    assert await waiting == REFUSED
    assert await active(one) == 1


@pytest.mark.parametrize("what", ["edit", "gate", "run"])
async def test_what_comes_during_an_activation_waits_for_it(contexts: list[Context], bot: Gated, what: str) -> None:
    one, two = contexts
    await bot.run(9)
    case_id, *_ = [case.id async for case in datasets.cases(one, "data")]
    works: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
        "edit": lambda: cases.update(one, bot.dataset_id, case_id, {"prompt": "another"}),
        "gate": lambda: set_gate(one, data=1.0),
        "run": lambda: bot.run(0),
    }
    async with two.database.transaction() as tx:
        record = await stored_targets.hold(tx, BOT)
        await gates.let_pass(two, tx, record, bot.second, None)
        other = asyncio.create_task(works[what]())
        await asyncio.sleep(0.1)
        assert not other.done()
        await activation.activate(tx, record.id, 2, now())
    await other
    assert await active(one) == 2
    assert not (await bot.says()).allowed
