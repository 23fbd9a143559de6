"""Units that no class has taken, put where they cost least."""

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled
from techniques.models.local_recoding.costs import cell_cost, joint_cost, widened
from techniques.models.local_recoding.holding import holds
from techniques.models.local_recoding.moving import class_costs, covering


@compiled
def place_left(  # type: ignore[no-untyped-def]
    meta, amounts, codes, cells, weights, values, class_of, classes, whole, price, bearable, size, conditions, share_of
):  # fmt: skip
    """Give units of class -1 a class in place; the rows that are left over.

    A unit goes where the conditions go on holding and the cost grows least: first only if that is less than ``whole`` a
    row; of what is then left every unit while more than ``bearable`` rows are left over, and after that those that cost
    less than ``price`` times as much. Work: units left x classes x columns.
    """
    first, last = covering(meta, cells, class_of, classes)
    cost = class_costs(meta, amounts, codes, first, last)
    rows = np.zeros(classes, np.int64)
    judged = len(conditions[0]) > 0
    histograms = np.zeros((classes if judged else 1, size), np.int64)
    over = np.int64(0)
    for unit in range(len(class_of)):
        here = class_of[unit]
        if here < 0:
            over += weights[unit]
            continue
        rows[here] += weights[unit]
        if judged:
            for s in range(values.shape[1]):
                histograms[here, values[unit, s]] += weights[unit]
    for attempt in range(2):
        for unit in range(len(class_of)):
            if class_of[unit] >= 0:
                continue
            own = weights[unit]
            worth = whole * own * (price if attempt else 1.0)
            best, target = np.inf if attempt and over > bearable else worth, -1
            for here in range(classes):
                if rows[here] == 0:
                    continue
                enough = (best + cost[here] * rows[here]) / (rows[here] + own)
                joined = joint_cost(meta, amounts, codes, first, last, here, cells, unit, enough)
                if joined >= enough:
                    continue
                if judged:
                    for s in range(values.shape[1]):
                        histograms[here, values[unit, s]] += own
                    good = holds(histograms[here], rows[here] + own, conditions, share_of)
                    for s in range(values.shape[1]):
                        histograms[here, values[unit, s]] -= own
                    if not good:
                        continue
                best, target = joined * (rows[here] + own) - cost[here] * rows[here], here
            if target < 0:
                continue
            class_of[unit] = target
            over -= own
            rows[target] += own
            total = 0.0
            for column in range(cells.shape[1]):
                a, b = widened(
                    meta[column, 0], first[target, column], last[target, column], cells[unit, column]
                )
                first[target, column] = a
                last[target, column] = b
                total += cell_cost(meta, amounts, codes, column, a, b)
            cost[target] = total
            if judged:
                for s in range(values.shape[1]):
                    histograms[target, values[unit, s]] += own
    return over
