"""Does a judge agree with people, and what would people have said of this run.

Positive is pass everywhere: tp = both pass, fp = judge pass and human fail, fn = judge fail and human pass, tn = both
fail.
"""

import math
from typing import Literal, NamedTuple

from aloi.core.statistics.interval import Interval, Z, check_count, check_part
from aloi.core.statistics.proportion import wilson_interval

MINIMUM_LABELS = 20
"""Human passes, and human fails, below which a corrected pass rate is not shown."""


class Rate(NamedTuple):
    """A rate over `total` cases with its Wilson interval; without a case the value is None and the interval (0, 1)."""

    value: float | None
    interval: Interval
    total: int


class JudgeRates(NamedTuple):
    """How often the judge is right: on what people pass (tpr), on what they fail (tnr), on what it passes (ppv)."""

    tpr: Rate
    tnr: Rate
    ppv: Rate


CorrectionStatus = Literal[
    "ok",
    "no decided case",
    "no human labels",
    "the judge is no better than chance",
    "calibration inconsistent with this run",
]


class CorrectedPassRate(NamedTuple):
    """The pass rate people would have given.

    rate: the estimate, clipped to [0, 1]; None unless the status is `ok`.
    raw: the estimate before clipping; None unless the status is `ok`.
    interval: its 95 % interval, clipped to [0, 1]; None unless the status is `ok`.
    status: `ok`, or why there are no numbers.
    """

    rate: float | None
    raw: float | None
    interval: Interval | None
    status: CorrectionStatus


def judge_rates(tp: int, fp: int, fn: int, tn: int) -> JudgeRates:
    """Return the judge's hit rates against human labels, each with its Wilson interval.

    Raises:
        InvalidInput: a count is negative.
    """
    _check_labels(tp, fp, fn, tn)
    return JudgeRates(tpr=_rate(tp, tp + fn), tnr=_rate(tn, tn + fp), ppv=_rate(tp, tp + fp))


def cohen_kappa(tp: int, fp: int, fn: int, tn: int) -> float | None:
    """Return Cohen's kappa of judge and human: agreement beyond chance, 1 at most.

    Source: Cohen 1960, Educational and Psychological Measurement 20:37-46. Kappa hangs on how many cases pass, so show
    the hit rates first. None when chance alone agrees always (or there is no case).

    Raises:
        InvalidInput: a count is negative.
    """
    _check_labels(tp, fp, fn, tn)
    total = tp + fp + fn + tn
    # Whole numbers: chance agreement of exactly 1 and kappa of exactly 0 must not hang on rounding.
    chance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)
    if chance == total * total:
        return None
    return (total * (tp + tn) - chance) / (total * total - chance)


def cohen_kappa_standard_error(tp: int, fp: int, fn: int, tn: int) -> float | None:
    """Return the large-sample standard error of kappa.

    Source: Fleiss, Cohen and Everitt 1969, Psychological Bulletin 72:323-327. None where kappa is, and when one side
    always says the same: the formula then gives 0, which would claim a certainty that is not there.

    Raises:
        InvalidInput: a count is negative.
    """
    kappa = cohen_kappa(tp, fp, fn, tn)
    if kappa is None or 0 in (tp + fp, fn + tn, tp + fn, fp + tn):
        return None
    total = tp + fp + fn + tn
    return _kappa_standard_error(tp / total, fp / total, fn / total, tn / total, kappa) / math.sqrt(total)


def cohen_kappa_interval(tp: int, fp: int, fn: int, tn: int) -> Interval | None:
    """Return the 95 % interval of kappa, kappa +- z standard errors, not clipped; None where the error is.

    Raises:
        InvalidInput: a count is negative.
    """
    kappa, se = cohen_kappa(tp, fp, fn, tn), cohen_kappa_standard_error(tp, fp, fn, tn)
    return None if kappa is None or se is None else Interval(kappa - Z * se, kappa + Z * se)


def corrected_pass_rate(x: int, n: int, tp: int, m1: int, tn: int, m0: int) -> CorrectedPassRate:
    """Return the pass rate of judged cases, corrected for the errors the judge makes against people.

    Estimate of Rogan and Gladen 1978, American Journal of Epidemiology 107:71-76; interval of Lang and Reiczigel 2014,
    Preventive Veterinary Medicine 113:13-22. It holds for the judge model, rubric, threshold and number of votes that
    the labels were given for; below `MINIMUM_LABELS` of either label do not show it.

    Args:
        x: judged cases that passed in this run.
        n: judged cases decided in this run.
        tp: labelled cases that both people and the judge pass.
        m1: labelled cases that people pass.
        tn: labelled cases that both people and the judge fail.
        m0: labelled cases that people fail.

    Raises:
        InvalidInput: a count is negative or above the one it is part of.
    """
    check_part("x", x, "n", n)
    check_part("tp", tp, "m1", m1)
    check_part("tn", tn, "m0", m0)
    if n == 0:
        return _refused("no decided case")
    if m1 == 0 or m0 == 0:
        return _refused("no human labels")
    smooth = (tp + 1) / (m1 + 2) + (tn + 1) / (m0 + 2) - 1
    if tp * m0 + tn * m1 <= m1 * m0 or smooth <= 0:
        return _refused("the judge is no better than chance")
    tpr, tnr = tp / m1, tn / m0
    raw = (x / n + tnr - 1) / (tpr + tnr - 1)
    low, high = _lang_reiczigel(x, n, tp, m1, tn, m0)
    if high <= 0 or low >= 1:
        return _refused("calibration inconsistent with this run")
    return CorrectedPassRate(_clip(raw), raw, Interval(_clip(low), _clip(high)), "ok")


def _lang_reiczigel(x: int, n: int, tp: int, m1: int, tn: int, m0: int) -> Interval:
    """The interval before clipping."""
    square = Z * Z
    passing = (x + square / 2) / (n + square)
    sensitivity = (tp + 1) / (m1 + 2)
    specificity = (tn + 1) / (m0 + 2)
    power = sensitivity + specificity - 1
    rate = (passing + specificity - 1) / power
    of_specificity = specificity * (1 - specificity) / (m0 + 2)
    of_sensitivity = sensitivity * (1 - sensitivity) / (m1 + 2)
    shift = 2 * square * (rate * of_sensitivity - (1 - rate) * of_specificity)
    variance = passing * (1 - passing) / (n + square) + (1 - rate) ** 2 * of_specificity + rate**2 * of_sensitivity
    half = Z * math.sqrt(variance) / power
    return Interval(rate + shift - half, rate + shift + half)


def _kappa_standard_error(tp: float, fp: float, fn: float, tn: float, kappa: float) -> float:
    """The standard error of kappa for one case, from the shares of the four cells."""
    judge = (tp + fp, fn + tn)
    human = (tp + fn, fp + tn)
    chance = judge[0] * human[0] + judge[1] * human[1]
    rest = 1 - kappa
    agree = tp * (1 - (judge[0] + human[0]) * rest) ** 2 + tn * (1 - (judge[1] + human[1]) * rest) ** 2
    differ = rest * rest * (fp * (human[0] + judge[1]) ** 2 + fn * (human[1] + judge[0]) ** 2)
    centre = (kappa - chance * rest) ** 2
    return math.sqrt(max(agree + differ - centre, 0.0)) / (1 - chance)


def _rate(passes: int, total: int) -> Rate:
    return Rate(passes / total if total else None, wilson_interval(passes, total), total)


def _refused(status: CorrectionStatus) -> CorrectedPassRate:
    return CorrectedPassRate(None, None, None, status)


def _clip(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _check_labels(tp: int, fp: int, fn: int, tn: int) -> None:
    for name, value in (("tp", tp), ("fp", fp), ("fn", fn), ("tn", tn)):
        check_count(name, value)
