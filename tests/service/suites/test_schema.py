"""The schema takes what the loader takes, and refuses what it refuses."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from pydantic import JsonValue

from aloi.plugins import kinds
from aloi.service.suites.schema import suite_schema

EXAMPLE = Path(__file__).parents[3] / "examples" / "suite.yaml"
MINIMAL = {"target": "support-agent@3"}


def faults(suite: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(suite_schema()).iter_errors(suite)]


def test_is_a_schema_with_every_reference_there() -> None:
    schema = suite_schema()
    Draft202012Validator.check_schema(schema)
    assert references(schema) <= {f"#/$defs/{name}" for name in definitions(schema)}


def definitions(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    found = schema["$defs"]
    assert isinstance(found, dict)
    return found


def references(value: JsonValue) -> set[str]:
    if isinstance(value, dict):
        inner = set[str]().union(*map(references, value.values()))
        return inner | ({str(value["$ref"])} if "$ref" in value else set[str]())
    return set[str]().union(*map(references, value)) if isinstance(value, list) else set()


def test_the_example_fits() -> None:
    assert faults(yaml.safe_load(EXAMPLE.read_text())) == []


def test_every_kind_is_a_choice() -> None:
    parts = definitions(suite_schema())
    text = str(parts)
    for kind in (*kinds("targets"), *kinds("evaluators")):
        assert f"'kind': {{'const': '{kind}'}}" in text


@pytest.mark.parametrize(
    "more",
    [
        {"target": {"kind": "openai", "model": "openai:x"}},
        {"judge": {"model": "openai:x", "samples": 5}},
        {"evaluators": [{"kind": "contains", "text": "a", "name": "n", "weight": 0}]},
        {"cases": [{"prompt": "a"}, {"input": {"q": 1}, "evaluators": [{"kind": "regex", "pattern": "a"}]}]},
        {"dataset": "cases.csv", "gate": {"threshold": 1}},
        {"simulations": {"mail": {"kind": "generated", "description": "It is sent."}}},
        {"cases": [{"prompt": "a", "simulations": {"mail": {"kind": "static", "answers": [{"output": None}]}}}]},
    ],
)
def test_takes(more: dict[str, JsonValue]) -> None:
    assert faults({**MINIMAL, **more}) == []


@pytest.mark.parametrize(
    "suite",
    [
        {},
        {**MINIMAL, "judgement": {}},
        {"target": {"kind": "nothing"}},
        {**MINIMAL, "judge": {"model": "openai:x", "samples": 6}},
        {**MINIMAL, "evaluators": [{"kind": "contains", "txt": "a"}]},
        {**MINIMAL, "evaluators": [{"text": "a"}]},
        {**MINIMAL, "cases": [{"name": "no input"}]},
        {**MINIMAL, "cases": [{"prompt": "a", "input": "b"}]},
        {**MINIMAL, "cases": [{"prompt": "a", "id": "7"}]},
        {**MINIMAL, "gate": {"threshold": 0}},
        {**MINIMAL, "simulations": {"mail": {"kind": "static", "answers": []}}},
        {**MINIMAL, "simulations": {"mail": {"kind": "code"}}},
    ],
)
def test_refuses(suite: dict[str, JsonValue]) -> None:
    assert faults(suite)
