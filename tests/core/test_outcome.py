"""What a target did with one case."""

from typing import Any

import pytest
from pydantic import ValidationError

from aloi.core.outcome import Failure, Outcome
from aloi.core.usage import NO_USAGE


@pytest.mark.parametrize("output", ["", "text", {"a": [1, None]}, [], 0, False])
def test_any_json_but_null_is_an_answer_and_an_empty_text_too(output: Any) -> None:
    outcome = Outcome(output=output)
    assert (outcome.output, outcome.failure, outcome.usage, outcome.trace) == (output, None, NO_USAGE, None)
    assert Outcome.model_validate_json(outcome.model_dump_json()) == outcome


def test_a_failure_is_a_value() -> None:
    outcome = Outcome(failure=Failure(stage="invoke", type="timeout", message="no answer within 5 s"), latency=5.0)
    assert outcome.output is None
    assert Outcome.model_validate_json(outcome.model_dump_json()) == outcome


def test_a_failure_happens_at_a_known_stage() -> None:
    with pytest.raises(ValidationError, match="stage"):
        Failure.model_validate({"stage": "report", "type": "x", "message": "y"})
