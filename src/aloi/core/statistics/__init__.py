"""The statistics of a run, of two runs, and of a judge. Pure functions on counts; standard library only.

Rates and scores lie in 0..1. Where nothing can be said the answer is None or the whole range, never NaN.
"""

from aloi.core.statistics.agreement import disagreement_share, fleiss_kappa, krippendorff_alpha, pairwise_agreement
from aloi.core.statistics.calibration import (
    MINIMUM_LABELS,
    CorrectedPassRate,
    JudgeRates,
    Rate,
    cohen_kappa,
    cohen_kappa_interval,
    cohen_kappa_standard_error,
    corrected_pass_rate,
    judge_rates,
)
from aloi.core.statistics.distribution import student_t_quantile, student_t_two_sided
from aloi.core.statistics.interval import Interval, Z
from aloi.core.statistics.means import (
    PairedT,
    bootstrap_interval,
    cluster_standard_error,
    mean_interval,
    paired_t,
    quantile,
)
from aloi.core.statistics.multiple import holm
from aloi.core.statistics.paired import McNemar, mcnemar, paired_difference
from aloi.core.statistics.planning import (
    cases_all_pass,
    cases_for_half_width,
    detectable_difference,
    pairs_for_difference,
)
from aloi.core.statistics.proportion import error_bounds, judge_variance, run_interval, wilson_interval
from aloi.core.statistics.trials import (
    TrialsEstimate,
    estimate_trials,
    mean_defined,
    pass_at_k,
    pass_hat_k,
    trials_interval,
    trials_judge_variance,
)

__all__ = [
    "MINIMUM_LABELS",
    "CorrectedPassRate",
    "Interval",
    "JudgeRates",
    "McNemar",
    "PairedT",
    "Rate",
    "TrialsEstimate",
    "Z",
    "bootstrap_interval",
    "cases_all_pass",
    "cases_for_half_width",
    "cluster_standard_error",
    "cohen_kappa",
    "cohen_kappa_interval",
    "cohen_kappa_standard_error",
    "corrected_pass_rate",
    "detectable_difference",
    "disagreement_share",
    "error_bounds",
    "estimate_trials",
    "fleiss_kappa",
    "holm",
    "judge_rates",
    "judge_variance",
    "krippendorff_alpha",
    "mcnemar",
    "mean_defined",
    "mean_interval",
    "paired_difference",
    "paired_t",
    "pairs_for_difference",
    "pairwise_agreement",
    "pass_at_k",
    "pass_hat_k",
    "quantile",
    "run_interval",
    "student_t_quantile",
    "student_t_two_sided",
    "trials_interval",
    "trials_judge_variance",
    "wilson_interval",
]
