import json
from pathlib import Path

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
