"""Faults that a use case found in what was sent, told as those that the framework finds: with a pointer for each."""

from collections.abc import AsyncGenerator

from fastapi import Depends
from fastapi.exceptions import RequestValidationError

from aloi.core.misfit import Misfit


async def _pointed() -> AsyncGenerator[None]:
    try:
        yield
    except Misfit as misfit:
        raise RequestValidationError(
            [
                {"type": "value_error", "loc": _loc(fault.pointer), "msg": fault.reason, "input": None}
                for fault in misfit.faults
            ]
        ) from misfit


def _loc(pointer: str) -> tuple[str, ...]:
    """The framework's form of a JSON pointer into the body, or of a place in words."""
    if pointer and not pointer.startswith("/"):
        return ("file", pointer)
    parts = pointer.split("/")[1:]
    return ("body", *(part.replace("~1", "/").replace("~0", "~") for part in parts))


# A router of routes whose use cases check what they are sent takes this among its dependencies.
Pointed = Depends(_pointed)
