"""Everything that can go wrong, as one tree.

AloiError
├── InvalidInput      the caller gave something that cannot be used; the message says how to mend it
├── NotFound          the named thing is not there
├── Conflict          the thing exists, but not in a state that allows this
│   └── Stale         it was changed by somebody else since the caller read it
├── NotSignedIn       nobody is signed in, or the token or password is not right
├── NotPermitted      the caller's rights or the operator's settings do not allow this
├── GateRefused       a gate decided "no": an answer, not a fault
├── TooMany           asked too often; `retry_after` says when to come back
├── TooLarge          more than the operator's limit
├── StoreUnavailable  the database cannot be used: full, read-only, locked, damaged, or of another version
├── FilesUnavailable  the folder or the store of attachments cannot be used
├── ServerUnavailable the Aloi server that was named gives no usable answer
├── ToolFailure       a tool could not do its work; the agent sees the message and may go on
└── StageFailure      invoking or grading failed; it becomes a `Failure` value in the case's result
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


class Stale(Conflict):
    """What the caller wants to change was changed by somebody else since it was read."""


class NotSignedIn(AloiError):
    """No credentials, or credentials that are not right, expired or revoked. The message does not say which."""


class NotPermitted(AloiError):
    """Rights or settings forbid what was asked."""


class GateRefused(AloiError):
    """The gate does not let a version become active."""


class TooMany(AloiError):
    """Asked too often.

    Args:
        message: what was asked too often, and what to do.
        retry_after: seconds until it may be asked again.
    """

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[object, ...]:
        """So that it can be copied and sent to another process."""
        return (self.__class__, (str(self), self.retry_after))


class TooLarge(AloiError):
    """A body, a file or a text over the operator's limit; the message names the limit."""


class StoreUnavailable(AloiError):
    """The database cannot be used: the system failed, not the caller. The message says how to mend it."""


class FilesUnavailable(AloiError):
    """Where attachments are stored cannot be used: the system failed, not the caller. The message says what to mend."""


class ServerUnavailable(AloiError):
    """The Aloi server that was named gives no usable answer: the system failed, not the caller."""


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


def reason_of(error: Exception) -> str:
    """What an error says to people; of one that is not ours, what kind it is too."""
    return str(error) if isinstance(error, AloiError) else f"{type(error).__name__}: {error}"
