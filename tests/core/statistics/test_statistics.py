"""The names that others import from the package, and what they are called with."""

import inspect

import pytest

from aloi.core import statistics

PROMISED = {
    "wilson_interval": ["passes", "decided"],
    "judge_variance": ["passing_votes", "votes"],
    "run_interval": ["passes", "decided", "judge_variance_sum"],
    "mcnemar": ["b", "c"],
    "paired_difference": ["a", "b", "c", "d", "extra_variance"],
    "paired_t": ["differences"],
    "pass_at_k": None,
    "pass_hat_k": None,
    "trials_interval": None,
    "cases_for_half_width": None,
    "krippendorff_alpha": None,
    "cohen_kappa": ["tp", "fp", "fn", "tn"],
    "corrected_pass_rate": None,
}


@pytest.mark.parametrize("name", PROMISED)
def test_a_promised_name_is_there_with_its_parameters(name: str) -> None:
    parameters = [
        parameter.name
        for parameter in inspect.signature(getattr(statistics, name)).parameters.values()
        if parameter.kind is not parameter.KEYWORD_ONLY
    ]
    assert parameters == (PROMISED[name] or parameters)


def test_every_exported_name_is_there_once() -> None:
    assert len(statistics.__all__) == len(set(statistics.__all__))
    assert set(PROMISED) <= set(statistics.__all__) <= set(dir(statistics))


def test_an_interval_is_a_named_pair() -> None:
    interval = statistics.wilson_interval(3, 3)
    assert interval == (interval.low, interval.high)
    assert statistics.Interval._fields == ("low", "high")
