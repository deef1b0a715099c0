"""The numbers of a run, from its rows. Totals are sums over rows, so they are the same after a resume."""

import math
from array import array
from collections import Counter
from collections.abc import Iterable

from aloi.core.result import ResultRow
from aloi.core.score import Verdict
from aloi.core.spec import Value
from aloi.core.statistics import (
    Interval,
    TrialsEstimate,
    bootstrap_interval,
    error_bounds,
    estimate_trials,
    mean_defined,
    mean_interval,
    pass_at_k,
    pass_hat_k,
    quantile,
    trials_judge_variance,
)
from aloi.core.usage import NO_USAGE, Usage

UNSTABLE_SHARE = 0.2
# pass@k and pass^k are told for k up to this, and for all the trials; each k more costs time and says little.
MOST_K = 10


class PassAtK(Value):
    """Mean over cases of the chance that one, or all, of k trials pass; null where no case has k decided trials.

    `pass_hat_k_interval`: told for k = all the trials, from two cases on.
    """

    k: int
    pass_at_k: float | None
    pass_hat_k: float | None
    pass_hat_k_interval: Interval | None = None


class Latency(Value):
    """Seconds, over the answers."""

    mean: float
    p50: float
    p95: float


class Summary(Value):
    """The numbers of a run.

    Counts are of trials. `rate` is passes over decided (with several trials: the mean of the cases' rates), null when
    nothing was decided; `interval` its 95 % interval, "incl. judge noise" when `judge_noise`. `bounds`: the rate if
    every error were a fail, and if every error were a pass. `disagreed` of `judged` results had a judge that disagreed
    with itself; `unstable` when that is more than a fifth. `mean_score` and its interval are over cases, each with the
    mean of its trials. `judge_usage`: of the judges, and of the model that wrote simulated answers. `pass_at_k`: with
    several trials, for k = 1 to 10 and k = all the trials.
    """

    cases: int
    trials: int
    passed: int
    failed: int
    errors: int
    rate: float | None
    interval: Interval
    judge_noise: bool
    bounds: Interval | None
    mean_score: float | None
    score_interval: Interval | None
    latency: Latency | None
    usage: Usage
    judge_usage: Usage
    judged: int
    disagreed: int
    unstable: bool
    not_applicable: int
    error_types: dict[str, int]
    pass_at_k: tuple[PassAtK, ...] = ()

    @property
    def decided(self) -> int:
        """Passes and fails."""
        return self.passed + self.failed

    @property
    def total(self) -> int:
        """All results, errors included."""
        return self.decided + self.errors


class Tally:
    """Adds up rows one by one, keeping a few numbers of each and none of its texts."""

    def __init__(self) -> None:
        self.verdicts = Counter[Verdict]()
        self.errors = Counter[str]()
        self.usage = NO_USAGE
        self.judge_usage = NO_USAGE
        self.judged = 0
        self.disagreed = 0
        self.not_applicable = 0
        self.latencies = array("d")
        self.keys: dict[str, int] = {}
        self.decisions: list[bytearray] = []
        self.variances: dict[int, list[float]] = {}
        self.scores: list[array[float]] = []

    def add(self, row: ResultRow) -> None:
        """Take one row in."""
        self.verdicts[row.verdict] += 1
        self.usage += row.usage
        self.judge_usage += row.judge_side
        self.judged += row.judged
        self.disagreed += row.disagreed
        self.not_applicable += row.not_applicable
        if row.answered:
            self.latencies.append(row.latency)
        case = self._case(row.case_key)
        if row.score is not None:
            self.scores[case].append(row.score)
        if row.verdict is Verdict.ERROR:
            self.errors[row.error_type or "error"] += 1
            return
        self.decisions[case].append(row.verdict is Verdict.PASS)
        if row.judge_variance:
            self.variances.setdefault(case, []).append(row.judge_variance)

    def _case(self, key: str) -> int:
        index = self.keys.setdefault(key, len(self.keys))
        if index == len(self.decisions):
            self.decisions.append(bytearray())
            self.scores.append(array("d"))
        return index

    def summary(self, trials: int) -> Summary:
        """The numbers of what was added, for a run of so many trials a case."""
        passed, failed, errors = (self.verdicts[v] for v in (Verdict.PASS, Verdict.FAIL, Verdict.ERROR))
        estimate = self._estimate()
        scores = sorted(score for values in self.scores if (score := mean_defined(sorted(values))) is not None)
        return Summary(
            cases=len(self.keys),
            trials=trials,
            passed=passed,
            failed=failed,
            errors=errors,
            rate=estimate.rate,
            interval=estimate.interval,
            judge_noise=bool(self.variances),
            bounds=error_bounds(passed, passed + failed, errors) if passed + failed + errors else None,
            mean_score=mean_defined(scores),
            score_interval=mean_interval(scores),
            latency=self._latency(),
            usage=self.usage,
            judge_usage=self.judge_usage,
            judged=self.judged,
            disagreed=self.disagreed,
            unstable=self.disagreed > UNSTABLE_SHARE * self.judged,
            not_applicable=self.not_applicable,
            error_types=dict(self.errors.most_common()),
            pass_at_k=self._pass_at_k(trials),
        )

    def _estimate(self) -> TrialsEstimate:
        """The rate and its interval, the case as the unit; with one trial per case this is the run interval."""
        noise: list[list[float]] = []
        for index, case in enumerate(self.decisions):
            known = self.variances.get(index, [])
            noise.append([*known, *[0.0] * (len(case) - len(known))])
        return estimate_trials(self.decisions, trials_judge_variance(noise))

    def _latency(self) -> Latency | None:
        if not self.latencies:
            return None
        ordered = sorted(self.latencies)
        return Latency(mean=math.fsum(ordered) / len(ordered), p50=quantile(ordered, 0.5), p95=quantile(ordered, 0.95))

    def _pass_at_k(self, trials: int) -> tuple[PassAtK, ...]:
        if trials < 2:
            return ()
        return tuple(self._at(k, trials) for k in (*range(1, min(MOST_K, trials - 1) + 1), trials))

    def _at(self, k: int, trials: int) -> PassAtK:
        # Sorted, so that the order in which results came in decides nothing.
        counts = sorted((len(case), sum(case)) for case in self.decisions)
        any_of = [pass_at_k(decided, passed, k) for decided, passed in counts]
        all_of = [pass_hat_k(decided, passed, k) for decided, passed in counts]
        known = [value for value in all_of if value is not None]
        interval = bootstrap_interval(known) if k == trials and len(known) > 1 else None
        return PassAtK(
            k=k, pass_at_k=mean_defined(any_of), pass_hat_k=mean_defined(all_of), pass_hat_k_interval=interval
        )


def summarise(rows: Iterable[ResultRow], trials: int = 1) -> Summary:
    """The numbers of a run of so many trials a case, in one pass over its rows."""
    tally = Tally()
    for row in rows:
        tally.add(row)
    return tally.summary(trials)
