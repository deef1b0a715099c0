"""`cost_limit`: US dollars within a limit; an unknown price is an error."""

import pytest

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.usage import Usage
from tests.evaluators.grading import evaluator, grade


@pytest.mark.parametrize(("most", "value"), [(0.01, 1), (0.009, 0)])
async def test_value(most: float, value: float) -> None:
    score = await grade(evaluator("cost_limit", max=most), usage=Usage(cost=0.01))
    assert score.value == value
    assert score.explanation == f"expected at most ${most}, got $0.01"


@pytest.mark.parametrize("usage", [Usage(), Usage(cost=0.01, unpriced=1)])
async def test_unknown_prices_are_an_error(usage: Usage) -> None:
    with pytest.raises(StageFailure) as failure:
        await grade(evaluator("cost_limit", max=1), usage=usage)
    assert failure.value.type == "missing_evidence"


async def test_what_is_known_can_be_too_much_already() -> None:
    assert (await grade(evaluator("cost_limit", max=0.001), usage=Usage(cost=0.01, unpriced=1))).value == 0


@pytest.mark.parametrize("most", [-1, "nan"])
def test_limits_that_make_no_sense_are_refused(most: object) -> None:
    with pytest.raises(InvalidInput, match="max"):
        evaluator("cost_limit", max=most)
