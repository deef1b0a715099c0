"""Answering what executions wait for: once, what fits, also when many do at once; and giving them up."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from aloi.core.access import LOCAL, Workspace
from aloi.core.errors import AloiError, Conflict, InvalidInput, NotFound
from aloi.core.execution import Execution, Invoke
from aloi.core.misfit import Misfit
from aloi.core.spec import JsonObject
from aloi.service import audit, executions, invoking, targets, waiting
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.store import workspaces
from tests.service.stepwise import ERROR, OK, VERDICT, WAITING, Stepwise, begun, invoked, let_go, until
from tests.service.stepwise import contexts as contexts
from tests.service.stepwise import stepwise as stepwise

pytestmark = pytest.mark.usefixtures("stepwise")
ABSENT = "00000000-0000-7000-8000-00000000dead"
RACES = 10


@pytest.fixture
def context(contexts: list[Context]) -> Context:
    return contexts[0]


async def refused(kind: type[AloiError], context: Context, execution: Execution, step: str, given: Any) -> str:
    with pytest.raises(kind) as raised:
        await waiting.answer(context, execution.id, step, given)
    return str(raised.value)


async def test_a_second_answer_is_refused(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "ask", "b", hang="b")
    await waiting.answer(context, execution.id, "ask", "yes")
    said = await refused(Conflict, context, execution, "ask", "no")
    assert said.startswith("step ask was answered by local at ")
    let_go(tmp_path)
    done = await until(context, execution, OK)
    assert done.output == {"ask": "yes", "b": "b done"}
    assert "was answered" in await refused(Conflict, context, execution, "ask", "no")


@pytest.mark.parametrize("many", [1, 3], ids=["one process", "three processes"])
async def test_of_answers_at_the_same_time_one_counts(contexts: list[Context], tmp_path: Path, many: int) -> None:
    first = await invoked(contexts[0], tmp_path, "ask", "b")
    for number in range(RACES):
        prepared = await invoking.prepare(contexts[0], "flow", Invoke(input=f"race {number}"))
        execution = await invoking.carry_out(prepared)
        answers = [waiting.answer(contexts[index % many], execution.id, "ask", f"answer {index}") for index in range(9)]
        ended = await asyncio.gather(*answers, return_exceptions=True)
        [given] = [answer.human_steps[0].answer for answer in ended if isinstance(answer, Execution)]
        assert Counter(type(answer) for answer in ended) == {Execution: 1, Conflict: 8}
        done = await until(contexts[0], execution, OK)
        assert done.output == {"ask": given, "b": "b done"}
    assert begun(tmp_path) == {"b": RACES}
    assert (await executions.get(contexts[0], first.id)).status is WAITING


async def test_two_steps_answered_at_once_by_two_processes(contexts: list[Context], tmp_path: Path) -> None:
    await invoked(contexts[0], tmp_path, "ask1", "ask2", "b")
    for number in range(RACES):
        prepared = await invoking.prepare(contexts[0], "flow", Invoke(input=f"race {number}"))
        execution = await invoking.carry_out(prepared)
        await asyncio.gather(
            waiting.answer(contexts[0], execution.id, "ask1", "one"),
            waiting.answer(contexts[1], execution.id, "ask2", "two"),
        )
        done = await until(contexts[2], execution, OK)
        assert done.output == {"ask1": "one", "ask2": "two", "b": "b done"}
    assert begun(tmp_path) == {"b": RACES}


@pytest.mark.parametrize(
    ("given", "pointers"),
    [
        ("yes", ["/answer"]),
        (None, ["/answer"]),
        ({"approved": "yes"}, ["/answer/approved"]),
        ({}, ["/answer"]),
        ({"approved": True, "a/b": 1}, ["/answer"]),
        ({"approved": "half \ud800"}, ["/answer/approved"]),
    ],
)
async def test_an_answer_must_fit_the_schema(context: Context, tmp_path: Path, given: Any, pointers: list[str]) -> None:
    execution = await invoked(context, tmp_path, "ask", answer_schema=VERDICT)
    with pytest.raises(Misfit) as raised:
        await waiting.answer(context, execution.id, "ask", given)
    assert [fault.pointer for fault in raised.value.faults] == pointers
    assert (await executions.get(context, execution.id)).status is WAITING
    await waiting.answer(context, execution.id, "ask", {"approved": False})
    assert (await until(context, execution, OK)).output == {"ask": {"approved": False}}


@pytest.mark.parametrize("given", [1, None, {"a": 1}, ["x"]])
async def test_a_text_is_expected_where_there_is_no_schema(context: Context, tmp_path: Path, given: Any) -> None:
    execution = await invoked(context, tmp_path, "ask")
    assert "takes a text" in await refused(Misfit, context, execution, "ask", given)
    await waiting.answer(context, execution.id, "ask", "")
    assert (await until(context, execution, OK)).output == {"ask": ""}


async def test_a_schema_that_takes_for_ever(context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "CHECK_SECONDS", 0.05)
    execution = await invoked(context, tmp_path, "ask", answer_schema={"type": "string", "pattern": "^(a|aa)+$"})
    assert "too long to check" in await refused(Misfit, context, execution, "ask", "a" * 80 + "b")


async def test_what_nobody_is_asked(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "a", "ask")
    said = await refused(NotFound, context, execution, "a", "yes")
    assert said.endswith("asks nobody in a step 'a'; the steps that do are: ask")
    over = await invoked(context, tmp_path, "a", "c")
    assert "the steps that do are: none" in await refused(NotFound, context, over, "ask", "yes")
    with pytest.raises(NotFound):
        await waiting.answer(context, ABSENT, "ask", "yes")


async def test_an_answer_is_in_the_audit_log(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "ask")
    somebody = context.acting_as(context.principal.model_copy(update={"name": "ann@example.org"}))
    given = await waiting.answer(somebody, execution.id, "ask", "x" * 1000)
    assert given.human_steps[0].answered_by == "ann@example.org"
    [entry] = (await audit.listing(context, action="execution.answer")).items
    assert (entry.actor, entry.object_kind, entry.object_id) == ("ann@example.org", "execution", execution.id)
    assert (entry.object_name, entry.before) == ("flow@1", {"step": "ask"})
    assert entry.after == {"step": "ask", "answer": "x" * 499 + "…"}


def changed(_: Stepwise) -> JsonObject:
    return {"source": "changed"}


async def test_a_version_that_cannot_be_used_refuses_the_answer(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execution = await invoked(context, tmp_path, "ask", "b")
    with monkeypatch.context() as patched:
        patched.setattr("tests.service.stepwise.Stepwise.fingerprint", changed)
        said = await refused(Conflict, context, execution, "ask", "yes")
        assert said == "flow@1 is not what it was: source changed since it was saved; save it as a new version"
    monkeypatch.undo()  # the kind is gone
    assert "stepwise" in await refused(InvalidInput, context, execution, "ask", "yes")
    assert (await executions.get(context, execution.id)).human_steps[0].answered_at is None


async def test_those_that_wait_oldest_first(context: Context, tmp_path: Path) -> None:
    first = await invoked(context, tmp_path, "ask1", "ask2")
    flow = await targets.get(context, "flow")
    await targets.save_definition(context, "other", flow.active_version.definition if flow.active_version else {})
    second = await invoking.carry_out(await invoking.prepare(context, "other", Invoke(input="Ho")))
    page = await waiting.listing(context, 1, 20)
    found = [(step.execution_id, step.step, step.target_name, step.version) for step in page.items]
    assert found == [
        (first.id, "ask1", "flow", 1),
        (first.id, "ask2", "flow", 1),
        (second.id, "ask1", "other", 1),
        (second.id, "ask2", "other", 1),
    ]
    assert page.items[0].question == "What of ask1, given Hi?"
    assert (await waiting.listing(context, 2, 3)).items == page.items[3:]
    assert (await waiting.listing(context, 1, 1, "other")).items == page.items[2:3]
    with pytest.raises(NotFound):
        await waiting.listing(context, 1, 1, "absent")
    await waiting.answer(context, first.id, "ask2", "two")
    assert [step.step for step in (await waiting.listing(context, 1, 20, flow.id)).items] == ["ask1"]
    await waiting.cancel(context, second.id)
    assert (await waiting.listing(context, 1, 20)).total == 1


async def test_one_that_waits_is_given_up(context: Context, tmp_path: Path) -> None:
    execution = await invoked(context, tmp_path, "a", "ask")
    given_up = await waiting.cancel(context, execution.id)
    assert given_up.status is ERROR
    failure = given_up.outcome.failure
    assert failure is not None and (failure.type, failure.message) == ("cancelled", "local cancelled it")
    assert given_up.outcome.trace == execution.outcome.trace
    assert given_up.outcome.usage.calls == 1
    said = await refused(Conflict, context, execution, "ask", "yes")
    assert "is over (error), so nobody is waited for any more" in said
    with pytest.raises(Conflict, match="nothing to cancel"):
        await waiting.cancel(context, execution.id)
    [entry] = (await audit.listing(context, action="execution.cancel")).items
    assert (entry.before, entry.after) == ({"status": "waiting"}, {"status": "error"})


async def test_one_that_runs_is_given_up_by_another_process(contexts: list[Context], tmp_path: Path) -> None:
    one, two, _ = contexts
    execution = await invoked(one, tmp_path, "a", "ask", "b", "c", hang="c")
    await waiting.answer(one, execution.id, "ask", "yes")
    async with asyncio.timeout(5):
        while begun(tmp_path)["c"] == 0:
            await asyncio.sleep(0.01)
    given_up = await waiting.cancel(two, execution.id)
    async with asyncio.timeout(5):
        while one.work:
            await asyncio.sleep(0.01)
    assert await executions.get(one, execution.id) == given_up
    assert given_up.outcome.usage.calls == 2


async def test_who_is_cancelled_while_they_wait_for_it_is_told(contexts: list[Context], tmp_path: Path) -> None:
    one, two, _ = contexts
    call = asyncio.create_task(invoked(one, tmp_path, "a", "ask", hang="a"))
    async with asyncio.timeout(5):
        while begun(tmp_path)["a"] == 0:
            await asyncio.sleep(0.01)
        [execution_id] = one.work
        await waiting.cancel(two, execution_id)
        execution = await call
    assert execution.outcome.failure is not None and execution.outcome.failure.type == "cancelled"


async def test_a_workspace_elsewhere_sees_nothing_of_it(context: Context, tmp_path: Path) -> None:
    elsewhere = Workspace(id=new_id(), name="elsewhere")
    async with context.database.transaction() as tx:
        await workspaces.create(tx, elsewhere)
    theirs = context.acting_as(LOCAL.model_copy(update={"workspace": elsewhere}))
    execution = await invoked(context, tmp_path, "ask")
    assert (await waiting.listing(theirs, 1, 20)).total == 0
    for attempt in (waiting.answer(theirs, execution.id, "ask", "yes"), waiting.cancel(theirs, execution.id)):
        with pytest.raises(NotFound):
            await attempt
    assert (await executions.get(context, execution.id)).status is WAITING
