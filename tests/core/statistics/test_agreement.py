from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.statistics import disagreement_share, fleiss_kappa, krippendorff_alpha, pairwise_agreement
from tests.core.statistics.golden import TOLERANCE, rows

vote_lists = st.lists(st.lists(st.integers(0, 1), max_size=5), max_size=20)


def test_krippendorff_agrees_with_the_reference_package() -> None:
    for row in rows("krippendorff_nominal"):
        assert krippendorff_alpha(row["votes"]) == pytest.approx(row["alpha"], abs=TOLERANCE), row


@given(vote_lists)
def test_alpha_is_the_ratio_of_disagreements_counted_pair_by_pair(votes: list[list[int]]) -> None:
    paired = [case for case in votes if len(case) >= 2]
    pooled = [vote for case in paired for vote in case]
    observed = sum(sum(x != y for x, y in permutations(case, 2)) / (len(case) - 1) for case in paired)
    expected = sum(x != y for x, y in permutations(pooled, 2))
    alpha = krippendorff_alpha(votes)
    if expected == 0:
        assert alpha is None
    else:
        assert alpha == pytest.approx(1 - observed / len(pooled) / (expected / len(pooled) / (len(pooled) - 1)))


def test_alpha_without_any_disagreement_is_undefined() -> None:
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([[1], [0]]) is None
    assert krippendorff_alpha([[1, 1, 1], [1, 1], [0]]) is None


def test_cases_with_one_vote_say_nothing() -> None:
    assert krippendorff_alpha([[1, 0], [1, 1], [0]]) == krippendorff_alpha([[1, 0], [1, 1]])


def test_votes_may_be_words() -> None:
    assert krippendorff_alpha([["pass", "pass"], ["fail", "fail"]]) == 1.0


def test_fleiss_agrees_with_statsmodels_and_the_classical_example() -> None:
    for row in rows("fleiss"):
        assert fleiss_kappa(row["counts"]) == pytest.approx(row["kappa"], abs=TOLERANCE), row
    assert fleiss_kappa(rows("fleiss")[0]["counts"]) == pytest.approx(0.210, abs=5e-4)


def test_fleiss_without_any_disagreement_is_undefined() -> None:
    assert fleiss_kappa([]) is None
    assert fleiss_kappa([[3, 0], [3, 0]]) is None
    assert fleiss_kappa([[3, 0], [0, 3]]) == 1.0


@pytest.mark.parametrize("counts", [[[1, 0]], [[2, 1], [2, 0]], [[2, 1], [2, 1, 0]], [[2, 1], [4, -1]], [[]]])
def test_fleiss_needs_one_shape_and_two_votes(counts: list[list[int]]) -> None:
    with pytest.raises(InvalidInput, match="counts"):
        fleiss_kappa(counts)


def test_raw_agreement_by_hand() -> None:
    votes = [[1, 1, 0], [1, 1], [0], []]
    assert disagreement_share(votes) == 0.5
    assert pairwise_agreement(votes) == pytest.approx((1 / 3 + 1) / 2)
    assert disagreement_share([[1]]) is None
    assert pairwise_agreement([]) is None


@given(vote_lists)
def test_raw_agreement_is_full_just_when_no_case_disagrees(votes: list[list[int]]) -> None:
    share, agreement = disagreement_share(votes), pairwise_agreement(votes)
    assert (share is None) == (agreement is None)
    assert (share == 0) == (agreement == 1)
