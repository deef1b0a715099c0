"""The step `human`: it asks, waits, and takes an answer that fits."""

import json
from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.errors import InvalidInput
from aloi.core.step import NOTHING_KNOWN, Step, Waiting
from aloi.core.target import Question
from aloi.plugins import build
from aloi.steps.human import Human
from tests.steps.step_calls import StepCalls, step

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}


async def test_it_waits_until_somebody_answers(calls: StepCalls) -> None:
    one = step(Human, question="Approve {{ input }}?", output_schema=SCHEMA)
    assert await calls.run(one) == Waiting((Question(step="one", text="Approve Hi there?", answer_schema=SCHEMA),))
    assert await calls.run(one, {"other": {"ok": False}}) == await calls.run(one)
    assert await calls.run(one, {"one": {"ok": True}}) == {"ok": True}


async def test_any_text_is_an_answer_where_nothing_else_is_said(calls: StepCalls) -> None:
    one = step(Human, question="Well?")
    assert await calls.run(one, {"one": ""}) == ""
    assert one.answer_schema(NOTHING_KNOWN) == {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "answer", "words"),
    [
        (SCHEMA, {"ok": "yes"}, "$.ok: 'yes' is not of type 'boolean'"),
        (SCHEMA, None, "not of type 'object'"),
        (None, {"ok": True}, "not of type 'string'"),
    ],
)
async def test_an_answer_that_does_not_fit(
    calls: StepCalls, schema: dict[str, Any] | None, answer: JsonValue, words: str
) -> None:
    failure = await calls.failure(step(Human, question="Well?", output_schema=schema), {"one": answer})
    assert failure.type == "bad_answer"
    assert words in failure.message


def test_what_it_reads_and_that_a_run_must_simulate_it() -> None:
    one = step(Human, question="Approve {{ steps.a.total }}?", output_schema=SCHEMA)
    assert [(read.at, read.path) for read in one.reads()] == [(("question",), ("steps", "a", "total"))]
    (component,) = one.components()
    assert (component.name, component.kind, component.side_effect) == ("one", "human", True)
    assert component.output_schema == SCHEMA
    assert one.arguments({"input": 1, "steps": {"a": {"total": 3}}}) == {"question": "Approve 3?"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [({}, "question"), ({"question": "{{"}, "question"), ({"question": "?", "output_schema": {"type": 3}}, "Schema")],
)
def test_a_definition_that_does_not_fit(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        build("steps", {"kind": "human", "name": "one", **fields}, Step)


def test_a_definition_survives_its_stored_form() -> None:
    one = step(Human, question="Well?", output_schema=SCHEMA)
    assert build("steps", json.loads(json.dumps(one.to_spec())), Step) == one
