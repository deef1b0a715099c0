"""The kind `json_similarity`."""

import asyncio
from collections.abc import Awaitable
from typing import ClassVar

from pydantic import Field, JsonValue, field_validator
from rapidfuzz.distance import Levenshtein

from aloi.core.difference import listed
from aloi.core.evaluator import EvaluationContext
from aloi.core.expectation import ExpectingEvaluator, comparable
from aloi.core.json_values import json_equal, text_of
from aloi.core.paths import JsonPath, selects_root, without
from aloi.core.score import Score, scored
from aloi.core.similarity import Comparer, Similarity

# Characters of expected times actual text, ordered and unordered, up to which the comparison takes some milliseconds.
LIGHT = 1_000_000
LIGHT_UNORDERED = 10_000
# Longer texts are compared piece by piece: the edit distance of two texts costs the product of their lengths.
PIECE = 20_000
SHOWN = 5


class JsonSimilarity(ExpectingEvaluator):
    """Score how alike the output and the expected JSON are, leaf by leaf.

    The value is the sum of the leaf similarities over the number of expected leaves. Numbers: 1 - |e - a| / |e|, at
    least 0, and for e = 0 only 0 is alike. Texts: 1 - edit distance / length of the longer one. Booleans and nulls:
    equal or not. A part of another type, or missing, scores 0 for each of its leaves. An empty object or list has no
    leaves; where nothing expected has any, the value is 1 if the output equals it, else 0.
    """

    kind: ClassVar[str] = "json_similarity"
    threshold: float = Field(default=0.9, ge=0, le=1, description="The least value that passes.")
    ignore: tuple[JsonPath, ...] = Field(
        default=(), description="JSONPaths (RFC 9535) of parts to leave out on both sides, e.g. $.items[*].id"
    )
    unordered: bool = Field(default=False, description="Pair list items as is best, whatever their order.")
    penalise_extra: bool = Field(default=False, description="Count leaves that are not expected as wrong ones.")

    @field_validator("ignore")
    @classmethod
    def _leaves_something(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        for path in paths:
            if selects_root(path):
                raise ValueError(f"to ignore {path!r} would leave nothing to compare; name a part, e.g. $.id")
        return paths

    def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score | Awaitable[Score]:
        expected = self.expectation(ctx)
        actual = comparable(expected, output)
        work = len(text_of(expected)) * len(text_of(actual))
        if work > (LIGHT_UNORDERED if self.unordered else LIGHT):
            return asyncio.to_thread(self._compare, expected, actual)
        return self._compare(expected, actual)

    def without_part(self, explanation: str) -> Score:
        return scored(0.0, self.threshold, explanation)

    def _compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        expected, actual = without(expected, self.ignore), without(actual, self.ignore)
        found = Comparer(text_similarity, self.unordered).compare(expected, actual, self.target_path or "$")
        if found.leaves == 0:
            equal = json_equal(expected, actual)
            says = "equals" if equal else "does not equal"
            explanation = f"the output {says} the expected value, which has no leaves: {text_of(expected)}"
            return scored(1.0 if equal else 0.0, self.threshold, explanation)
        extra = found.extra if self.penalise_extra else 0
        return scored(found.total / (found.leaves + extra), self.threshold, _explanation(found, extra))


def _explanation(found: Similarity, extra: int) -> str:
    unexpected = f" and {extra} unexpected" if extra else ""
    summary = f"{found.total:.4g} of {found.leaves} expected{unexpected} leaves alike"
    rough = " (a list is too long for the best assignment: equal items paired first)" if found.approximate else ""
    differing = f"; {listed(found.differences, SHOWN)}" if found.differences else ""
    return f"{summary}{rough}{differing}"


def text_similarity(expected: str, actual: str) -> float:
    """1 - Levenshtein distance / length of the longer text; 1 for two empty ones.

    Very long texts are cut into pieces of 20,000 characters, which never makes them more alike than they are.
    """
    longer = max(len(expected), len(actual))
    if longer == 0 or expected == actual:
        return 1.0
    step = PIECE if longer > 5 * PIECE else longer
    pieces = ((expected[at : at + step], actual[at : at + step]) for at in range(0, longer, step))
    return 1 - sum(Levenshtein.distance(a, b) for a, b in pieces) / longer
