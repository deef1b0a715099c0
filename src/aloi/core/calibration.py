"""How far a judge can be trusted: its verdicts against people's, and against itself."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from aloi.core.label import LabelVerdict
from aloi.core.ruling import JudgeIdentity
from aloi.core.run import Run
from aloi.core.score import Verdict
from aloi.core.spec import Value
from aloi.core.statistics import (
    MINIMUM_LABELS,
    CorrectedPassRate,
    Interval,
    Rate,
    cohen_kappa,
    cohen_kappa_interval,
    corrected_pass_rate,
    fleiss_kappa,
    judge_rates,
    krippendorff_alpha,
    pairwise_agreement,
    wilson_interval,
)

RUNS_CORRECTED = 20
"""Runs whose pass rate is corrected, the latest ones."""

CorrectedStatus = Literal[
    "ok",
    "too_few_labels",
    "no_better_than_chance",
    "inconsistent",
    "nothing_judged",
    "several_trials",
    "not_alone",
]
REASONS: dict[CorrectedStatus, str] = {
    "too_few_labels": f"it takes at least {MINIMUM_LABELS} results that people pass and as many that they fail",
    "no_better_than_chance": "the judge is no better than chance, so nothing can be made of its verdicts",
    "inconsistent": "the calibration does not fit this run: no true rate would explain both",
    "nothing_judged": "no result of this run was decided by this judge alone",
    "several_trials": "trials of one case are not independent, so only runs of one trial are corrected",
    "not_alone": "other judges decided results of this run too; only the part of this judge is corrected",
}
STATUSES: dict[str, CorrectedStatus] = {
    "ok": "ok",
    "no decided case": "nothing_judged",
    "no human labels": "too_few_labels",
    "the judge is no better than chance": "no_better_than_chance",
    "calibration inconsistent with this run": "inconsistent",
}


class RateWithInterval(Value):
    """A share with the counts it is made of; the rate is null when the total is 0, the interval then (0, 1)."""

    count: int
    total: int
    rate: float | None
    interval: Interval


class CorrectedRate(Value):
    """A run's pass rate corrected for the judge's errors (Rogan-Gladen), where the conditions hold.

    `status` says why there is no number, `reason` the same in words (null when it is ok). `decided` results of the run
    are those with a verdict; `judged` ones were decided by this judge alone, `exact` ones by no judge. `observed` is
    the run's own rate; `rate` and `interval` are what people would have said of the whole run: its judged part is
    corrected, its exact part as it is. `judged_observed`, `judged_rate` and `judged_interval` are those of the judged
    part alone; with status `not_alone` only they are known.
    """

    run_id: str
    target_name: str
    target_version: int
    dataset_name: str
    status: CorrectedStatus
    reason: str | None
    decided: int
    judged: int
    exact: int
    observed: float | None
    rate: float | None
    interval: Interval | None
    judged_observed: float | None
    judged_rate: float | None
    judged_interval: Interval | None


class Calibration(Value):
    """One judge's figures over labelled results. Positive means pass.

    `labelled` results are compared: those that the judge decided alone. `left_out` ones are labelled too, but other
    evaluators decided them with it, or it only informs: a label is about the case, and the judge would be blamed for
    the others. An output that was labelled in several runs (a retry, say) counts once, by its last label.

    The four counts: `true_passes` both pass, `false_passes` the judge passes and people fail, `false_fails` the other
    way round, `true_fails` both fail. `sensitivity` is TPR, `specificity` TNR.

    `self_agreement` is Krippendorff's alpha (nominal) over all of its judged results in scope, labelled or not.
    It, `fleiss_kappa` and `kappa` are null where they are not defined. `resampled` counts the results with two samples
    or more, `disagreed` those whose samples were not all alike; `unanimous` is true when none was. `older_runs` were
    not looked at for these, as there are too many results.
    """

    judge: JudgeIdentity
    labelled: int
    left_out: int
    true_passes: int
    false_passes: int
    false_fails: int
    true_fails: int
    sensitivity: RateWithInterval
    specificity: RateWithInterval
    kappa: float | None
    kappa_interval: Interval | None
    self_agreement: float | None
    fleiss_kappa: float | None
    pairwise_agreement: float | None
    unanimous: bool
    resampled: int
    disagreed: int
    older_runs: int
    corrected: tuple[CorrectedRate, ...]


class Part(NamedTuple):
    """Some decided results of a run: how many, and how many of them passed."""

    decided: int = 0
    passed: int = 0

    def plus(self, verdict: Verdict) -> "Part":
        """With one more result; one without a verdict is not counted."""
        return self if verdict is Verdict.ERROR else Part(self.decided + 1, self.passed + (verdict is Verdict.PASS))

    @property
    def rate(self) -> float | None:
        """The share that passed."""
        return self.passed / self.decided if self.decided else None


class JudgedRun(NamedTuple):
    """A run in which a judge judged: all of it, the part that it decided alone, and the part that no judge decided."""

    run: Run
    all: Part
    judged: Part
    exact: Part


@dataclass
class JudgeTally:
    """What is counted of one judge.

    `cells`: (the judge's verdict, the person's) -> labelled results. `ballots`: (samples that pass, samples) -> judged
    results. `runs`: the newest first.
    """

    judge: JudgeIdentity
    cells: Counter[tuple[Verdict, LabelVerdict]] = field(default_factory=Counter[tuple[Verdict, LabelVerdict]])
    left_out: int = 0
    ballots: Counter[tuple[int, int]] = field(default_factory=Counter[tuple[int, int]])
    runs: list[JudgedRun] = field(default_factory=list[JudgedRun])

    @property
    def labelled(self) -> int:
        """Labelled results that it can be compared on."""
        return self.cells.total()


def calibration(tally: JudgeTally, older_runs: int = 0) -> Calibration:
    """The figures of one judge. Source of the formulas: `core.statistics`."""
    tp, fp = tally.cells[Verdict.PASS, "pass"], tally.cells[Verdict.PASS, "fail"]
    fn, tn = tally.cells[Verdict.FAIL, "pass"], tally.cells[Verdict.FAIL, "fail"]
    rates = judge_rates(tp, fp, fn, tn)
    votes = [votes for ballot, count in tally.ballots.items() if ballot[1] > 1 for votes in [_votes(*ballot)] * count]
    disagreed = sum(len(set(ballot)) > 1 for ballot in votes)
    return Calibration(
        judge=tally.judge,
        labelled=tally.labelled,
        left_out=tally.left_out,
        true_passes=tp,
        false_passes=fp,
        false_fails=fn,
        true_fails=tn,
        sensitivity=_with_counts(tp, rates.tpr),
        specificity=_with_counts(tn, rates.tnr),
        kappa=cohen_kappa(tp, fp, fn, tn),
        kappa_interval=_within_range(cohen_kappa_interval(tp, fp, fn, tn)),
        self_agreement=krippendorff_alpha(votes),
        fleiss_kappa=_fleiss(votes),
        pairwise_agreement=pairwise_agreement(votes),
        unanimous=bool(votes) and not disagreed,
        resampled=len(votes),
        disagreed=disagreed,
        older_runs=older_runs,
        corrected=tuple(corrected(judged, tp, fp, fn, tn) for judged in tally.runs[:RUNS_CORRECTED]),
    )


def corrected(judged: JudgedRun, tp: int, fp: int, fn: int, tn: int) -> CorrectedRate:
    """A run's pass rate as people would have given it, by how the judge fares against them (statistics.md, 3)."""
    run, whole, part, exact = judged
    found = corrected_pass_rate(part.passed, part.decided, tp, tp + fn, tn, tn + fp)
    status = _status(judged, found, tp + fn, tn + fp)
    known = found if status in ("ok", "not_alone") else None
    rate = interval = None
    if status == "ok" and found.rate is not None and found.interval is not None:
        rate, interval = with_exact(found.rate, found.interval, part.decided, exact)
    return CorrectedRate(
        run_id=run.id,
        target_name=run.target_name,
        target_version=run.target_version,
        dataset_name=run.dataset_name,
        status=status,
        reason=REASONS.get(status),
        decided=whole.decided,
        judged=part.decided,
        exact=exact.decided,
        observed=whole.rate,
        rate=rate,
        interval=interval,
        judged_observed=part.rate,
        judged_rate=known.rate if known else None,
        judged_interval=known.interval if known else None,
    )


def _status(judged: JudgedRun, found: CorrectedPassRate, passes: int, fails: int) -> CorrectedStatus:
    if judged.run.spec.limits.trials > 1:
        return "several_trials"
    if not judged.judged.decided:
        return "nothing_judged"
    if min(passes, fails) < MINIMUM_LABELS:
        return "too_few_labels"
    if found.status != "ok":
        return STATUSES[found.status]
    return "ok" if judged.judged.decided + judged.exact.decided == judged.all.decided else "not_alone"


def with_exact(rate: float, interval: Interval, judged: int, exact: Part) -> tuple[float, Interval]:
    """The corrected rate of the judged part with the exact part: (x_exact + n_judged * rate) / n, and its interval.

    The two parts are independent, so their intervals are combined by MOVER (Zou and Donner 2008, Statistics in
    Medicine 27:1693-1702), with Wilson's for the exact part. Without an exact part nothing changes.
    """
    if not exact.decided:
        return rate, interval
    size = judged + exact.decided
    share, rest = judged / size, exact.decided / size
    own, wilson = exact.passed / exact.decided, wilson_interval(exact.passed, exact.decided)
    whole = share * rate + rest * own
    below = math.hypot(share * max(rate - interval.low, 0.0), rest * (own - wilson.low))
    above = math.hypot(share * max(interval.high - rate, 0.0), rest * (wilson.high - own))
    return whole, Interval(max(whole - below, 0.0), min(whole + above, 1.0))


def _within_range(kappa: Interval | None) -> Interval | None:
    """An interval of a kappa, which lies in [-1, 1]: the normal approximation goes beyond."""
    return None if kappa is None else Interval(max(kappa.low, -1.0), min(kappa.high, 1.0))


def _with_counts(count: int, rate: Rate) -> RateWithInterval:
    return RateWithInterval(count=count, total=rate.total, rate=rate.value, interval=rate.interval)


def _votes(passing: int, samples: int) -> tuple[bool, ...]:
    return (True,) * passing + (False,) * (samples - passing)


def _fleiss(votes: Sequence[tuple[bool, ...]]) -> float | None:
    """Fleiss' kappa, which there is only for equal numbers of votes."""
    if len({len(ballot) for ballot in votes}) != 1:
        return None
    return fleiss_kappa([(sum(ballot), len(ballot) - sum(ballot)) for ballot in votes])
