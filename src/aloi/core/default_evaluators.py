"""The evaluators that a target begins with."""

from collections.abc import Collection
from typing import NamedTuple

from aloi.core.access import NAME_LENGTH
from aloi.core.spec import JsonObject


class DefaultEvaluator(NamedTuple):
    """One of them: its spec, which names its kind, and what it says of an answer, in words."""

    spec: JsonObject
    description: str

    @property
    def kind(self) -> str:
        """Its kind."""
        return str(self.spec["kind"])


# The first of them is bound to the target's first dataset. What they expect is each case's own.
DEFAULT_EVALUATORS = (
    DefaultEvaluator(
        {"kind": "output_judge", "threshold": 0.7},
        "A judge says whether the answer means the same as the case's expected output.",
    ),
    DefaultEvaluator(
        {"kind": "trajectory_judge", "threshold": 0.7},
        "A judge says whether the path to the answer followed the case's expected behaviour.",
    ),
    DefaultEvaluator(
        {"kind": "exact_match"},
        "The answer equals the case's expected output.",
    ),
    DefaultEvaluator(
        {"kind": "json_similarity", "threshold": 0.9},
        "The answer, read as JSON, is nearly the case's expected output, field by field.",
    ),
    DefaultEvaluator(
        {"kind": "tool_call_order", "mode": "subsequence", "threshold": 1.0},
        "The tools were called in the order that the case's criteria name; others may stand between.",
    ),
)


def free_name(start: str, target: str, end: str, taken: Collection[str]) -> str:
    """A name that says the target's and is not taken: `start target end`, numbered where it is, at most 200 long.

    The target's name is cut where all of it does not fit.
    """
    number, mark = 1, ""
    while True:
        room = NAME_LENGTH - len(start) - len(end) - len(mark)
        name = f"{start}{target if len(target) <= room else target[: room - 1] + '…'}{end}{mark}"
        if name not in taken:
            return name
        number += 1
        mark = f" {number}"
