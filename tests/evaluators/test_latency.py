"""`latency`: seconds within a limit."""

from typing import Any

import pytest

from aloi.core.errors import InvalidInput
from tests.evaluators.grading import evaluator, grade


@pytest.mark.parametrize(("seconds", "value"), [(0.0, 1), (2.0, 1), (2.001, 0)])
async def test_value(seconds: float, value: float) -> None:
    assert (await grade(evaluator("latency", max=2), latency=seconds)).value == value


@pytest.mark.parametrize("most", [0, -1, "inf", None])
def test_limits_that_make_no_sense_are_refused(most: Any) -> None:
    with pytest.raises(InvalidInput, match="max"):
        evaluator("latency", max=most)


async def test_the_explanation_names_limit_and_time() -> None:
    assert (await grade(evaluator("latency", max=2), latency=3)).explanation == "expected at most 2 s, got 3.000 s"
