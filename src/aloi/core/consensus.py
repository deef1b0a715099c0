"""One score from a judge's samples."""

from collections.abc import Sequence
from statistics import mean

from aloi.core.score import JudgeSample, Score, Verdict
from aloi.core.usage import NO_USAGE, Usage


def consensus(samples: Sequence[JudgeSample], threshold: float | None, usage: Usage = NO_USAGE) -> Score:
    """Verdict by majority of the samples (tie = fail, even against the mean), value by their mean, every sample kept.

    The mean is exact before it is rounded, so equal values give just that value.

    Args:
        samples: at least one; all usable, values in [0,1].
        threshold: shown beside the value; it was applied to each sample already. Null where none applies.
        usage: what the judge's calls used together.

    Raises:
        ValueError: there is no sample.
    """
    if not samples:
        raise ValueError("a consensus needs at least one judge sample")
    passing = sum(sample.passed for sample in samples)
    majority = 2 * passing > len(samples)
    return Score(
        value=samples[0].value if len(samples) == 1 else mean(sample.value for sample in samples),
        verdict=Verdict.PASS if majority else Verdict.FAIL,
        explanation=_explanation(samples, majority, passing),
        threshold=threshold,
        details=samples[0].details if len(samples) == 1 else None,
        samples=tuple(samples),
        disagreed=0 < passing < len(samples),
        usage=usage,
    )


def _explanation(samples: Sequence[JudgeSample], majority: bool, passing: int) -> str:
    """The reasoning of the first sample on the winning side, with the count when there are several."""
    speaking = next(sample for sample in samples if sample.passed == majority)
    reasoning = speaking.reasoning.strip() or "the judge gave no reasoning"
    if len(samples) == 1:
        return reasoning
    tie = ", and a tie fails" if 2 * passing == len(samples) else ""
    return f"{passing} of {len(samples)} judge samples pass{tie}: {reasoning}"
