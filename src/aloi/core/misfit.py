"""Input that does not fit, with the place of each fault."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from aloi.core.errors import InvalidInput


class Misplaced(NamedTuple):
    """One fault: a JSON pointer to it (RFC 6901), or a place of a file in words, and the reason with the mend."""

    pointer: str
    reason: str


class Misfit(InvalidInput):
    """Input with faults at known places; the message tells of all of them."""

    def __init__(self, faults: Sequence[Misplaced]) -> None:
        super().__init__("; ".join(f"{fault.pointer}: {fault.reason}".removeprefix(": ") for fault in faults))
        self.faults = tuple(faults)

    def __reduce__(self) -> tuple[object, ...]:
        """So that it can be copied and sent to another process."""
        return (self.__class__, (self.faults,))


def pointer(path: Sequence[str | int]) -> str:
    """The JSON pointer of a path: `/evaluators/0/text`. What no encoding has is escaped."""
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in path)
    return "".join(f"/{part}" for part in parts).encode("utf-8", "backslashreplace").decode()


def place_in(given: object, place: Sequence[str | int]) -> tuple[str | int, ...]:
    """Where in what was given the place is that pydantic tells: without the names of the readings that it tried.

    `("simulations", "lookup", "static", "answers")` becomes `("simulations", "lookup", "answers")`. The last part may
    be a key that is missing.
    """
    kept: list[str | int] = []
    value = given
    for position, part in enumerate(place):
        is_last = position == len(place) - 1
        if isinstance(value, Mapping):
            mapping = cast(Mapping[object, object], value)
            if part in mapping or is_last:
                kept.append(part)
                value = mapping.get(part)
        elif isinstance(value, (list, tuple)):
            items = cast(Sequence[object], value)
            if isinstance(part, int) and part < len(items):
                kept.append(part)
                value = items[part]
    return tuple(kept)
