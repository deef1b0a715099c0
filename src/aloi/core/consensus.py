"""One score from a judge's samples."""

from collections.abc import Sequence

from aloi.core.score import JudgeSample, Score, Verdict
from aloi.core.usage import NO_USAGE, Usage


def consensus(samples: Sequence[JudgeSample], threshold: float | None, usage: Usage = NO_USAGE) -> Score:
    """Verdict by majority of the samples (tie = fail, even against the mean), value by their mean, every sample kept.

    Args:
        samples: at least one; all usable.
        threshold: shown beside the value; it was applied to each sample already. Null where none applies.
        usage: what the judge's calls used together.
    """
    passing = sum(sample.passed for sample in samples)
    majority = 2 * passing > len(samples)
    disagreed = 0 < passing < len(samples)
    return Score(
        value=min(1.0, sum(sample.value for sample in samples) / len(samples)),
        verdict=Verdict.PASS if majority else Verdict.FAIL,
        explanation=_explanation(samples, majority, passing),
        threshold=threshold,
        details=samples[0].details if len(samples) == 1 else None,
        samples=tuple(samples),
        disagreed=disagreed,
        usage=usage,
    )


def _explanation(samples: Sequence[JudgeSample], majority: bool, passing: int) -> str:
    """The reasoning of the first sample on the winning side, with the count when there are several."""
    speaking = next((sample for sample in samples if sample.passed == majority), samples[0])
    if len(samples) == 1:
        return speaking.reasoning
    return f"{passing} of {len(samples)} judge samples pass: {speaking.reasoning}"
