"""Suppressed rows that stay, and a class that is ``*`` throughout, are one class in the file: they hold together, or all go."""

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
    if made is None or not task.stay or not (made[0] < 0).any():
        return made
    roots = _roots(task, units, made)
    if not len(roots):
        return made
    class_of, classes = made
    hidden = (class_of < 0) | np.isin(class_of, roots)
    together = np.where(hidden, np.int32(roots[0]), class_of), classes
    if _holds(task, units, together, hidden, whose) and _keeps_average(task, units, together, whose):
        return together
    gone = np.where(hidden, np.int32(-1), class_of), classes
    if allowed(task, units, gone, whose) and _keeps_average(task, units, gone, whose):
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


def _keeps_average(task: Task, units: Units, made: Classes, whose: Demand | None) -> bool:
    class_of, classes = made
    if task.average_risk is None:
        return True
    if whose is None:
        gone = int(units.rows[class_of < 0].sum())
        return len(np.unique(class_of[class_of >= 0])) <= task.most_classes(gone)
    return whose.average(class_of, whose.sizes(class_of, classes)) <= task.average_risk + _ROUNDING
