"""Several tests at once: the more one looks, the more one finds by chance."""

from collections.abc import Sequence

from aloi.core.errors import InvalidInput


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values (1979, Scandinavian Journal of Statistics 6:65-70), in the order given.

    The i-th smallest of m (from 0) is multiplied by m - i, never below the one before it, at most 1. Needed for the
    best of many versions, many versions against one baseline, or slices by tag; not for one pair of runs.

    Raises:
        InvalidInput: a p-value is outside 0..1.
    """
    for position, p in enumerate(p_values):
        if not 0 <= p <= 1:
            raise InvalidInput(f"p_values[{position}] is {p}: a p-value lies between 0 and 1. Give such a number.")
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, position in enumerate(sorted(range(len(p_values)), key=lambda index: p_values[index])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[position]))
        adjusted[position] = highest
    return adjusted
