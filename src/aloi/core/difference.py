"""Where two JSON values are not equal, in words."""

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice, zip_longest
from typing import NamedTuple

from pydantic import JsonValue

from aloi.core.json_values import json_equal, shortened
from aloi.core.paths import ROOT, child

SHOWN = 3
# Of two longer texts only the place where they part is shown, with so much before it.
LONG = 100
BEFORE = 30


class Nothing(Enum):
    """Stands where there is no value at all, which is not the same as null."""

    NOTHING = "nothing"


NOTHING = Nothing.NOTHING
Found = JsonValue | Nothing


class Difference(NamedTuple):
    """One place where the actual value is not the expected one."""

    path: str
    expected: Found
    actual: Found

    def __str__(self) -> str:
        """`at $.items[2].name: expected "a", got "b"`; long texts from where they part."""
        expected, actual, where = self.expected, self.actual, self.path
        if isinstance(expected, str) and isinstance(actual, str) and max(len(expected), len(actual)) > LONG:
            parting = _parting(expected, actual)
            where = f"{where}, character {parting + 1}"
            expected, actual = (_from(text, parting - BEFORE) for text in (expected, actual))
        return f"at {where}: expected {_words(expected)}, got {_words(actual)}"


def _words(value: Found) -> str:
    return value.value if isinstance(value, Nothing) else shortened(value, 2 * LONG)


def _from(text: str, start: int) -> str:
    return text if start <= 0 else f"…{text[start:]}"


def _parting(a: str, b: str) -> int:
    """How many characters two texts have in common at their start, by halving."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def differences(
    expected: JsonValue, actual: JsonValue, ignore_case: bool = False, path: str = ROOT
) -> Iterator[Difference]:
    """Each place where the actual value is not the expected one, as `json_equal` sees it."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        keys: Iterable[str] = {**expected, **actual}
        for key in keys:
            wanted, got = expected.get(key, NOTHING), actual.get(key, NOTHING)
            yield from _members(wanted, got, ignore_case, child(path, key))
    elif isinstance(expected, list) and isinstance(actual, list):
        for index, (wanted, got) in enumerate(zip_longest(expected, actual, fillvalue=NOTHING)):
            yield from _members(wanted, got, ignore_case, child(path, index))
    elif not json_equal(expected, actual, ignore_case):
        yield Difference(path, expected, actual)


def _members(expected: Found, actual: Found, ignore_case: bool, path: str) -> Iterator[Difference]:
    if isinstance(expected, Nothing) or isinstance(actual, Nothing):
        yield Difference(path, expected, actual)
    else:
        yield from differences(expected, actual, ignore_case, path)


def listed(parts: Iterable[Difference] | Iterable[str], shown: int = SHOWN) -> str:
    """The first parts as one text, joined by `; `, and `…` where there are more."""
    first = [str(part) for part in islice(parts, shown + 1)]
    return "; ".join(first[:shown]) + ("; …" if len(first) > shown else "")
