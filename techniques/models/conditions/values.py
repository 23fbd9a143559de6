"""The conditions on sensitive attributes, and the arrays that tell kernels of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import inner

TOLERANCE = 1e-12
"""Rounding that a condition forgives."""
HALVINGS = 8
"""Steps of a bisection for the rows that a class may keep; the answer errs on the safe side."""


class Condition(NamedTuple):
    """One condition on one sensitive attribute; ``kind`` is its place in :data:`judging.KINDS`."""

    kind: int
    limit: float
    factor: float


@dataclass(frozen=True)
class Tree:
    """A value hierarchy for the hierarchical distance: nodes level by level, the V values first.

    ``parent`` has an entry for each node but the root, which comes last; ``height`` is a node's level
    divided by that of the root.
    """

    parent: NDArray[np.int64]
    height: NDArray[np.float64]

    @classmethod
    def flat(cls, values: int) -> Tree:
        """All values under one root, for conditions that need no tree."""
        return cls(np.full(values, values, np.int64), np.append(np.zeros(values), 1.0))


class SensitiveAttribute(Protocol):
    """A sensitive attribute of V values: its conditions, and what is known of its values in the whole table."""

    conditions: list[Condition]
    size: int
    """V, the missing value included."""
    missing: bool
    """Whether the value 0 is a missing one."""
    rows: float
    """Rows of the whole table, suppressed ones included."""
    reference: NDArray[np.float64]
    """Shares (V,) of the values in the whole table."""
    tree: Tree
    levels: NDArray[np.int64]
    """Sensitivity level (V,) of each value, from 0."""


RECORD = np.dtype(
    [
        ("kind", np.int64),
        ("limit", np.float64),
        ("factor", np.float64),
        ("first", np.int64),
        ("end", np.int64),
        ("missing", np.bool_),
        ("rows", np.float64),
        ("root", np.int64),
        ("tree", np.int64),
    ],
    align=True,
)
"""A condition in a kernel. Its attribute has the values ``first`` … ``end`` - 1, the first of them ``missing`` or not, in
a table of ``rows``; its tree the nodes ``tree`` … ``root``."""


class Trees(NamedTuple):
    """The trees of all attributes, one behind the other, parents counted from the first node of their own tree."""

    parent: NDArray[np.int64]
    fall: NDArray[np.float64]
    """How far each node stands below its parent; the falls from the root to a value add up to 1."""
    shares: NDArray[np.float64]
    """Share of the whole table under each node, times its fall."""
    room: NDArray[np.float64]
    """(3, nodes) to work in: no two threads may judge by the same arrays."""


class Requirements(NamedTuple):
    """All conditions as kernels take them. The values of all attributes are numbered one behind the other."""

    conditions: NDArray[Any]
    """Of the type :data:`RECORD`."""
    shares: NDArray[np.float64]
    """Share of each value in the whole table."""
    trees: Trees
    levels: NDArray[np.int64]
    """Sensitivity level of each value, from 0 for each attribute."""

    @classmethod
    def of(cls, attributes: Sequence[SensitiveAttribute]) -> Requirements:
        """The conditions of these attributes, in their order."""
        records: list[tuple[Any, ...]] = []
        parents, falls, under, shares = [np.empty(0, np.int64)], [np.empty(0)], [np.empty(0)], [np.empty(0)]
        value = node = 0
        for one in attributes:
            parent, height = one.tree.parent, one.tree.height
            nodes = len(height)
            records += [
                (*condition, value, value + one.size, one.missing, one.rows,
                 node + nodes - 1, node)
                for condition in one.conditions
            ]  # fmt: skip
            parents.append(np.append(parent, -1))
            falls.append(np.append(height[parent] - height[:-1], 0.0))
            inside = np.append(one.reference, np.zeros(nodes - one.size))
            for level in np.unique(height[:-1]):
                here = np.flatnonzero(height[:-1] == level)
                np.add.at(inside, parent[here], inside[here])
            under.append(inside * falls[-1])
            shares.append(one.reference)
            value += one.size
            node += nodes
        trees = Trees(
            np.concatenate(parents), np.concatenate(falls), np.concatenate(under), np.zeros((3, node))
        )
        levels = np.concatenate([np.empty(0, np.int64), *(one.levels for one in attributes)])
        return cls(np.array(records, RECORD), np.concatenate(shares), trees, levels)

    @property
    def kinds(self) -> set[int]:
        return set(self.conditions["kind"].tolist())


@inner
def moved_by_missing(condition, histogram, reference, rows):  # type: ignore[no-untyped-def]
    """(u, v): what the missing values of a class of ``rows`` rows and those elsewhere can move, as shares. The missing
    value is the first."""
    here = histogram[0] / condition.rows
    return histogram[0] / rows - here, max(0.0, reference[0] - here)
