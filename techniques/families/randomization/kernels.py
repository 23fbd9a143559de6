"""Inner loops of microaggregation."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled, inner, reordered


@reordered
def _distances(points, codes, weights, count, centre, modes, found):
    """Squared distances of the first ``count`` points (m, n) from ``centre``; a category (c, n) that differs adds its weight."""
    for row in range(count):
        found[row] = 0.0
    for column in range(points.shape[0]):
        middle = centre[column]
        line = points[column]
        for row in range(count):
            gap = line[row] - middle
            found[row] += gap * gap
    for column in range(codes.shape[0]):
        mode = modes[column]
        weight = weights[column]
        here = codes[column]
        for row in range(count):
            found[row] += 0.0 if here[row] == mode else weight


@inner
def _farthest(found, count):
    best = 0
    for row in range(1, count):
        if found[row] > found[best]:
            best = row
    return best


@inner
def _nearest(found, count, k, chosen, far):
    """Positions of the k smallest distances, rising, ties by position; the farthest of all."""
    held = 0
    worst = np.inf
    best = 0
    for row in range(count):
        here = found[row]
        if here > found[best]:
            best = row
        if held == k and here >= worst:
            continue
        place = held if held < k else k - 1
        while place > 0 and far[place - 1] > here:
            far[place] = far[place - 1]
            chosen[place] = chosen[place - 1]
            place -= 1
        far[place] = here
        chosen[place] = row
        if held < k:
            held += 1
        worst = far[held - 1]
    return best


@inner
def _take(points, codes, numbers, count, chosen, group, groups, total, occurring):
    """Move the chosen points out of the first ``count``; their numbers get the group."""
    ordered = np.sort(chosen)
    for i in range(len(ordered) - 1, -1, -1):
        row = ordered[i]
        groups[numbers[row]] = group
        count -= 1
        for column in range(points.shape[0]):
            total[column] -= points[column, row]
            points[column, row] = points[column, count]
        for column in range(codes.shape[0]):
            occurring[column, codes[column, row]] -= 1
            codes[column, row] = codes[column, count]
        numbers[row] = numbers[count]
    return count


@inner
def _middle(total, occurring, count, centre, modes):
    """The mean of the points that are left, and their most frequent categories."""
    for column in range(len(centre)):
        centre[column] = total[column] / count
    for column in range(len(modes)):
        modes[column] = np.argmax(occurring[column])


@inner
def _place(points, codes, row, centre, modes):
    """One point itself."""
    for column in range(len(centre)):
        centre[column] = points[column, row]
    for column in range(len(modes)):
        modes[column] = codes[column, row]


@compiled
def mdav(points, codes, weights, most, k):
    """MDAV (Domingo-Ferrer and Torra 2005): group of each of n points, given as numbers (m, n) and categories (c, n).

    Codes are below ``most``. ``points`` and ``codes`` are used up.
    """
    columns, rows = points.shape
    groups = np.full(rows, -1, np.int32)
    numbers = np.arange(rows)
    found = np.empty(rows)
    chosen, far = np.empty(k, np.int64), np.empty(k)
    centre, total = np.empty(columns), np.zeros(columns)
    modes = np.zeros(codes.shape[0], np.int32)
    occurring = np.zeros((codes.shape[0], most), np.int64)
    for column in range(columns):
        for row in range(rows):
            total[column] += points[column, row]
    for column in range(codes.shape[0]):
        for row in range(rows):
            occurring[column, codes[column, row]] += 1
    count, group = rows, 0
    while count >= 2 * k:
        _middle(total, occurring, count, centre, modes)
        _distances(points, codes, weights, count, centre, modes, found)
        first = _farthest(found, count)
        _place(points, codes, first, centre, modes)
        _distances(points, codes, weights, count, centre, modes, found)
        second = _nearest(found, count, k, chosen, far)
        _place(points, codes, second, centre, modes)
        count = _take(points, codes, numbers, count, chosen, group, groups, total, occurring)
        group += 1
        if count < 2 * k:
            break
        _distances(points, codes, weights, count, centre, modes, found)
        _nearest(found, count, k, chosen, far)
        count = _take(points, codes, numbers, count, chosen, group, groups, total, occurring)
        group += 1
    for row in range(count):
        groups[numbers[row]] = group
    return groups


@compiled
def optimal(numbers, k):
    """The best grouping of n rising numbers (Hansen and Mukherjee 2003): the start of the last group of each prefix."""
    rows = len(numbers)
    sums, squares = np.zeros(rows + 1), np.zeros(rows + 1)
    for row in range(rows):
        sums[row + 1] = sums[row] + numbers[row]
        squares[row + 1] = squares[row] + numbers[row] * numbers[row]
    cost = np.full(rows + 1, np.inf)
    start = np.zeros(rows + 1, np.int64)
    cost[0] = 0.0
    for end in range(k, rows + 1):
        for size in range(k, min(2 * k - 1, end) + 1):
            begin = end - size
            part = sums[end] - sums[begin]
            here = cost[begin] + squares[end] - squares[begin] - part * part / size
            if here < cost[end]:
                cost[end] = here
                start[end] = begin
    return start
