"""A run's numbers in words, the same on every surface."""

import math

from aloi.core.statistics import Interval, cases_for_half_width
from aloi.core.summary import Summary
from aloi.core.usage import Usage

NARROW = 0.1


def percent(share: float) -> str:
    """A share as a whole percent, rounded to nearest."""
    return f"{whole_percent(share)}%"


def whole_percent(share: float) -> int:
    """A share in whole percents, halves upwards. 29/200 is a half (14.5 %), though its float lies just below."""
    return math.floor(round(share * 100, 9) + 0.5)


def interval_text(interval: Interval, judge_noise: bool = False) -> str:
    """`95% CI 44–100%`, with "incl. judge noise" when so."""
    noise = " incl. judge noise" if judge_noise else ""
    return f"95% CI{noise} {whole_percent(interval.low)}–{whole_percent(interval.high)}%"


def count(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def headline(summary: Summary) -> str:
    """`7/9 passed (95% CI 45–94%), 1 error`; the rate is named when trials make it differ from the quotient."""
    errors = f", {count(summary.errors, 'error')}" if summary.errors else ""
    if summary.rate is None:
        return f"no decided case{errors}"
    unit = " trials" if summary.trials > 1 else ""
    rate = f", mean case rate {percent(summary.rate)}" if summary.trials > 1 else ""
    interval = interval_text(summary.interval, summary.judge_noise)
    return f"{summary.passed}/{summary.decided}{unit} passed{rate} ({interval}){errors}"


def meaning(summary: Summary) -> str:
    """What the run cannot rule out, and how many more cases would narrow that, in one or two sentences."""
    if summary.rate is None:
        return "Nothing was decided, so nothing can be said of the pass rate."
    said = _possible(summary)
    needed = cases_for_half_width(NARROW, summary.rate) - summary.decided
    if summary.trials > 1 or needed <= 0:
        return said
    return f"{said} About {count(needed, 'more case')} would narrow that to ±{whole_percent(NARROW)} points."


def _possible(summary: Summary) -> str:
    """Between which rates the true one may lie; where every case ended alike, only one end is open."""
    low, high = percent(summary.interval.low), percent(summary.interval.high)
    confidence = f"(95% confidence{', judge noise included' if summary.judge_noise else ''})"
    decided = " that were decided" if summary.errors else ""
    if not summary.failed:
        return f"All{decided} passed, yet the true pass rate could be as low as {low} {confidence}."
    if not summary.passed:
        return f"None{decided} passed, yet the true pass rate could be as high as {high} {confidence}."
    return f"The true pass rate could be as low as {low} or as high as {high} {confidence}."


def money(dollars: float) -> str:
    """`$0`, `under $0.0001`, `$0.0123`, `$12.34`."""
    if dollars == 0:
        return "$0"
    if dollars < 0.0001:
        return "under $0.0001"
    return f"${dollars:.4f}" if dollars < 1 else f"${dollars:,.2f}"


def tokens_text(usage: Usage) -> str:
    """`1,234 tokens in 5 calls (1,000 in, 234 out)`; says so where no call reported them."""
    calls = count(usage.calls, "call")
    if usage.tokens is None:
        return f"tokens unknown in {calls}"
    return f"{usage.tokens:,} tokens in {calls} ({usage.input_tokens or 0:,} in, {usage.output_tokens or 0:,} out)"


def cost_text(usage: Usage) -> str:
    """`$0.0123`, `unknown`, or `at least $0.0123` where some calls have no known price."""
    if usage.cost is None:
        return "unknown"
    if usage.unpriced:
        return f"at least {money(usage.cost)} ({usage.unpriced} of {count(usage.calls, 'call')} without a known price)"
    return money(usage.cost)
