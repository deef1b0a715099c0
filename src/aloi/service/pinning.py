"""Targets that name other targets: what they name is written into them when they are saved."""

from typing import TypeVar

from aloi.core.errors import InvalidInput, NotFound
from aloi.core.target import PinnedTarget, Target
from aloi.service.context import Context
from aloi.store import targets as stored
from aloi.store.connection import Connection

T = TypeVar("T", bound=Target)


async def pinned(context: Context, target: T) -> T:
    """The same target with the versions that it names (`NAME@3`, or `NAME` for the active one) written into it.

    Raises:
        InvalidInput: there is no such target or version, it cannot be used there, or what is written into the
            definition under its name already is not it.
    """
    named, written = target.references(), target.pins()
    if not named and not written:
        return target
    async with context.database.read() as rx:
        for pin in written:
            await _check(rx, pin)
        return target.pinned({reference: await _found(rx, reference) for reference in named})


async def _check(rx: Connection, pin: PinnedTarget) -> None:
    """See that a pin says what the version is that it names; one that is not there (any more, or not here) may stay."""
    try:
        version = await stored.version(rx, pin.name, pin.number)
    except NotFound:
        return
    if version.definition != pin.definition:
        reference = f"{pin.name}@{pin.number}"
        raise InvalidInput(
            f"what is pinned as {reference} is not that version; leave `pinned` out, and it is written in"
        )


async def _found(rx: Connection, reference: str) -> PinnedTarget:
    name, at, number = reference.rpartition("@")
    try:
        if at and number.isdecimal():
            version = await stored.version(rx, name, int(number))
        else:
            version = await stored.version(rx, reference)
    except NotFound as absent:
        raise InvalidInput(f"the definition names {reference!r}, which is not there: {absent}") from absent
    return PinnedTarget(name=version.target_name, number=version.number, definition=version.definition)
