"""What the agent engine's exceptions mean for a case."""

from collections.abc import Mapping

from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelTimeoutError,
    OutputTokenLimitExceeded,
    UnexpectedModelBehavior,
    UserError,
)

from aloi.core.errors import StageFailure
from aloi.llm.chat_wire import NO_SECRETS
from aloi.llm.secrets import masked

LONGEST = 500  # characters of a server's own words that are worth showing


def failure(error: Exception, model: str, secrets: Mapping[str, str] = NO_SECRETS) -> StageFailure:
    """The failure of a case (stage `invoke`) that an exception of the engine, or of its model, stands for.

    Args:
        error: the exception; a `StageFailure` is given back as it is.
        model: `provider:model`, which the message names.
        secrets: what is masked in the message.
    """
    if isinstance(error, StageFailure):
        return error
    kind, words = _meaning(error, secrets)
    return StageFailure("invoke", kind, f"{model}: {words}")


def _meaning(error: Exception, secrets: Mapping[str, str]) -> tuple[str, str]:
    """The type, and the message without the model's name. The order matters: an HTTP error may be a rate limit too."""
    text = _cut(masked(_words(error), secrets))
    match error:
        case ModelRateLimitError():
            return "rate_limited", f"the endpoint refuses more requests for now; lower the concurrency. It says: {text}"
        case ModelTimeoutError() | ModelRequestTimeout():
            return "timeout", f"the endpoint did not answer in time: {text}"
        case ModelHTTPError(status_code=status):
            return "http_status", f"the endpoint answered with status {status}: {text}"
        case ModelConnectionError():
            return "connection", f"the endpoint cannot be reached or broke off: {text}; check the address"
        case ContentFilterError():
            return "no_answer", f"it declined to answer: {text}"
        case OutputTokenLimitExceeded():
            return "no_answer", f"it reached max_tokens before it gave an answer; raise max_tokens. {text}"
        case IndexError():  # how the engine takes a reply without choices
            return "no_answer", "the reply holds no choice at all"
        case UnexpectedModelBehavior() | ModelAPIError() | UnicodeError():
            return "bad_reply", f"its reply cannot be used: {text}"
        case UserError() | AgentRunError():
            return "agent", f"the agent cannot be run: {text}"
        case _:
            return "agent", f"the agent broke off: {type(error).__name__}: {text}"


def _words(error: Exception) -> str:
    """The server's own message where there is one, else the exception's; what caused a bad reply stands behind."""
    match error:
        case ModelAPIError(body={"message": str(message)}):
            return message
        case UnexpectedModelBehavior(message=message):
            return f"{message} ({error.__cause__})" if error.__cause__ else message
        case _:
            return str(error)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"
