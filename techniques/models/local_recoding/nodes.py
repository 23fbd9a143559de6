"""Nodes of the lattice of levels in the order of what they lose, and the keys of combinations at a node."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_WHOLE_LATTICE = 60_000
_NODES = 20_000
_PATHS = 200
_TOGETHER = 1 << 16
"""Entries of the ladder of several columns taken together."""
_COLUMNS_AT_ONCE = 3
"""Columns that a key is made from at a time."""


class NodeKeys(NamedTuple):
    """Keys of T combinations at each of N nodes: the sum over M columns, a multiple of three, of
    ``ladder[starts[node, column] + cells[column, combination]]``."""

    cells: NDArray[np.uint32]
    """(M, T)"""
    ladder: NDArray[np.uint64]
    starts: NDArray[np.int64]
    """(N, M)"""
    exact: bool
    """Whether combinations of one key are always the same; otherwise they must be compared column by column."""


def nodes_by_loss(losses: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """Nodes (N, m) of a lattice by rising sum of ``losses[i][level]``.

    Of a lattice too large to be gone through, the lowest nodes and ways from some of them to the top.
    """
    widths = [len(one) for one in losses]
    if np.prod([float(width) for width in widths]) <= _WHOLE_LATTICE:
        total = np.zeros(())
        for one in losses:
            total = np.add.outer(total, one)
        order = np.argsort(total.ravel(), kind="stable")
        return np.ascontiguousarray(np.array(np.unravel_index(order, tuple(widths))).T)
    start = (0,) * len(widths)
    heap, seen = [(0.0, start)], {start}
    found: list[tuple[int, ...]] = []
    while heap and len(found) < _NODES:
        loss, node = heapq.heappop(heap)
        found.append(node)
        for i, level in enumerate(node):
            raised = (*node[:i], level + 1, *node[i + 1 :])
            if level + 1 < widths[i] and raised not in seen:
                seen.add(raised)
                heapq.heappush(heap, (loss + float(losses[i][level + 1] - losses[i][level]), raised))
    known = set(found)
    for node in found[:: len(found) // _PATHS]:
        known.update(path_up(losses, node))
    nodes = np.array(sorted(known), dtype=np.int64)
    total = np.array([one[nodes[:, i]] for i, one in enumerate(losses)]).sum(axis=0)
    return nodes[np.argsort(total, kind="stable")]


def path_up(losses: Sequence[NDArray[np.float64]], node: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Nodes from ``node`` to the top, each raising the column that loses least by it."""
    path: list[tuple[int, ...]] = []
    while True:
        steps = [
            (float(one[level + 1] - one[level]), i)
            for i, (one, level) in enumerate(zip(losses, node, strict=True))
            if level + 1 < len(one)
        ]
        if not steps:
            return path
        i = min(steps)[1]
        node = (*node[:i], node[i] + 1, *node[i + 1 :])
        path.append(node)


def key_ladder(levels: Sequence[NDArray[np.int64]]) -> tuple[list[NDArray[np.uint64]], bool]:
    """The part of a key that each code (last axis) of a column adds at each level, and whether keys are exact.

    Where 64 bits are too few for that, the codes are spread by odd numbers, which keeps those of a column apart.
    """
    radix, parts, product_ = [], [], 1
    for one in levels:
        radix.append(product_)
        product_ *= int(one.max(initial=0)) + 1
    exact = product_ < 1 << 63
    for i, one in enumerate(levels):
        factor = np.uint64(radix[i] if exact else pow(0x9E3779B97F4A7C15, 2 * i + 1, 1 << 64))
        parts.append(one.astype(np.uint64) * factor)
    return parts, exact


def together(
    cells: NDArray[np.uint32], levels: Sequence[NDArray[np.int64]], nodes: NDArray[np.int64]
) -> NodeKeys:
    """The keys of combinations, ``cells`` (T, m), at ``nodes`` (N, m levels).

    ``levels[i]`` (L, n) are the codes of column i by level. Columns of few values and levels are taken together as one,
    so that M is mostly small.
    """
    parts, exact = key_ladder(levels)
    most = min(_TOGETHER, 4 * len(cells)) if exact else 0
    joined: list[tuple[Any, NDArray[np.uint64], NDArray[np.int64]]] = []
    for i in np.argsort([one.size for one in levels], kind="stable"):
        code, ladder, level = cells[:, i].astype(np.uint32), parts[i], nodes[:, i]
        if joined and joined[-1][1].size * ladder.size <= most:
            others, their, at = joined.pop()
            code = others * np.uint32(ladder.shape[1]) + code
            level = at * len(ladder) + level
            both = their[:, None, :, None] + ladder[None, :, None, :]
            ladder = both.reshape(len(their) * len(ladder), -1)
        joined.append((code, ladder, level))
    begin = np.cumsum([0, *(ladder.size for _, ladder, _ in joined)])
    columns = -(-len(joined) // _COLUMNS_AT_ONCE) * _COLUMNS_AT_ONCE
    cells = np.zeros((columns, len(cells)), dtype=np.uint32)
    starts = np.full((len(nodes), columns), begin[-1], dtype=np.int64)  # where nothing is added
    for i, (code, ladder, level) in enumerate(joined):
        cells[i] = code
        starts[:, i] = begin[i] + level * ladder.shape[1]
    ladders = np.concatenate([*(ladder.ravel() for _, ladder, _ in joined), np.zeros(1, np.uint64)])
    return NodeKeys(cells, ladders, starts, exact)
