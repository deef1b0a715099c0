"""One score from a judge's samples: majority, ties, mean, disagreement."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.consensus import consensus
from aloi.core.score import JudgeSample, Verdict
from aloi.core.usage import Usage

THRESHOLD = 0.5
VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=5)


def samples(*values: float, threshold: float = THRESHOLD) -> list[JudgeSample]:
    """Samples of these values, with the threshold applied to each."""
    return [JudgeSample(value=value, passed=value >= threshold, reasoning=f"because {value:.1f}") for value in values]


@pytest.mark.parametrize(
    ("values", "verdict", "value", "disagreed"),
    [
        ((0.5,), Verdict.PASS, 0.5, False),
        ((0.49,), Verdict.FAIL, 0.49, False),
        ((1, 0), Verdict.FAIL, 0.5, True),
        ((1, 1, 0, 0), Verdict.FAIL, 0.5, True),
        ((1, 1, 1, 0), Verdict.PASS, 0.75, True),
        ((0.9, 0.9, 0.9), Verdict.PASS, 0.9, False),
        ((0, 0, 0), Verdict.FAIL, 0, False),
        # The majority decides, even against the mean.
        ((1, 0.4, 0.4), Verdict.FAIL, 0.6, True),
        ((0, 0.5, 0.5), Verdict.PASS, 1 / 3, True),
        ((0.6, 0.5, 0.5, 0, 0), Verdict.PASS, 0.32, True),
    ],
)
def test_verdict_by_majority_and_value_by_mean(
    values: tuple[float, ...], verdict: Verdict, value: float, disagreed: bool
) -> None:
    score = consensus(samples(*values), THRESHOLD)
    assert (score.verdict, score.disagreed, score.threshold) == (verdict, disagreed, THRESHOLD)
    assert score.value == pytest.approx(value, abs=1e-15)


@given(st.floats(0, 1), st.integers(1, 5))
def test_equal_values_give_just_that_value(value: float, count: int) -> None:
    assert consensus(samples(*[value] * count), THRESHOLD).value == value


def test_all_samples_and_the_usage_are_kept() -> None:
    given_samples, usage = samples(1, 0, 1), Usage(calls=3, input_tokens=9)
    score = consensus(given_samples, None, usage)
    assert score.samples == tuple(given_samples)
    assert score.usage == usage
    assert score.threshold is None


@pytest.mark.parametrize(
    ("values", "explanation"),
    [
        ((1,), "because 1.0"),
        ((0, 1, 0.9), "2 of 3 judge samples pass: because 1.0"),
        ((1, 0, 0.1), "1 of 3 judge samples pass: because 0.0"),
        ((1, 0), "1 of 2 judge samples pass, and a tie fails: because 0.0"),
    ],
)
def test_the_explanation_is_a_reasoning_of_the_winning_side(values: tuple[float, ...], explanation: str) -> None:
    assert consensus(samples(*values), THRESHOLD).explanation == explanation


def test_an_explanation_is_never_empty() -> None:
    silent = JudgeSample(value=1, passed=True, reasoning=" ")
    assert consensus([silent], None).explanation == "the judge gave no reasoning"


def test_details_of_a_single_sample_are_the_scores() -> None:
    one = JudgeSample(value=1, passed=True, reasoning="r", details={"overall": True})
    assert consensus([one], None).details == {"overall": True}
    several = consensus([one, one], None)
    assert several.details is None
    assert several.samples[1].details == {"overall": True}


def test_no_sample_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one judge sample"):
        consensus([], None)


@given(VALUES)
def test_the_value_is_a_mean_and_disagreement_is_seen(values: list[float]) -> None:
    given_samples = samples(*values)
    score = consensus(given_samples, THRESHOLD)
    assert score.value is not None
    assert 0 <= score.value <= 1
    assert min(values) <= score.value <= max(values)
    assert score.disagreed == (len({sample.passed for sample in given_samples}) > 1)
    assert score.verdict is not Verdict.ERROR


@given(VALUES, st.data())
def test_a_better_sample_never_makes_it_worse(values: list[float], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(values) - 1))
    better = [*values]
    better[index] = data.draw(st.floats(values[index], 1))
    before, after = consensus(samples(*values), THRESHOLD), consensus(samples(*better), THRESHOLD)
    assert before.value is not None
    assert after.value is not None
    assert after.value >= before.value
    assert (before.verdict, after.verdict) != (Verdict.PASS, Verdict.FAIL)


@given(VALUES, st.randoms())
def test_the_order_does_not_matter(values: list[float], random: Random) -> None:
    shuffled = [*values]
    random.shuffle(shuffled)
    before, after = consensus(samples(*values), THRESHOLD), consensus(samples(*shuffled), THRESHOLD)
    assert (before.value, before.verdict, before.disagreed) == (after.value, after.verdict, after.disagreed)
