"""Sums of usage: what is not known is null, never 0."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.usage import NO_USAGE, Usage, add_known, call_usage, known_tokens

TOKENS = st.none() | st.integers(0, 10**9)
COSTS = st.none() | st.integers(0, 10**6).map(float)
USAGES = st.builds(
    Usage,
    calls=st.integers(0, 5),
    input_tokens=TOKENS,
    output_tokens=TOKENS,
    cost=COSTS,
    unpriced=st.integers(0, 5),
)


@pytest.mark.parametrize(
    ("a", "b", "total"), [(None, None, None), (None, 0, 0), (0, None, 0), (1, 2, 3), (None, 2, 2), (0.5, 0.25, 0.75)]
)
def test_the_sum_of_what_is_known(a: float | None, b: float | None, total: float | None) -> None:
    assert add_known(a, b) == total


def test_a_null_counts_as_absent() -> None:
    one = Usage(calls=1, input_tokens=10, unpriced=1)
    two = Usage(calls=2, input_tokens=5, output_tokens=3, cost=0.25)
    assert one + two == Usage(calls=3, input_tokens=15, output_tokens=3, cost=0.25, unpriced=1)


def test_tokens_are_kept_where_no_call_was_counted() -> None:
    told = Usage(input_tokens=5)
    assert told + Usage(calls=1) == Usage(calls=1) + told == Usage(calls=1, input_tokens=5)
    assert told + told == Usage(input_tokens=10)


def test_tokens_together() -> None:
    assert NO_USAGE.tokens is None
    assert Usage(input_tokens=0).tokens == 0
    assert Usage(input_tokens=2, output_tokens=3).tokens == 5


@given(USAGES)
def test_nothing_adds_nothing(usage: Usage) -> None:
    assert usage + NO_USAGE == NO_USAGE + usage == usage


@given(USAGES, USAGES, USAGES)
def test_the_order_does_not_count(a: Usage, b: Usage, c: Usage) -> None:
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


def test_one_call_without_a_known_price() -> None:
    assert call_usage(3, 1, 0.5) == Usage(calls=1, input_tokens=3, output_tokens=1, cost=0.5)
    assert call_usage(None, None, None) == Usage(calls=1, unpriced=1)


NUMBERS = (0, 7, 10**12)
NONE = (10**12 + 1, 10**30, -1, True, "7", 7.0, None)


@pytest.mark.parametrize(("reported", "known"), [*zip(NUMBERS, NUMBERS, strict=True), *((odd, None) for odd in NONE)])
def test_what_an_endpoint_reports_may_be_no_number_of_tokens(reported: object, known: int | None) -> None:
    assert known_tokens(reported) == known
