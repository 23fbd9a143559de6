"""Units that no class has taken, put where they cost least."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from techniques.core.compiling import compiled
from techniques.models.conditions.judging import all_hold
from techniques.models.local_recoding.costs import class_costs, covering, joint_cost, row_cost, widened
from techniques.models.local_recoding.moving import count


@compiled
def place_left(costs, units, requirements, class_of, classes, whole, price, bearable):
    """Give units of class -1 a class in place; the rows that are left over.

    A unit goes where the conditions go on holding and the cost grows least: first only if that is less than ``whole`` a
    row; of what is then left every unit while more than ``bearable`` rows are left over, and after that those that cost
    less than ``price`` times as much. Work: units left x classes x columns.
    """
    extents = covering(costs.columns, units.cells, class_of, classes)
    cost = class_costs(costs, extents)
    rows = np.zeros(classes, np.int64)
    judged = len(requirements.conditions) > 0
    histograms = np.zeros((classes if judged else 1, len(requirements.shares)), np.int64)
    over = np.int64(0)
    for unit in range(len(class_of)):
        here = class_of[unit]
        if here < 0:
            over += units.rows[unit]
            continue
        rows[here] += units.rows[unit]
        if judged:
            count(histograms[here], units.values, unit, units.rows[unit])
    for attempt in range(2):
        for unit in range(len(class_of)):
            if class_of[unit] >= 0:
                continue
            own = units.rows[unit]
            worth = whole * own * (price if attempt else 1.0)
            best, target = np.inf if attempt and over > bearable else worth, -1
            for here in range(classes):
                if rows[here] == 0:
                    continue
                enough = (best + cost[here] * rows[here]) / (rows[here] + own)
                joined = joint_cost(costs, extents, here, units, unit, enough)
                if joined >= enough:
                    continue
                if judged:
                    count(histograms[here], units.values, unit, own)
                    good = all_hold(histograms[here], rows[here] + own, requirements)
                    count(histograms[here], units.values, unit, -own)
                    if not good:
                        continue
                best, target = joined * (rows[here] + own) - cost[here] * rows[here], here
            if target < 0:
                continue
            class_of[unit] = target
            over -= own
            rows[target] += own
            first, last = extents.first[target], extents.last[target]
            for column in range(len(first)):
                first[column], last[column] = widened(
                    costs.columns[column].kind, first[column], last[column], units.cells[unit, column]
                )
            cost[target] = row_cost(costs, first, last)
            if judged:
                count(histograms[target], units.values, unit, own)
    return over
