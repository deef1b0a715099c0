"""Tokens, calls and cost. What is not known is null, never 0."""

from datetime import date
from typing import Literal, TypeVar

from aloi.core.spec import Value

# Who asked a model: what is evaluated, or who grades it.
Side = Literal["target", "judge"]
Number = TypeVar("Number", int, float)
# No call uses as many; and a sum of millions of calls still fits into 64 bits.
MOST_TOKENS = 10**12


class Usage(Value):
    """What some model calls used.

    `input_tokens`, `output_tokens`: null when no call reported them. `cost`: US dollars of the priced calls, null
    when none was priced; `unpriced` says how many calls have no known price.
    """

    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    unpriced: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """The sum; a null counts as absent."""
        if other is NO_USAGE:  # most often one of them is
            return self
        if self is NO_USAGE:
            return other
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=add_known(self.input_tokens, other.input_tokens),
            output_tokens=add_known(self.output_tokens, other.output_tokens),
            cost=add_known(self.cost, other.cost),
            unpriced=self.unpriced + other.unpriced,
        )

    @property
    def tokens(self) -> int | None:
        """Input and output tokens together; null when neither is known."""
        return add_known(self.input_tokens, self.output_tokens)


NO_USAGE = Usage()


class DayUsage(Value):
    """What one side used on one day (UTC)."""

    day: date
    side: Side
    usage: Usage


class ModelUsage(Value):
    """What one side used of one model, `provider:model`; the name is an empty text where it is not known."""

    model: str
    side: Side
    usage: Usage


class UsageReport(Value):
    """What a workspace used from one day to another, both included: in all, by day, by model."""

    since: date
    until: date
    target: Usage
    judge: Usage
    days: tuple[DayUsage, ...]
    models: tuple[ModelUsage, ...]


def call_usage(input_tokens: int | None, output_tokens: int | None, cost: float | None) -> Usage:
    """What one model call used; a cost of null means that it has no known price."""
    return Usage(calls=1, input_tokens=input_tokens, output_tokens=output_tokens, cost=cost, unpriced=int(cost is None))


def known_tokens(reported: object) -> int | None:
    """A number of tokens as an endpoint reports it; null when it is no number that can be."""
    if not isinstance(reported, int) or isinstance(reported, bool):
        return None
    return reported if 0 <= reported <= MOST_TOKENS else None


def add_known(a: Number | None, b: Number | None) -> Number | None:
    """The sum of what is known; null when neither is."""
    if a is None:
        return b
    return a if b is None else a + b
