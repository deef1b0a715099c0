"""The JSON schema for editors: it takes what a workflow takes, step by step."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from aloi.plugins import kinds
from aloi.targets.workflow import Workflow

SCHEMA: Any = Workflow.describe()["schema"]


def faults(*steps: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(SCHEMA).iter_errors({"steps": [*steps]})]


def test_it_is_a_schema_with_every_kind_of_step() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    found = {SCHEMA["$defs"][option["$ref"].rpartition("/")[2]]["properties"]["kind"]["const"] for option in OPTIONS}
    assert found == set(kinds("steps"))


OPTIONS = SCHEMA["$defs"]["Step"]["oneOf"]
GOOD = {"name": "a", "kind": "transform", "value": 1}


@pytest.mark.parametrize(
    ("step", "fits"),
    [
        (GOOD, True),
        ({"name": "m", "kind": "map", "items": [1], "steps": [GOOD]}, True),
        ({"name": "m", "kind": "map", "items": [1], "steps": [{"name": "a", "kind": "nothing"}]}, False),
        ({"name": "a", "kind": "branch", "ways": [{"name": "x", "if": [{"path": "$.input", "equals": 1}]}]}, True),
        ({"name": "a", "kind": "transform", "valeu": 1}, False),
        ({"name": "a"}, False),
    ],
)
def test_it_takes_what_a_workflow_takes(step: Any, fits: bool) -> None:
    assert (faults(step) == []) is fits
