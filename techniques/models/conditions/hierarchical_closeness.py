"""t-closeness by a hierarchy of the values (B.1.3): rows moved up to common ancestors, by how high these stand."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from techniques.catalogue.models import Conditions
from techniques.core.compiling import inner
from techniques.models.conditions.values import TOLERANCE, Bounds, moved_by_missing, rows_within


def bounds(settings: Conditions) -> Bounds | None:
    """t, if it is asked for with this distance."""
    return Bounds(settings.t) if settings.t is not None and settings.distance == "hierarchical" else None


@inner
def holds(condition, histogram, reference, rows, trees):
    """Whether the class is within t of the whole table; missing values add to that as in the equal distance."""
    inside, expected = _groups(condition, histogram, reference, trees)
    distance = 0.0
    for group in range(len(inside)):
        distance += max(0.0, expected[group] - inside[group] / rows)
    if condition.missing:
        u, v = moved_by_missing(condition, histogram, reference, rows)
        distance += min(u, v)
    return distance <= condition.limit + TOLERANCE


@inner
def rows_kept(condition, histogram, reference, rows, trees):
    """The most rows whose distance may be t, whichever of the class they are; what missing values add is left out."""
    inside, expected = _groups(condition, histogram, reference, trees)
    return rows_within(condition.limit, inside, expected, rows)


@inner
def _groups(condition, histogram, reference, trees):
    """The rows of the class and the shares of the whole table under each node of the tree but the root, both times how
    far below its parent it stands: what a node has too little of comes down to it from there."""
    parent, height, sums = trees
    first, nodes = condition.tree, condition.root - condition.tree
    inside, expected = sums[0, : nodes + 1], sums[1, : nodes + 1]
    for node in range(nodes + 1):
        inside[node] = 0.0
        expected[node] = 0.0
    for value in range(len(histogram)):
        inside[value] = histogram[value]
        expected[value] = reference[value]
    for node in range(nodes):
        up = parent[first + node]
        inside[up] += inside[node]
        expected[up] += expected[node]
        fall = height[first + up] - height[first + node]
        inside[node] *= fall
        expected[node] *= fall
    return inside[:nodes], expected[:nodes]
