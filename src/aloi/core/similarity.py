"""How alike two JSON values are, leaf by leaf.

A leaf is a text, a number, a boolean or a null; objects and lists are the tree above them, and an empty one has none.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from pydantic import JsonValue

from aloi.core.difference import NOTHING, Difference
from aloi.core.json_values import fold, json_equal
from aloi.core.matching import best_assignment
from aloi.core.paths import ROOT, child

# A best assignment compares every leaf with every leaf; beyond this many pairs (500 x 500) it would take too long.
MAX_PAIRS = 250_000
NOTED = 20
# What all ties in a list weigh together: far less than any difference between leaves.
TIE = 1e-9

TextSimilarity = Callable[[str, str], float]


@dataclass
class Similarity:
    """What a comparison found: the sum of leaf similarities, the expected leaves, leaves found beyond them.

    `differences` are the places where leaves are not alike, the first few alone. `approximate` is true when a list was
    too long for the best assignment, so that `total` may be lower than the best one, never higher.
    """

    total: float = 0.0
    leaves: int = 0
    extra: int = 0
    differences: list[Difference] = field(default_factory=list[Difference])
    approximate: bool = False

    def add(self, part: "Similarity") -> None:
        """Take in a part of the tree."""
        self.total += part.total
        self.leaves += part.leaves
        self.extra += part.extra
        self.differences.extend(part.differences[: NOTED - len(self.differences)])
        self.approximate |= part.approximate


def number_similarity(expected: float, actual: float) -> float:
    """max(0, 1 - |e - a| / |e|); for e = 0: 1 iff a = 0. Values beyond the range of floats are alike iff equal."""
    if expected == actual:
        return 1.0
    if expected == 0:
        return 0.0
    try:
        apart = abs(expected - actual) / abs(expected)
    except OverflowError:
        return 0.0
    return 1 - apart if apart < 1 else 0.0


@dataclass(frozen=True)
class Comparer:
    """Compares values, in one way.

    Args:
        text_similarity: of two texts in NFC, in [0,1].
        unordered: pair list items by the best assignment, not by index.
    """

    text_similarity: TextSimilarity
    unordered: bool = False

    def compare(self, expected: JsonValue, actual: JsonValue, path: str = ROOT) -> Similarity:
        """The similarity of two values. Where the types differ, every leaf of the expected part scores 0."""
        if isinstance(expected, dict) and isinstance(actual, dict):
            return self._objects(expected, actual, path)
        if isinstance(expected, list) and isinstance(actual, list):
            return self._lists(expected, actual, path)
        if isinstance(expected, (dict, list)):
            return Similarity(0.0, count_leaves(expected), count_leaves(actual), [Difference(path, expected, actual)])
        extra = count_leaves(actual) if isinstance(actual, (dict, list)) else 0
        value = self._leaves(expected, actual)
        return Similarity(value, 1, extra, [] if value == 1 else [Difference(path, expected, actual)])

    def _leaves(self, expected: JsonValue, actual: JsonValue) -> float:
        if isinstance(expected, str) and isinstance(actual, str):
            return self.text_similarity(fold(expected), fold(actual))
        if is_number(expected) and is_number(actual):
            return number_similarity(expected, actual)
        return 1.0 if json_equal(expected, actual) else 0.0

    def _objects(self, expected: dict[str, JsonValue], actual: dict[str, JsonValue], path: str) -> Similarity:
        found = Similarity()
        for key, value in expected.items():
            at = child(path, key)
            found.add(self.compare(value, actual[key], at) if key in actual else _absent(value, at))
        found.extra += sum(count_leaves(value) for key, value in actual.items() if key not in expected)
        return found

    def _lists(self, expected: list[JsonValue], actual: list[JsonValue], path: str) -> Similarity:
        found = Similarity()
        if not self.unordered:
            pairs: list[int | None] = [i if i < len(actual) else None for i in range(len(expected))]
        elif count_leaves(expected) * count_leaves(actual) <= MAX_PAIRS:
            parts = [[self.compare(e, a, child(path, i)) for a in actual] for i, e in enumerate(expected)]
            return _gathered(parts, expected, actual, path)
        else:
            pairs = _quick_pairs(expected, actual)
            found.approximate = True
        for index, (value, other) in enumerate(zip(expected, pairs, strict=True)):
            at = child(path, index)
            found.add(_absent(value, at) if other is None else self.compare(value, actual[other], at))
        found.extra += _unpaired(actual, pairs)
        return found


def _gathered(
    parts: Sequence[Sequence[Similarity]], expected: list[JsonValue], actual: list[JsonValue], path: str
) -> Similarity:
    """The parts of the best assignment, given those of all pairs.

    Of assignments that are equally alike, the one that leaves the fewest leaves over: so no order decides anything.
    """
    found = Similarity()
    leaves = [count_leaves(value) for value in actual]
    tie = TIE / (1 + sum(leaves))
    pairs = best_assignment(
        [[p.total + tie * (n - p.extra) for p, n in zip(row, leaves, strict=True)] for row in parts]
    )
    for index, other in enumerate(pairs):
        found.add(_absent(expected[index], child(path, index)) if other is None else parts[index][other])
    found.extra += _unpaired(actual, pairs)
    return found


def _unpaired(actual: list[JsonValue], pairs: Sequence[int | None]) -> int:
    taken = set(pairs)
    return sum(count_leaves(value) for index, value in enumerate(actual) if index not in taken)


def _quick_pairs(expected: list[JsonValue], actual: list[JsonValue]) -> list[int | None]:
    """Equal items go together, the others in order: quick at any length, and no better than the best assignment."""
    places: dict[str, list[int]] = defaultdict(list)
    for index in reversed(range(len(actual))):
        places[_identity(actual[index])].append(index)
    pairs = [places[key].pop() if places.get(key := _identity(value)) else None for value in expected]
    taken = set(pairs)
    left = (index for index in range(len(actual)) if index not in taken)
    return [next(left, None) if other is None else other for other in pairs]


def _identity(value: JsonValue) -> str:
    return json.dumps(value, sort_keys=True)


def is_number(value: JsonValue) -> TypeGuard[int | float]:
    """Whether a value is a JSON number; a boolean is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _absent(expected: JsonValue, path: str) -> Similarity:
    return Similarity(0.0, count_leaves(expected), 0, [Difference(path, expected, NOTHING)])


def count_leaves(value: JsonValue) -> int:
    """How many leaves a value has; an empty object or list has none."""
    if isinstance(value, dict):
        return sum(count_leaves(item) for item in value.values())
    if isinstance(value, list):
        return sum(count_leaves(item) for item in value)
    return 1
