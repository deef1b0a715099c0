"""`json_schema`: validity, the list of violations, schemas that are refused."""

import asyncio
from typing import Any

import pytest

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.score import Verdict
from tests.evaluators.grading import evaluator, grade

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"$ref": "#/$defs/age"}},
    "required": ["name", "age"],
    "additionalProperties": False,
    "$defs": {"age": {"type": "integer", "minimum": 0}},
}


@pytest.mark.parametrize(
    ("output", "value"),
    [
        ({"name": "Ada", "age": 36}, 1),
        ({"name": "Ada", "age": 36.0}, 1),
        ('{"name": "Ada", "age": 36}', 1),
        ('```\n{"name": "Ada", "age": 36}\n```', 1),
        ({"name": "Ada", "age": True}, 0),
        ({"name": "Ada"}, 0),
        ("Ada is 36", 0),
        ("", 0),
        (None, 0),
    ],
)
async def test_value(output: Any, value: float) -> None:
    score = await grade(evaluator("json_schema", schema=PERSON), output)
    assert (score.value, score.verdict) == (value, Verdict.PASS if value else Verdict.FAIL)


async def test_the_explanation_lists_every_violation_with_its_place() -> None:
    score = await grade(evaluator("json_schema", schema=PERSON), {"age": -1, "x": None})
    assert "at $.age: -1 does not meet minimum 0" in score.explanation
    assert "'name' is a required property" in score.explanation
    assert "'x' was unexpected" in score.explanation
    assert isinstance(score.details, list) and len(score.details) == 3


async def test_many_violations_are_cut() -> None:
    score = await grade(evaluator("json_schema", schema={"items": {"type": "string"}}), list(range(10_000)))
    assert isinstance(score.details, list) and len(score.details) == 20
    assert score.explanation.endswith("…")


async def test_a_selected_part_may_be_a_text() -> None:
    spec = evaluator("json_schema", schema={"type": "string", "minLength": 2}, target_path="$.name")
    assert (await grade(spec, {"name": "12"})).value == 1
    wrong = await grade(spec, {"name": "1"})
    assert 'at $.name: "1" does not meet minLength 2' in wrong.explanation
    assert (await grade(spec, {})).verdict is Verdict.FAIL


@pytest.mark.parametrize(("schema", "value"), [(True, 1), (False, 0), ({}, 1)])
async def test_the_shortest_schemas(schema: Any, value: float) -> None:
    assert (await grade(evaluator("json_schema", schema=schema), {"a": 1})).value == value


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "strin"}, "not a JSON Schema"),
        ({"properties": {"a": {"minimum": "x"}}}, r"\$\.properties\.a\.minimum"),
        ({"$ref": "#/$defs/gone"}, "not inside it"),
        ({"items": {"$ref": "http://127.0.0.1:9/schema.json"}}, "not inside it"),
        ([], "schema"),
    ],
)
def test_bad_schemas_are_refused(schema: Any, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        evaluator("json_schema", schema=schema)


async def test_an_older_draft_is_followed() -> None:
    draft4 = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True}
    assert (await grade(evaluator("json_schema", schema=draft4), 1)).value == 0


async def test_references_by_id_work() -> None:
    schema = {
        "$id": "https://example.com/tree",
        "type": "object",
        "properties": {"left": {"$ref": "tree"}, "n": {"$ref": "https://example.com/tree#/$defs/n"}},
        "$defs": {"n": {"type": "integer"}},
    }
    spec = evaluator("json_schema", schema=schema)
    assert (await grade(spec, {"left": {"n": 1}})).value == 1
    assert (await grade(spec, {"left": {"n": "1"}})).value == 0


def test_the_stored_spec_names_it_schema() -> None:
    spec = evaluator("json_schema", schema=PERSON).to_spec()
    assert spec == {"kind": "json_schema", "schema": PERSON}
    described = type(evaluator("json_schema", schema=PERSON)).describe()["schema"]
    assert isinstance(described, dict) and described["required"] == ["schema"]


async def test_too_slow_a_schema_is_an_error_and_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aloi.evaluators.json_schema.TIMEOUT_SECONDS", 0.1)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.005)
            ticks += 1

    ticking = asyncio.create_task(tick())
    with pytest.raises(StageFailure, match="takes too long") as failure:
        await grade(evaluator("json_schema", schema={"items": {"pattern": "^(a|aa)+$"}}), ["a" * 80 + "b"])
    ticking.cancel()
    assert failure.value.type == "timeout"
    assert ticks > 0
