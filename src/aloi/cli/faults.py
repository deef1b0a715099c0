"""Errors as people see them: one line, and an exit code."""

import os
import sys
import traceback
from typing import cast

from aloi.core.errors import (
    AloiError,
    Conflict,
    GateRefused,
    InvalidInput,
    NotFound,
    NotPermitted,
    NotSignedIn,
    TooLarge,
)

OK, REFUSED, USAGE, BROKEN, ENDED = 0, 1, 2, 3, 130
DEBUG = "ALOI_DEBUG"


def code_of(error: BaseException) -> int:
    """The exit code of an error: 1 a gate says no, 2 the caller can mend it, 3 everything else."""
    if isinstance(error, GateRefused):
        return REFUSED
    if isinstance(error, (InvalidInput, NotFound, Conflict, NotPermitted, NotSignedIn, TooLarge)):
        return USAGE
    return BROKEN


def tell(error: BaseException) -> int:
    """Print an error on the standard error stream; returns its exit code. With ALOI_DEBUG=1 the traceback too."""
    cause = only_cause(error)
    if os.environ.get(DEBUG, "0") not in ("", "0"):
        traceback.print_exception(error)
    print(f"Error: {line_of(cause)}", file=sys.stderr)
    return code_of(cause)


def only_cause(error: BaseException) -> BaseException:
    """The error inside groups of one."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    group = cast("BaseExceptionGroup[BaseException]", error)
    return only_cause(group.exceptions[0]) if len(group.exceptions) == 1 else group


def line_of(error: BaseException) -> str:
    """The error in one line; a faulty file has a line for each fault."""
    if isinstance(error, AloiError):
        said = str(error)
    elif isinstance(error, OSError) and error.strerror:
        said = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    else:
        said = f"unexpectedly, {type(error).__name__}: {error}. Set {DEBUG}=1 to see the traceback."
    return "".join(character if character.isprintable() or character == "\n" else " " for character in said)
