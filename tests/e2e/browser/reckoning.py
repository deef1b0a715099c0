"""What the page of a run must show, reckoned from its results alone, by formulas written out once more."""

import math
from collections import Counter
from math import comb
from statistics import fmean
from typing import Any, NamedTuple

from tests.e2e.browser.making import RUNS, Making

Json = dict[str, Any]
Z = 1.959963984540054


class Expected(NamedTuple):
    """What the rows amount to."""

    passed: int
    failed: int
    errors: int
    low: float
    high: float
    noisy: bool
    judged: int
    disagreed: int
    mean_score: float
    latency: float
    target_tokens: int
    target_calls: int
    judge_tokens: int
    judge_calls: int


def reckoned(results: list[Json]) -> Expected:
    """From the full results, one by one."""
    verdicts = Counter(result["verdict"] for result in results)
    decided = verdicts["pass"] + verdicts["fail"]
    noise = sum(variance(result) for result in results if result["verdict"] != "error") / decided**2
    low, high = interval(verdicts["pass"], decided, noise)
    judged = [result for result in results if any(score["samples"] for score in result["scores"])]
    answered = [result["outcome"] for result in results if result["outcome"]["failure"] is None]
    used = [result["outcome"]["usage"] for result in results]
    judging = [score["usage"] for result in results for score in result["scores"]]
    return Expected(
        passed=verdicts["pass"],
        failed=verdicts["fail"],
        errors=verdicts["error"],
        low=low,
        high=high,
        noisy=noise > 0,
        judged=len(judged),
        disagreed=sum(any(score["disagreed"] for score in result["scores"]) for result in judged),
        mean_score=fmean(result["score"] for result in results if result["score"] is not None),
        latency=fmean(outcome["latency"] for outcome in answered),
        target_tokens=sum(tokens(usage) for usage in used),
        target_calls=sum(usage["calls"] for usage in used),
        judge_tokens=sum(tokens(usage) for usage in judging),
        judge_calls=sum(usage["calls"] for usage in judging),
    )


def variance(result: Json) -> float:
    """w = r(1-r), r = P(Bin(k, m) > k/2), of the case's judge."""
    votes = [[sample["passed"] for sample in score["samples"]] for score in result["scores"] if score["samples"]]
    found = 0.0
    for ballot in votes:
        k, m = len(ballot), sum(ballot) / len(ballot)
        r = sum(comb(k, j) * m**j * (1 - m) ** (k - j) for j in range(k // 2 + 1, k + 1))
        found = max(found, r * (1 - r))
    return found


def interval(passed: int, decided: int, noise: float) -> tuple[float, float]:
    """Wilson's, widened by the judge's noise."""
    p = passed / decided
    d = 1 + Z**2 / decided
    centre = (p + Z**2 / (2 * decided)) / d
    half = Z / d * math.sqrt(p * (1 - p) / decided + Z**2 / (4 * decided**2) + noise * d)
    return max(0.0, centre - half), min(1.0, centre + half)


def tokens(usage: Json) -> int:
    return (usage["input_tokens"] or 0) + (usage["output_tokens"] or 0)


def percent(share: float) -> int:
    return math.floor(share * 100 + 0.5)


def every_result(making: Making, run: str) -> list[Json]:
    """The results in full, as the export gives them."""
    exported: Json = making.get(f"{RUNS}/{run}/export?format=json")
    return exported["results"]
