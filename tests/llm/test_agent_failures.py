"""Exceptions of the engine become failures that say what to do."""

import pytest
from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRateLimitError,
    ModelTimeoutError,
    OutputTokenLimitExceeded,
    UnexpectedModelBehavior,
    UserError,
)

from aloi.core.errors import StageFailure
from aloi.llm.agent_failures import LONGEST, failure


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ModelHTTPError(404, "m", {"message": "no such model"}), "http_status"),
        (ModelHTTPError.for_category(ModelRateLimitError, status_code=429, model_name="m"), "rate_limited"),
        (ModelTimeoutError("m", "slow"), "timeout"),
        (ModelConnectionError("m", "refused"), "connection"),
        (ContentFilterError("declined"), "no_answer"),
        (OutputTokenLimitExceeded("too long"), "no_answer"),
        (IndexError("list index out of range"), "no_answer"),
        (ModelAPIError("m", "no JSON"), "bad_reply"),
        (UnexpectedModelBehavior("odd"), "bad_reply"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), "bad_reply"),
        (UserError("wrong setting"), "agent"),
        (ZeroDivisionError("oops"), "agent"),
    ],
)
def test_each_has_its_type_and_names_the_model(error: Exception, kind: str) -> None:
    found = failure(error, "openai:m")
    assert (found.stage, found.type) == ("invoke", kind)
    assert found.message.startswith("openai:m: ")


def test_a_failure_of_ours_stays() -> None:
    ours = StageFailure("invoke", "rate_limited", "wait")
    assert failure(ours, "openai:m") is ours


def test_the_servers_own_words_are_shown() -> None:
    assert failure(ModelHTTPError(404, "m", {"message": "no such model"}), "m").message.endswith("no such model")


def test_long_words_are_cut() -> None:
    message = failure(UnexpectedModelBehavior("x" * 100_000), "m").message
    assert len(message) < LONGEST + 200
    assert "(100000 characters)" in message


def test_the_cause_of_a_bad_reply_is_told() -> None:
    error = UnexpectedModelBehavior("Exceeded maximum output retries (2)")
    error.__cause__ = ValueError("score is missing")
    assert "score is missing" in failure(error, "m").message
