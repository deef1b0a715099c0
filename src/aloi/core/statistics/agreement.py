"""Does a judge agree with itself: several votes on the same output."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence

from aloi.core.errors import InvalidInput
from aloi.core.statistics.interval import check_count


def krippendorff_alpha(votes: Sequence[Sequence[Hashable]]) -> float | None:
    """Return Krippendorff's alpha for nominal votes: 1 is full agreement, 0 is chance.

    1 - D_o/D_e over the pairs of votes within a case. Source: Krippendorff 2011, Computing Krippendorff's
    Alpha-Reliability.

    Args:
        votes: one sequence of votes per case; the number may differ, and cases with one vote or none say nothing.

    Returns:
        Alpha, or None when all votes are the same: chance could not have disagreed, so say "100 % agreement" instead.
    """
    totals: Counter[Hashable] = Counter()
    observed: list[float] = []
    for case in votes:
        if len(case) < 2:
            continue
        counts = Counter(case)
        totals.update(counts)
        observed.append(_disagreeing_pairs(counts) / (len(case) - 1))
    expected = _disagreeing_pairs(totals)
    if expected == 0:
        return None
    return 1 - (totals.total() - 1) * math.fsum(observed) / expected


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float | None:
    """Return Fleiss' kappa (1971, Psychological Bulletin 76:378-382).

    Args:
        counts: one row per case, with the number of votes for each category; every row has the same columns and the
            same sum, at least 2. For varying numbers of votes use `krippendorff_alpha`.

    Returns:
        Kappa, or None when there is no case or all votes are the same.

    Raises:
        InvalidInput: rows differ in length or sum, a sum is below 2, or a count is negative.
    """
    if not counts:
        return None
    votes = sum(counts[0])
    _check_table(counts, votes)
    cases = len(counts)
    agreeing = sum(count * (count - 1) for row in counts for count in row)
    observed = agreeing / (cases * votes * (votes - 1))
    columns = [sum(row[column] for row in counts) for column in range(len(counts[0]))]
    if max(columns) == cases * votes:
        return None
    expected = math.fsum((column / (cases * votes)) ** 2 for column in columns)
    return (observed - expected) / (1 - expected)


def disagreement_share(votes: Sequence[Sequence[Hashable]]) -> float | None:
    """Return the share of cases with two or more votes whose votes are not all the same; None without such a case."""
    repeated = [case for case in votes if len(case) >= 2]
    if not repeated:
        return None
    return sum(len(set(case)) > 1 for case in repeated) / len(repeated)


def pairwise_agreement(votes: Sequence[Sequence[Hashable]]) -> float | None:
    """Return the chance that two votes on the same case agree, averaged over the cases with two or more votes.

    None without such a case.
    """
    shares = [1 - _disagreeing_pairs(Counter(case)) / (len(case) * (len(case) - 1)) for case in votes if len(case) >= 2]
    return math.fsum(shares) / len(shares) if shares else None


def _disagreeing_pairs(counts: Counter[Hashable]) -> int:
    """Ordered pairs of votes that differ."""
    return counts.total() ** 2 - sum(count * count for count in counts.values())


def _check_table(counts: Sequence[Sequence[int]], votes: int) -> None:
    if votes < 2:
        raise InvalidInput(f"counts[0] holds {votes} votes: agreement needs two. Leave cases with fewer votes out.")
    for position, row in enumerate(counts):
        if len(row) != len(counts[0]) or sum(row) != votes:
            raise InvalidInput(
                f"counts[{position}] differs from counts[0] in its columns or its number of votes ({votes}). "
                "Give rows of one shape, or use krippendorff_alpha."
            )
        for count in row:
            check_count(f"counts[{position}]", count)
