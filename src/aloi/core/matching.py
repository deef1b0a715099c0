"""Who goes with whom: maximum matching of a bipartite graph, and the assignment of the greatest total weight."""

from collections import deque
from collections.abc import Sequence
from math import inf


def maximum_matching(edges: Sequence[Sequence[int]]) -> list[int | None]:
    """Pair as many left vertices as possible with right ones, each at most once.

    Args:
        edges: for each left vertex, the right vertices (numbers >= 0) that it may go with.

    Returns:
        For each left vertex, its right one or null. Augmenting paths (Berge 1957), found breadth first.
    """
    left: list[int | None] = [None] * len(edges)
    right: dict[int, int] = {}
    # A right vertex from which no free one can be reached is never of use again, so it is visited once in all.
    dead: set[int] = set()
    for start in range(len(edges)):
        reached = _augment(start, edges, left, right, dead)
        if reached is not None:
            dead |= reached
    return left


def _augment(
    start: int, edges: Sequence[Sequence[int]], left: list[int | None], right: dict[int, int], dead: set[int]
) -> set[int] | None:
    """Give `start` a partner, moving others if need be. Returns null, or what was reached when there is no way."""
    came_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        vertex = queue.popleft()
        for other in edges[vertex]:
            if other in came_from or other in dead:
                continue
            came_from[other] = vertex
            if other not in right:
                _flip(other, came_from, left, right)
                return None
            queue.append(right[other])
    return set(came_from)


def _flip(end: int, came_from: dict[int, int], left: list[int | None], right: dict[int, int]) -> None:
    """Walk an augmenting path back from its free end and pair along it."""
    other: int | None = end
    while other is not None:
        vertex = came_from[other]
        before = left[vertex]
        left[vertex], right[other] = other, vertex
        other = before


def best_assignment(weights: Sequence[Sequence[float]]) -> list[int | None]:
    """Pair rows with columns, each at most once and as many as there can be, for the greatest sum of weights.

    Args:
        weights: a matrix of finite numbers, all rows equally long.

    Returns:
        For each row its column, or null where there are more rows than columns. The Hungarian method with shortest
        augmenting paths (Kuhn 1955; Jonker and Volgenant 1987): O(short side squared times long side).
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    if rows <= columns:
        return list(_assign([[-weight for weight in row] for row in weights], columns))
    by_column = _assign([[-row[column] for row in weights] for column in range(columns)], rows)
    assigned: list[int | None] = [None] * rows
    for column, row in enumerate(by_column):
        assigned[row] = column
    return assigned


def _assign(costs: list[list[float]], columns: int) -> list[int]:
    """The column of each row for the least sum of costs; there are at least as many columns as rows."""
    row_price = [0.0] * len(costs)
    column_price = [0.0] * columns
    owner: list[int | None] = [None] * columns
    for row in range(len(costs)):
        _insert(row, costs, row_price, column_price, owner)
    found = {row: column for column, row in enumerate(owner) if row is not None}
    return [found[row] for row in range(len(costs))]


def _insert(
    new: int, costs: list[list[float]], row_price: list[float], column_price: list[float], owner: list[int | None]
) -> None:
    """Add one row to the assignment along the shortest path of reduced costs; the prices stay feasible."""
    distance = [inf] * len(owner)
    before: list[int | None] = [None] * len(owner)
    unseen = set(range(len(owner)))
    seen: list[int] = []
    row, last, travelled = new, None, 0.0
    while True:
        base = travelled - row_price[row]
        cost = costs[row]
        for column in unseen:
            length = cost[column] - column_price[column] + base
            if length < distance[column]:
                distance[column], before[column] = length, last
        nearest = min(unseen, key=distance.__getitem__)
        travelled = distance[nearest]
        occupant = owner[nearest]
        if occupant is None:
            break
        unseen.remove(nearest)
        seen.append(nearest)
        row, last = occupant, nearest
    row_price[new] += travelled
    for column in seen:
        owned = owner[column]
        column_price[column] += distance[column] - travelled
        if owned is not None:
            row_price[owned] += travelled - distance[column]
    _shift(new, nearest, before, owner)


def _shift(new: int, end: int, before: list[int | None], owner: list[int | None]) -> None:
    """Move each owner along the path one column on, and give the first one to the new row."""
    column = end
    while (previous := before[column]) is not None:
        owner[column] = owner[previous]
        column = previous
    owner[column] = new
