"""Inner loops of synthesis: classification trees over binned columns, and nearest rows."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled, inner

FEATURE, CUT, LEFT, RIGHT, FIRST, END = range(6)
"""Columns of a tree's nodes: the feature by which a node is split, -1 for a leaf, the last bin of the left side, the left
and the right child, and the node's rows, ``FIRST`` … ``END`` - 1."""
ROUNDING = 1e-6
"""How far a sum of weights that make up whole persons may lie beside their number."""


@inner
def _best_split(bins, classes, weights, rows, start, end, features, bin_count, class_count, leaf, counts):
    """Feature and last bin of the left side of the best split of the rows start … end-1; -1 for none."""
    size = end - start
    total = np.zeros(class_count)
    for place in range(start, end):
        total[classes[rows[place]]] += 1
    base = 0.0
    for k in range(class_count):
        base += total[k] * total[k]
    base /= size
    best_feature, best_bin, best_gain = -1, -1, 1e-9 * size
    if base >= size:
        return best_feature, best_bin  # one class alone
    left = np.zeros(class_count)
    weighted, weight = len(weights) > 0, 0.0
    held = np.zeros(bin_count if weighted else 0)
    if weighted:
        for place in range(start, end):
            weight += weights[rows[place]]
    for feature in range(features):
        counts[:, :] = 0
        held[:] = 0
        line = bins[feature]
        lowest, highest = bin_count, 0
        for place in range(start, end):
            row = rows[place]
            here = line[row]
            counts[here, classes[row]] += 1
            if weighted:
                held[here] += weights[row]
            lowest = min(lowest, here)
            highest = max(highest, here)
        left[:] = 0
        left_size, left_weight = 0, 0.0
        for cut in range(lowest, highest):
            squares_left, squares_right = 0.0, 0.0
            for k in range(class_count):
                left[k] += counts[cut, k]
                left_size += counts[cut, k]
                squares_left += left[k] * left[k]
                right = total[k] - left[k]
                squares_right += right * right
            if weighted:
                left_weight += held[cut]
                if left_weight < leaf - ROUNDING or weight - left_weight < leaf - ROUNDING:
                    continue
            if left_size < leaf:
                continue
            if size - left_size < leaf:
                break
            gain = squares_left / left_size + squares_right / (size - left_size) - base
            if gain > best_gain:
                best_feature, best_bin, best_gain = feature, cut, gain
    return best_feature, best_bin


@compiled
def grow(bins, classes, weights, bin_count, class_count, leaf, rows, nodes):
    """Grow a tree by Gini impurity. ``bins`` (m, n), ``classes`` (n); ``rows`` (n) is put into the order of the leaves.

    A leaf has ``leaf`` rows at least; where ``weights`` (n,) are given, whose sum over the rows of a person is 1, so many
    persons. (0,) where every row counts. Returns the number of ``nodes``; what does not fit into them is not split.
    """
    features = bins.shape[0]
    counts = np.zeros((bin_count, class_count), np.int32)
    side = np.empty(len(rows), rows.dtype)
    used = 1
    nodes[0, FIRST], nodes[0, END] = 0, len(rows)
    current = 0
    while current < used:
        start, end = nodes[current, FIRST], nodes[current, END]
        feature, cut = -1, -1
        if end - start >= 2 * leaf and used + 2 <= len(nodes):
            feature, cut = _best_split(
                bins, classes, weights, rows, start, end, features, bin_count, class_count, leaf, counts
            )
        nodes[current, FEATURE] = feature
        if feature >= 0:
            place, waiting = start, 0
            for i in range(start, end):
                row = rows[i]
                if bins[feature, row] <= cut:
                    rows[place] = row
                    place += 1
                else:
                    side[waiting] = row
                    waiting += 1
            for i in range(waiting):
                rows[place + i] = side[i]
            nodes[current, CUT], nodes[current, LEFT], nodes[current, RIGHT] = cut, used, used + 1
            nodes[used, FIRST], nodes[used, END] = start, place
            nodes[used + 1, FIRST], nodes[used + 1, END] = place, end
            used += 2
        current += 1
    return used


@compiled
def leaves(bins, nodes, found):
    """The leaf (its number among the nodes) of each of n made-up rows, ``bins`` (m, n)."""
    for row in range(len(found)):
        node = 0
        while nodes[node, FEATURE] >= 0:
            node = (
                nodes[node, LEFT]
                if bins[nodes[node, FEATURE], row] <= nodes[node, CUT]
                else nodes[node, RIGHT]
            )
        found[row] = node


@compiled
def nearest(numbers, codes, other_numbers, other_codes, found):
    """Distance of each of n rows to the closest of N others: gaps of numbers and differing categories, added up."""
    width, extra = numbers.shape[1], codes.shape[1]
    for row in range(len(found)):
        best = np.inf
        for other in range(len(other_numbers)):
            gap = 0.0
            for j in range(extra):
                if codes[row, j] != other_codes[other, j]:
                    gap += 1.0
            if gap >= best:
                continue
            for i in range(width):
                gap += abs(numbers[row, i] - other_numbers[other, i])
            best = min(best, gap)
        found[row] = best
