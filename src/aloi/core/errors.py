"""Everything that can go wrong, as one tree.

AloiError
├── InvalidInput     the caller gave something that cannot be used; the message says how to mend it
├── NotFound         the named thing is not there
├── Conflict         the thing exists, but not in a state that allows this
├── NotPermitted     the caller's rights or the operator's settings do not allow this
├── GateRefused      a gate decided "no": an answer, not a fault
├── StoreUnavailable the database cannot be used: full, read-only, locked, damaged, or of another version
├── ToolFailure      a tool could not do its work; the agent sees the message and may go on
└── StageFailure     invoking or grading failed; it becomes a `Failure` value in the case's result
"""

from typing import Literal

Stage = Literal["invoke", "grade"]


class AloiError(Exception):
    """Base of all errors that Aloi raises on purpose; `str(error)` is fit for a user."""


class InvalidInput(AloiError):
    """Input that cannot be used. The message names the thing, the reason and the mend."""


class NotFound(AloiError):
    """Something that was named does not exist."""


class Conflict(AloiError):
    """The present state does not allow what was asked."""


class NotPermitted(AloiError):
    """Rights or settings forbid what was asked."""


class GateRefused(AloiError):
    """The gate does not let a version become active."""


class StoreUnavailable(AloiError):
    """The database cannot be used: the system failed, not the caller. The message says how to mend it."""


class ToolFailure(AloiError):
    """A tool call failed; the message goes back to the agent as the tool's result."""


class StageFailure(AloiError):
    """Invoking a target or grading its outcome failed.

    Args:
        stage: `invoke` or `grade`.
        type: a short stable word, e.g. `timeout`, `rate_limited`, `no_answer`, `bad_reply`.
        message: what failed, why, and how to mend it.
    """

    def __init__(self, stage: Stage, type: str, message: str) -> None:  # noqa: A002 - the field's name in the API
        super().__init__(message)
        self.stage: Stage = stage
        self.type = type
        self.message = message

    def __reduce__(self) -> tuple[object, ...]:
        """So that it can be copied and sent to another process, as an exception of one argument can."""
        return (self.__class__, (self.stage, self.type, self.message))
