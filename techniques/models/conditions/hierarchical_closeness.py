"""t-closeness by a hierarchy of the values (B.1.3): rows moved up to common ancestors, by how high these stand."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from techniques.core.compiling import inner
from techniques.models.conditions import equal_closeness


@inner
def holds(condition, histogram, rows, unknown, trees):
    """Whether the class is within t of the whole table. Leaves its groups in ``trees.room`` for :func:`rows_kept`."""
    found, room = _groups(condition, histogram, trees), trees.room
    room[0, 0] = found
    return equal_closeness.holds(condition, room[1, :found], room[2, :found], rows, unknown)


@inner
def rows_kept(condition, rows, unknown, trees):
    """The most rows whose distance may be t, whichever they are of the class that :func:`holds` saw last."""
    room, found = trees.room, int(trees.room[0, 0])
    return equal_closeness.rows_kept(condition, room[1, :found], room[2, :found], rows, unknown)


@inner
def _groups(condition, histogram, trees):
    """Find the nodes of the tree that have known rows of the class under them: these rows and the share of the whole table
    there, both times the node's fall. The number of such nodes.

    What a node has too little of comes down to it from its parent: with these groups for values the distance is that of
    equally distant values.
    """
    parent, fall, shares, room = trees
    rows, inside, expected = room[0], room[1], room[2]
    first, nodes = condition.tree, condition.root - condition.tree
    for node in range(nodes):
        rows[node] = histogram[node] if node < len(histogram) else 0.0
    if condition.missing:
        rows[0] = 0.0
    found = 0
    for node in range(nodes):
        if rows[node] > 0.0:
            rows[parent[first + node]] += rows[node]
            inside[found] = rows[node] * fall[first + node]
            expected[found] = shares[first + node]
            found += 1
    return found
