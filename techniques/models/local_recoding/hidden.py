"""A class that is ``*`` throughout reads as suppressed rows do. With those that stay it is one class in the file: they hold together, or all
go. And who does not count suppressed rows does not count it either, so a bound of the average holds with it and without it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.hierarchies import ROOT
from techniques.models.local_recoding.costs import Units, covering
from techniques.models.local_recoding.forming import Classes, Task, hold
from techniques.models.local_recoding.persons import Demand, allowed

_ROUNDING = 1e-9


def settled(task: Task, units: Units, made: Classes | None, whose: Demand | None) -> Classes | None:
    """The classes with those rows in one that holds every condition, else all of them suppressed; None where the limit or the
    average does not allow that."""
    if made is None:
        return None
    stay = task.stay and bool((made[0] < 0).any())
    if not stay and task.average_risk is None:
        return made
    roots = _roots(task, units, made)
    if not len(roots):
        return made
    class_of, classes = made
    if not stay:
        return made if _keeps_average(task, units, made, whose, roots) else None
    hidden = (class_of < 0) | np.isin(class_of, roots)
    together = np.where(hidden, np.int32(roots[0]), class_of), classes
    if _holds(task, units, together, hidden, whose) and _keeps_average(task, units, together, whose, roots):
        return together
    gone = np.where(hidden, np.int32(-1), class_of), classes
    if allowed(task, units, gone, whose) and _keeps_average(task, units, gone, whose, roots):
        return gone
    return None


def _roots(task: Task, units: Units, made: Classes) -> NDArray[np.int32]:
    """The classes, none that is empty, that read ``*`` in every column."""
    class_of, classes = made
    used = np.unique(class_of[class_of >= 0])
    first, last = covering(task.costs.columns, units.cells, class_of, classes)
    for i, shape in enumerate(task.shapes):
        texts = shape.labels(first[used, i], last[used, i])
        used = used[np.array([text == ROOT for text in texts], dtype=bool)]
    return used


def _holds(task: Task, units: Units, made: Classes, hidden: NDArray[np.bool_], whose: Demand | None) -> bool:
    if whose is None:
        return int(units.rows[hidden].sum()) >= task.k and hold(task, units, hidden)
    return not whose.failing(*made, whose.k).any()


def _keeps_average(
    task: Task, units: Units, made: Classes, whose: Demand | None, roots: NDArray[np.int32]
) -> bool:
    """Whether the bound of the average holds, with the classes ``roots`` and without them."""
    class_of, classes = made
    if task.average_risk is None:
        return True
    for counted in (class_of, np.where(np.isin(class_of, roots), np.int32(-1), class_of)):
        if whose is None:
            gone = int(units.rows[counted < 0].sum())
            if len(np.unique(counted[counted >= 0])) > task.most_classes(gone):
                return False
        elif whose.average(counted, whose.sizes(counted, classes)) > task.average_risk + _ROUNDING:
            return False
    return True
