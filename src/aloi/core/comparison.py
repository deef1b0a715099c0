"""Run A (the baseline) against run B, matched by case key, trial by trial."""

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from aloi.core.result import ResultRow
from aloi.core.score import Verdict
from aloi.core.spec import Value
from aloi.core.statistics import (
    Interval,
    McNemar,
    PairedT,
    mcnemar,
    mean_defined,
    paired_difference,
    paired_t,
)

T = TypeVar("T")

MIN_CHANGES = 5
SIGNIFICANT = 0.05


class Change(StrEnum):
    """What became of a pair of results."""

    WORSE = "worse"
    ERROR = "error"
    BETTER = "better"
    UNCHANGED = "unchanged"
    NOT_COMPARABLE = "not_comparable"


class Pair(Value):
    """One case and trial in both runs. `may_be_noise`: the verdict changed where a judge disagreed on either side."""

    case_key: str
    trial: int
    change: Change
    a: Verdict
    b: Verdict
    score_a: float | None
    score_b: float | None
    may_be_noise: bool = False
    why: str | None = None


class ConfigurationDifference(Value):
    """One thing that differs between the two runs' configurations."""

    what: str
    a: str
    b: str


class Figures(Value):
    """The numbers over the `compared` pairs, those decided on both sides.

    `better` and `worse` changed their verdict. `difference` is (better - worse)/compared in rates, null when nothing
    can be compared, with its paired interval. Trials of one case are not independent, so `test` and `scores` take the
    case as the unit: `test` is McNemar's of the `cases_better`, which passed more often in B, and the `cases_worse`;
    `scores` is the paired t of the cases' mean score differences. With one trial these are the pairs themselves.
    """

    compared: int
    better: int
    worse: int
    cases_better: int
    cases_worse: int
    difference: float | None
    interval: Interval
    judge_noise: bool
    test: McNemar
    scores: PairedT | None


class Comparison(Value):
    """What changed from A to B. `pairs` has worse first, then newly in error, better, not comparable, unchanged.

    `titles`: what people call the first of those cases, by key: a name, or the beginning of the input.
    """

    run_a: str
    run_b: str
    configuration: tuple[ConfigurationDifference, ...] = ()
    figures: Figures
    newly_in_error: int
    pairs: tuple[Pair, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    titles: dict[str, str] = {}


Key = tuple[str, int]
ORDER = (Change.WORSE, Change.ERROR, Change.BETTER, Change.NOT_COMPARABLE, Change.UNCHANGED)


def compare(
    run_a: str,
    run_b: str,
    rows_a: Iterable[ResultRow],
    rows_b: Iterable[ResultRow],
    configuration: tuple[ConfigurationDifference, ...] = (),
) -> Comparison:
    """Compare the rows of two runs; `run_a` and `run_b` are their ids."""
    a, b = _keyed(rows_a), _keyed(rows_b)
    shared = [key for key in a if key in b]
    matched = sorted((_pair(a[key], b[key]) for key in shared), key=lambda pair: ORDER.index(pair.change))
    decided = [key for key in shared if _decided(a[key], b[key])]
    return Comparison(
        run_a=run_a,
        run_b=run_b,
        configuration=configuration,
        figures=_figures([a[key] for key in decided], [b[key] for key in decided]),
        newly_in_error=sum(pair.change is Change.ERROR for pair in matched),
        pairs=tuple(matched),
        added=_absent(b, a),
        removed=_absent(a, b),
    )


def _figures(a: list[ResultRow], b: list[ResultRow]) -> Figures:
    """The numbers over pairs decided on both sides. In `paired_difference` the first of a pair is B."""
    cells = [0, 0, 0, 0]
    for row_a, row_b in zip(a, b, strict=True):
        cells[2 * (row_b.verdict is not Verdict.PASS) + (row_a.verdict is not Verdict.PASS)] += 1
    both, better, worse, neither = cells
    count = len(a)
    variance = math.fsum(row.judge_variance for row in (*a, *b)) / count**2 if count else 0.0
    changes = _by_case(a, [_step(x, y) for x, y in zip(a, b, strict=True)])
    nets = list(map(sum, changes))
    cases_better, cases_worse = sum(net > 0 for net in nets), sum(net < 0 for net in nets)
    pairwise = paired_difference(both, better, worse, neither, variance)
    return Figures(
        compared=count,
        better=better,
        worse=worse,
        cases_better=cases_better,
        cases_worse=cases_worse,
        difference=(better - worse) / count if count else None,
        interval=_widened(pairwise, changes),
        judge_noise=variance > 0,
        test=mcnemar(cases_better, cases_worse),
        scores=_score_test(a, b),
    )


def _widened(pairwise: Interval, changes: Sequence[Sequence[int]]) -> Interval:
    """The interval as it is for one trial a case. Trials of one case are not independent: with several, it also covers
    the t interval of the cases' mean changes, and everything when one case alone was compared.
    """
    if all(len(case) == 1 for case in changes):
        return pairwise
    by_case = paired_t([sum(case) / len(case) for case in changes]).interval
    if by_case is None:
        return Interval(-1.0, 1.0)
    return Interval(max(-1.0, min(pairwise.low, by_case.low)), min(1.0, max(pairwise.high, by_case.high)))


def _step(a: ResultRow, b: ResultRow) -> int:
    """1 for a verdict that became better, -1 for one that became worse."""
    return (b.verdict is Verdict.PASS) - (a.verdict is Verdict.PASS)


def _score_test(a: list[ResultRow], b: list[ResultRow]) -> PairedT | None:
    differences = [None if x.score is None or y.score is None else y.score - x.score for x, y in zip(a, b, strict=True)]
    means = [mean for case in _by_case(a, differences) if (mean := mean_defined(case)) is not None]
    return paired_t(means) if means else None


def _by_case(rows: Sequence[ResultRow], values: Sequence[T]) -> list[list[T]]:
    """The values of the rows, together by case."""
    groups: dict[str, list[T]] = {}
    for row, value in zip(rows, values, strict=True):
        groups.setdefault(row.case_key, []).append(value)
    return list(groups.values())


def _keyed(rows: Iterable[ResultRow]) -> dict[Key, ResultRow]:
    return {(row.case_key, row.trial): row for row in rows}


def _absent(rows: Mapping[Key, ResultRow], other: Mapping[Key, ResultRow]) -> tuple[str, ...]:
    """Keys of cases that the other run has not at all."""
    known = {key for key, _ in other}
    return tuple(dict.fromkeys(key for key, _ in rows if key not in known))


def _decided(a: ResultRow, b: ResultRow) -> bool:
    return Verdict.ERROR not in (a.verdict, b.verdict) and a.case_hash == b.case_hash


def _pair(a: ResultRow, b: ResultRow) -> Pair:
    change, why = _change(a, b)
    noise = change in (Change.WORSE, Change.BETTER) and (a.disagreed or b.disagreed)
    return Pair(
        case_key=a.case_key,
        trial=a.trial,
        change=change,
        a=a.verdict,
        b=b.verdict,
        score_a=a.score,
        score_b=b.score,
        may_be_noise=noise,
        why=why,
    )


def _change(a: ResultRow, b: ResultRow) -> tuple[Change, str | None]:
    if a.case_hash != b.case_hash:
        return Change.NOT_COMPARABLE, "the case's input or criteria differ"
    if a.verdict is Verdict.ERROR:
        return Change.NOT_COMPARABLE, "an error in A"
    if b.verdict is Verdict.ERROR:
        return Change.ERROR, b.error_type
    if a.verdict is b.verdict:
        return Change.UNCHANGED, None
    return (Change.WORSE if b.verdict is Verdict.FAIL else Change.BETTER), None


def conclusion(comparison: Comparison) -> str:
    """What the comparison says, in one or two plain sentences."""
    figures = comparison.figures
    if figures.difference is None:
        return "No case was decided in both runs, so nothing can be compared."
    changed = figures.cases_better + figures.cases_worse
    errors = f" {comparison.newly_in_error} newly in error." if comparison.newly_in_error else ""
    if changed < MIN_CHANGES:
        return f"Too few verdicts changed to tell: at least {MIN_CHANGES} changes, all one way, are needed.{errors}"
    significant = figures.test.mid_p <= SIGNIFICANT
    excludes_zero = figures.interval.low > 0 or figures.interval.high < 0
    # With several trials more cases can get worse while more trials pass: then nothing is beyond doubt.
    one_direction = (figures.cases_better - figures.cases_worse) * figures.difference > 0
    better = "better" if figures.difference > 0 else "worse"
    if significant and excludes_zero and one_direction:
        return f"B is {better} than A beyond what chance explains (mid-p {figures.test.mid_p:.3f}).{errors}"
    if significant or excludes_zero:
        return f"Borderline: the interval and the test (mid-p {figures.test.mid_p:.3f}) do not agree.{errors}"
    return f"The difference may be chance (mid-p {figures.test.mid_p:.3f}).{errors}"
