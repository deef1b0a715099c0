"""Maximum matching and best assignment, against brute force on small graphs."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.matching import best_assignment, maximum_matching

EDGES = st.lists(st.lists(st.integers(0, 4), max_size=5), max_size=5)


@pytest.mark.parametrize(
    ("edges", "size"),
    [([], 0), ([[]], 0), ([[0], [0]], 1), ([[0, 1], [0]], 2), ([[0, 1], [0, 2], [0]], 3), ([[7], [7, 9], [9]], 2)],
)
def test_known_sizes(edges: list[list[int]], size: int) -> None:
    assert sum(other is not None for other in maximum_matching(edges)) == size


@given(EDGES)
def test_the_matching_is_valid_and_as_large_as_can_be(edges: list[list[int]]) -> None:
    found = maximum_matching(edges)
    pairs = [(left, right) for left, right in enumerate(found) if right is not None]
    assert all(right in edges[left] for left, right in pairs)
    assert len({right for _, right in pairs}) == len(pairs)
    sizes = [
        sum(right in edges[left] for left, right in enumerate(order)) for order in permutations(range(5), len(edges))
    ]
    assert len(pairs) == max(sizes)


def test_a_long_augmenting_path_needs_no_deep_recursion() -> None:
    edges = [[i, i + 1] for i in range(3000)] + [[0]]
    assert None not in maximum_matching(edges)


WEIGHTS = st.tuples(st.integers(0, 4), st.integers(1, 4)).flatmap(
    lambda size: st.lists(
        st.lists(st.floats(-1, 1) | st.sampled_from([0.0, 0.5, 1.0]), min_size=size[1], max_size=size[1]),
        min_size=size[0],
        max_size=size[0],
    )
)


@given(WEIGHTS)
def test_the_assignment_is_the_best_there_is(weights: list[list[float]]) -> None:
    rows, columns = len(weights), len(weights[0]) if weights else 0
    found = best_assignment(weights)
    taken = [column for column in found if column is not None]
    assert len(taken) == len(set(taken)) == min(rows, columns)
    total = sum(weights[row][column] for row, column in enumerate(found) if column is not None)
    if rows <= columns:
        sums = [sum(weights[r][c] for r, c in enumerate(order)) for order in permutations(range(columns), rows)]
    else:
        sums = [sum(weights[r][c] for c, r in enumerate(order)) for order in permutations(range(rows), columns)]
    assert total == pytest.approx(max(sums))


def test_more_rows_than_columns_leave_some_without() -> None:
    assert best_assignment([[0.1], [0.9], [0.5]]) == [None, 0, None]
    assert best_assignment([[], []]) == [None, None]
    assert best_assignment([]) == []
