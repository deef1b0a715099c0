"""`token_limit`: input and output tokens within a limit; unknown is an error."""

import pytest

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.usage import Usage
from tests.evaluators.grading import evaluator, grade


@pytest.mark.parametrize(("most", "value"), [(9, 0), (10, 1), (11, 1)])
async def test_value(most: int, value: float) -> None:
    score = await grade(evaluator("token_limit", max=most), usage=Usage(input_tokens=7, output_tokens=3))
    assert score.value == value
    assert score.explanation == f"expected at most {most} tokens, got 10"


@pytest.mark.parametrize("usage", [Usage(), Usage(input_tokens=7), Usage(output_tokens=7)])
async def test_unknown_tokens_are_an_error(usage: Usage) -> None:
    with pytest.raises(StageFailure) as failure:
        await grade(evaluator("token_limit", max=10), usage=usage)
    assert failure.value.type == "missing_evidence"


async def test_what_is_known_can_be_too_much_already() -> None:
    assert (await grade(evaluator("token_limit", max=10), usage=Usage(input_tokens=11))).value == 0


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(InvalidInput, match="max"):
        evaluator("token_limit", max=-1)
