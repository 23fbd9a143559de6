"""t-closeness by a hierarchy of the values (B.1.3): rows moved up to common ancestors, by how high these stand."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from techniques.core.compiling import inner
from techniques.models.conditions.values import TOLERANCE, moved_by_missing


@inner
def holds(condition, histogram, reference, rows, trees):
    """Whether the class is within t of the whole table; missing values add to that as in the equal distance."""
    nodes = condition.root - condition.tree + 1
    parent, height, sums = trees
    # Of each node: what its values have more than in the whole table, and what of that its children exchange.
    extra, above, below = sums[0], sums[1], sums[2]
    for node in range(nodes):
        extra[node] = 0.0
        above[node] = 0.0
        below[node] = 0.0
    for value in range(len(histogram)):
        extra[value] = histogram[value] / rows - reference[value]
    distance = 0.0
    for node in range(nodes):
        if node < nodes - 1:
            up = parent[condition.tree + node]
            extra[up] += extra[node]
            if extra[node] > 0:
                above[up] += extra[node]
            else:
                below[up] -= extra[node]
        distance += height[condition.tree + node] * min(above[node], below[node])
    if condition.missing:
        u, v = moved_by_missing(condition, histogram, reference, rows)
        distance += min(u, v)
    return distance <= condition.limit + TOLERANCE


@inner
def rows_kept(rows):
    """All but one: how few rows would do is not worked out."""
    return rows - 1.0
