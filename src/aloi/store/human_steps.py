"""What executions ask of people, and what people answer."""

from collections.abc import Collection, Sequence
from datetime import datetime

from pydantic import JsonValue
from pydantic_core import from_json

from aloi.core.execution import HumanStep, WaitingStep
from aloi.core.listing import Page
from aloi.core.target import Question
from aloi.store.codec import json_of, pack_id, pack_time, unpack_id, unpack_time, unpack_time_or_none
from aloi.store.connection import Connection, Param, Params, Row

STEP = "SELECT h.step, h.question, h.answer_schema, h.asked_at, h.answer, h.answered_by, h.answered_at"
OF_EXECUTION = " FROM human_steps h WHERE h.execution_id = ? ORDER BY h.asked_at, h.position"
WAITING = """
FROM human_steps h JOIN executions e ON e.id = h.execution_id JOIN target_versions v ON v.id = e.target_version_id
JOIN targets t ON t.id = v.target_id
WHERE t.workspace_id = ? AND e.progress IS NOT NULL AND h.answered_at IS NULL"""
OLDEST_FIRST = " ORDER BY h.asked_at, h.execution_id, h.position LIMIT ? OFFSET ?"
ASK = """
INSERT INTO human_steps (execution_id, step, position, question, answer_schema, asked_at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (execution_id, step) DO UPDATE SET position = excluded.position, question = excluded.question,
  answer_schema = excluded.answer_schema, asked_at = excluded.asked_at,
  answer = NULL, answered_by = NULL, answered_at = NULL"""
ANSWER = """
UPDATE human_steps SET answer = ?, answered_by = ?, answered_at = ?
WHERE execution_id = ? AND step = ? AND answered_at IS NULL"""


async def of_execution(rx: Connection, execution_id: str) -> tuple[HumanStep, ...]:
    """What an execution asked, in the order of asking."""
    rows = await rx.fetch(STEP + OF_EXECUTION, (pack_id(execution_id),))
    return tuple(HumanStep.model_validate(_step(row)) for row in rows)


async def answers(rx: Connection, execution_id: str) -> dict[str, JsonValue]:
    """What people answered to an execution, by step."""
    found = await of_execution(rx, execution_id)
    return {step.step: step.answer for step in found if step.answered_at is not None}


async def ask(
    tx: Connection, execution_id: str, questions: Sequence[Question], used: Collection[str], at: datetime
) -> bool:
    """Write down what an execution that is held asks.

    A step that waits already goes on waiting. One whose answer the target was given, and that asks all the same, asks
    anew.

    Args:
        used: the steps whose answers the target was given.

    Returns:
        Whether one of the questions was answered meanwhile.
    """
    there = {step.step: step for step in await of_execution(tx, execution_id)}
    new = [question for question in questions if question.step not in there or question.step in used]
    rows = [_asked(execution_id, question, index, at) for index, question in enumerate(new)]
    await tx.execute_many((ASK, rows))
    others = {question.step for question in questions} - {question.step for question in new}
    return any(there[step].answered_at is not None for step in others)


def _asked(execution_id: str, question: Question, position: int, at: datetime) -> Params:
    schema = question.answer_schema
    return (
        pack_id(execution_id),
        question.step,
        position,
        question.text,
        None if schema is None else json_of(schema, f"the answer schema of step {question.step}"),
        pack_time(at),
    )


async def answer(tx: Connection, execution_id: str, step: str, given: JsonValue, by: str, at: datetime) -> bool:
    """Store the answer to a step that waits for one; false when there is none that does."""
    text = json_of(given, f"the answer to step {step}")
    return await tx.execute(ANSWER, (text, by, pack_time(at), pack_id(execution_id), step)) > 0


async def waiting(rx: Connection, number: int, size: int, target_id: str | None = None) -> Page[WaitingStep]:
    """A page of the steps that wait for people, oldest first, counted from 1; null stands for all targets."""
    where, params = WAITING, list[Param]([rx.workspace])
    if target_id is not None:
        where += " AND t.id = ?"
        params.append(pack_id(target_id))
    total = await rx.fetch_one("SELECT count(*)" + where, params)
    query = f"{STEP}, e.id, t.id, t.name, v.number{where}{OLDEST_FIRST}"
    rows = await rx.fetch(query, (*params, size, (number - 1) * size))
    return Page(items=tuple(map(_waiting, rows)), total=total[0] if total else 0, page=number, size=size)


def _waiting(row: Row) -> WaitingStep:
    execution, target, name, version = row[7:]
    placed = {"execution_id": unpack_id(execution), "target_id": unpack_id(target)}
    return WaitingStep.model_validate({**_step(row[:7]), **placed, "target_name": name, "version": version})


def _step(row: Row) -> dict[str, object]:
    step, question, schema, asked_at, given, answered_by, answered_at = row
    return {
        "step": step,
        "question": question,
        "answer_schema": None if schema is None else from_json(schema),
        "asked_at": unpack_time(asked_at),
        "answer": None if given is None else from_json(given),
        "answered_by": answered_by,
        "answered_at": unpack_time_or_none(answered_at),
    }
