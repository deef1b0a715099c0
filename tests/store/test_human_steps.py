"""What is asked of people stands once, and is answered once."""

from datetime import timedelta

from pydantic import JsonValue

from aloi.core.execution import HumanStep
from aloi.core.target import Question
from aloi.store import executions, human_steps, targets, unfinished
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, another_workspace, new_id
from tests.store.test_unfinished import KEPT, begun

SECOND = timedelta(seconds=1)
ONE, TWO = Question(step="one", text="One?"), Question(step="two[0].x", text="Two é?", answer_schema={"type": "null"})


async def asking(tx: Connection, *questions: Question, name: str = "flow") -> str:
    """The id of an execution that waits for answers to these."""
    execution = await begun(tx, name)
    await unfinished.keep(tx, execution.id, "one", KEPT, {}, None, waits=True)
    assert not await human_steps.ask(tx, execution.id, questions, (), NOW)
    return execution.id


async def test_they_stand_in_the_order_of_asking(db: Database) -> None:
    async with db.transaction() as tx:
        execution_id = await asking(tx, TWO, ONE)
        three = Question(step="a", text="Three?")
        assert not await human_steps.ask(tx, execution_id, [ONE, three], (), NOW + SECOND)
        found = (await executions.get(tx, execution_id)).human_steps
    assert [step.step for step in found] == ["two[0].x", "one", "a"]
    unanswered: dict[str, JsonValue] = {"answer": None, "answered_by": None, "answered_at": None}
    assert found[0] == HumanStep.model_validate(
        {
            "step": "two[0].x",
            "question": "Two é?",
            "answer_schema": {"type": "null"},
            "asked_at": NOW,
            **unanswered,
        }
    )
    assert (found[1].asked_at, found[2].asked_at) == (NOW, NOW + SECOND)  # the first goes on waiting


async def test_an_answer_counts_once(db: Database) -> None:
    async with db.transaction() as tx:
        execution_id = await asking(tx, ONE, TWO)
        assert await human_steps.answer(tx, execution_id, "two[0].x", None, "ann", NOW + SECOND)
        assert not await human_steps.answer(tx, execution_id, "two[0].x", 1, "bob", NOW)
        assert not await human_steps.answer(tx, execution_id, "absent", 1, "bob", NOW)
        assert not await human_steps.answer(tx, new_id(), "one", 1, "bob", NOW)
        assert await human_steps.answers(tx, execution_id) == {"two[0].x": None}
        answered = (await human_steps.of_execution(tx, execution_id))[1]
        assert (answered.answered_by, answered.answered_at) == ("ann", NOW + SECOND)
        assert await human_steps.answer(tx, execution_id, "one", {"é": [1, "nul \0"]}, "ann", NOW)
        assert (await human_steps.answers(tx, execution_id))["one"] == {"é": [1, "nul \0"]}


async def test_what_was_answered_meanwhile_is_told(db: Database) -> None:
    async with db.transaction() as tx:
        execution_id = await asking(tx, ONE, TWO)
        await human_steps.answer(tx, execution_id, "one", "yes", "ann", NOW)
        assert not await human_steps.ask(tx, execution_id, [TWO], (), NOW + SECOND)
        assert await human_steps.ask(tx, execution_id, [ONE, TWO], (), NOW + SECOND)
        assert await human_steps.answers(tx, execution_id) == {"one": "yes"}


async def test_what_asks_in_spite_of_its_answer_asks_anew(db: Database) -> None:
    async with db.transaction() as tx:
        execution_id = await asking(tx, ONE, TWO)
        await human_steps.answer(tx, execution_id, "one", "yes", "ann", NOW)
        again = Question(step="one", text="Really?")
        assert not await human_steps.ask(tx, execution_id, [again, TWO], {"one"}, NOW + SECOND)
        assert await human_steps.answers(tx, execution_id) == {}
        two, one = await human_steps.of_execution(tx, execution_id)
        assert (two.step, one.question, one.asked_at, one.answered_by) == ("two[0].x", "Really?", NOW + SECOND, None)


async def test_those_that_wait(db: Database) -> None:
    other = await another_workspace(db)
    async with db.transaction() as tx:
        first, second = await asking(tx, ONE, TWO), await asking(tx, ONE, name="other")
        await human_steps.answer(tx, first, "one", "yes", "ann", NOW)
        page = await human_steps.waiting(tx, 1, 20)
        assert [(step.execution_id, step.step, step.target_name, step.version) for step in page.items] == [
            (first, "two[0].x", "flow", 1),
            (second, "one", "other", 1),
        ]
        assert (await human_steps.waiting(tx, 2, 1)).items == page.items[1:]
        assert (await human_steps.waiting(tx, 1, 1, page.items[1].target_id)).items == page.items[1:]
        await unfinished.go_on(tx, first, "one", NOW)  # what goes on may be answered too
        assert (await human_steps.waiting(tx, 1, 1)).total == 2
        await unfinished.end(tx, first, KEPT)
        assert (await human_steps.waiting(tx, 1, 1)).total == 1
    async with other.read() as rx:
        assert (await human_steps.waiting(rx, 1, 20)).total == 0


async def test_they_go_with_their_target(db: Database) -> None:
    async with db.transaction() as tx:
        await asking(tx, ONE)
        target = await targets.get(tx, "flow")
        await targets.delete(tx, target.id)
        assert await tx.fetch("SELECT * FROM human_steps") == []
