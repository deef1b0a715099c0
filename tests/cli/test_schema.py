import json
from pathlib import Path

from jsonschema import Draft202012Validator

from tests.cli.conftest import Aloi


def test_the_schema_of_a_suite(aloi: Aloi, tmp_path: Path) -> None:
    ended = aloi("schema", "suite")
    assert ended.code == 0
    schema = json.loads(ended.out)
    assert {"target", "cases", "evaluators", "gate"} <= schema["properties"].keys()
    path = tmp_path / "suite.schema.json"
    assert aloi("schema", "suite", "-o", path).code == 0
    assert json.loads(path.read_text()) == schema


def test_a_file_that_cannot_be_written(aloi: Aloi, tmp_path: Path) -> None:
    assert aloi("schema", "suite", "-o", tmp_path / "no" / "x").code == 2


def test_the_schema_of_a_workflow_file_knows_the_kinds_of_steps(aloi: Aloi) -> None:
    ended = aloi("schema", "target", "workflow")
    assert ended.code == 0
    check = Draft202012Validator(json.loads(ended.out))
    step = {"name": "a", "kind": "transform", "template": "x"}
    assert check.is_valid({"kind": "workflow", "steps": [step]})
    for wrong in ({"kind": "agent", "steps": [step]}, {"kind": "workflow", "steps": [{**step, "template": 3, "x": 1}]}):
        assert not check.is_valid(wrong)


def test_the_schema_of_an_unknown_kind(aloi: Aloi) -> None:
    ended = aloi("schema", "target", "workfolw")
    assert (ended.code, "the kinds are" in ended.err) == (2, True)
