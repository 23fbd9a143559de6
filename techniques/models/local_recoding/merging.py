"""Putting classes together until they are few enough for a bound on the average risk, where it costs least.

Every condition of a class holds for a union of classes that hold it, so nothing has to be judged again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.models.local_recoding.costs import Extents, Units, cell_cost, class_costs, covering, united
from techniques.models.local_recoding.moving import orders
from techniques.models.local_recoding.shapes import Costs

_EVERY_PAIR = 400
"""Classes up to which every pair is looked at; of more, neighbours in several orders."""
_WINDOW = 6
_SHARE = 8
"""One in so many classes is put together with another before all are looked at again."""


def merged(
    costs: Costs,
    units: Units,
    class_of: NDArray[np.int32],
    classes: int,
    most: int,
) -> tuple[NDArray[np.int32], int]:
    """(class of each unit, number of classes): at most ``most`` where columns may be generalised that far.

    ``class_of`` (T, -1 for none) numbers non-empty classes from 0 to ``classes`` - 1. Work per round, of which there
    are about 8 log(classes / most): classes x orders x columns.
    """
    while classes > max(most, 1):
        extents = covering(costs.columns, units.cells, class_of, classes)
        kept = class_of >= 0
        rows = np.bincount(class_of[kept], weights=units.rows[kept], minlength=classes).astype(np.int64)
        cost = class_costs(costs, extents)
        arrangements = _arrangements(costs, extents, classes)
        every = np.ones(classes, dtype=bool)
        partner, rise = _partners(costs, extents, rows, cost, arrangements, _window(classes), every)
        into = np.arange(classes, dtype=np.int32)
        taken = np.zeros(classes, dtype=bool)
        wanted = min(classes - most, max(classes // _SHARE, 1))
        for here in np.argsort(rise, kind="stable"):
            there = partner[here]
            if wanted == 0 or not np.isfinite(rise[here]):
                break
            if not taken[here] and not taken[there]:
                taken[here] = taken[there] = True
                into[max(here, there)] = min(here, there)
                wanted -= 1
        left, number = np.unique(into, return_inverse=True)
        if len(left) == classes:
            break
        class_of = np.where(kept, number.reshape(-1)[class_of], -1).astype(np.int32)
        classes = len(left)
    return class_of, classes


def put_together(
    costs: Costs, units: Units, class_of: NDArray[np.int32], classes: int, wanted: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """For each class that is ``wanted`` the one with which it costs least more (-1: none), and how much more."""
    extents = covering(costs.columns, units.cells, class_of, classes)
    kept = class_of >= 0
    rows = np.bincount(class_of[kept], weights=units.rows[kept], minlength=classes).astype(np.int64)
    arrangements = _arrangements(costs, extents, classes)
    partner, rise = _partners(
        costs, extents, rows, class_costs(costs, extents), arrangements, _window(classes), wanted
    )
    return partner.astype(np.int32), rise


def _window(classes: int) -> int:
    """How many neighbours of a class are looked at in each order."""
    return classes if classes <= _EVERY_PAIR else _WINDOW


def _arrangements(costs: Costs, extents: Extents, classes: int) -> NDArray[np.int32]:
    """Orders of the classes; one where every pair is looked at."""
    found = orders(extents.first, costs.columns["size"])
    return found[:1] if classes <= _EVERY_PAIR else found


@compiled
def _partners(costs, extents, rows, cost, arrangements, window, wanted):  # type: ignore[no-untyped-def]
    """For each class, of two that are not both unwanted, the one with which it costs least more, and how much; infinite
    where there is none."""
    first, last = extents.first, extents.last
    classes, columns = first.shape
    partner = np.full(classes, -1, np.int64)
    rise = np.full(classes, np.inf)
    for number in range(len(arrangements)):
        for at in range(classes):
            here = arrangements[number, at]
            for near in range(at + 1, min(at + window + 1, classes)):
                there = arrangements[number, near]
                if not (wanted[here] or wanted[there]):
                    continue
                total = 0.0
                for column in range(columns):
                    a, b = united(
                        costs.columns[column].kind,
                        first[here, column],
                        last[here, column],
                        first[there, column],
                        last[there, column],
                    )
                    total += cell_cost(costs, column, a, b)
                more = (
                    total * (rows[here] + rows[there]) - cost[here] * rows[here] - cost[there] * rows[there]
                )
                if more < rise[here]:
                    rise[here], partner[here] = more, there
                if more < rise[there]:
                    rise[there], partner[there] = more, here
    return partner, rise
