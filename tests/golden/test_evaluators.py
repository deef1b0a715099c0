"""Every row of the golden table: one evaluator on one output, with the right value from an independent source."""

import json
from pathlib import Path
from typing import Any

import pytest

from aloi.core.trace import ToolCall
from tests.evaluators.grading import evaluator, grade

ROWS: list[dict[str, Any]] = json.loads((Path(__file__).with_name("evaluators.json")).read_text())


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
async def test_value(row: dict[str, Any]) -> None:
    made = [ToolCall.model_validate(call) for call in row["tool_calls"]]
    score = await grade(evaluator(row["kind"], **row["params"]), row["output"], made)
    value = float(score.value == 1) if row.get("all_or_nothing") else score.value
    assert value == pytest.approx(row["value"], abs=1e-9)
    assert score.explanation
