"""Classes formed of rows made to hold of persons: those that do not are put together where it costs least, or suppressed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from techniques.core.subjects import Persons
from techniques.core.tuples import TupleKeys
from techniques.models.conditions.entries import Members
from techniques.models.k_anonymity.crowds import persons_by_class, smallest_by_person
from techniques.models.k_anonymity.grouping import by_class
from techniques.models.k_anonymity.sensitive import Formed, SensitiveOfPersons
from techniques.models.k_anonymity.solution import most_persons
from techniques.models.local_recoding.costs import Units, class_costs, covering
from techniques.models.local_recoding.forming import Classes, Task
from techniques.models.local_recoding.merging import put_together

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Demand:
    """What classes of units have to hold of their ``persons``: k of them, the conditions, and the bound of the average."""

    persons: Persons
    sensitive: Sequence[SensitiveOfPersons]
    k: int
    average_risk: float | None

    def of_units(self, of_entry: NDArray[np.int32], units: int) -> Demand:
        """The same of the units that entries fall into."""
        members = Members(*by_class(of_entry, units))
        start = self.persons.start
        persons = Persons.of(np.repeat(of_entry, np.diff(start)), self.persons.person, units)
        return Demand(persons, [one.merged(members) for one in self.sensitive], self.k, self.average_risk)

    def sizes(self, class_of: NDArray[np.int32], classes: int) -> NDArray[np.int64]:
        """Persons of each class; units of class -1 are in none."""
        ordered = by_class(_with_none(class_of), classes + 1)
        number: NDArray[np.int64] = persons_by_class(*ordered, *self.persons)
        return number[1:]

    def average(self, class_of: NDArray[np.int32], sizes: NDArray[np.int64]) -> float:
        """The mean over persons of 1 / persons of the smallest of their classes."""
        number = np.append(0, sizes)
        kept = np.append(False, sizes > 0)
        least = smallest_by_person(_with_none(class_of), number, kept, *self.persons)
        left = least[least > 0]
        return float((1 / left).mean()) if len(left) else 0.0

    def failing(self, class_of: NDArray[np.int32], classes: int, k: int) -> NDArray[np.bool_]:
        """Which classes have fewer than ``k`` persons or break a condition; none that is empty."""
        sizes = self.sizes(class_of, classes)
        kept = np.append(False, sizes >= k)
        formed = Formed(_with_none(class_of), np.append(0, sizes))
        for one in self.sensitive:
            one.judge(formed, k, kept, np.zeros(classes + 1, dtype=np.int64))
        return ~kept[1:] & (sizes > 0)


def allowed(task: Task, units: Units, made: Classes | None, whose: Demand | None) -> bool:
    """Whether ``made`` suppresses no more of the rows, and leaves no more of the persons without a row, than the limit."""
    if made is None or int(units.rows[made[0] < 0].sum()) > task.most:
        return False
    return whose is None or whose.persons.without(made[0] >= 0) <= most_persons(task.limit, whose.persons)


def _with_none(class_of: NDArray[np.int32]) -> NDArray[np.int32]:
    """Classes from 1 on; 0 are the units without one."""
    return class_of + np.int32(1)


def of_persons(task: Task, units: Units, demand: Demand, made: Classes | None) -> Classes | None:
    """The classes ``made`` of rows, put together until they hold the demand; None where they cannot."""
    if made is None:
        return None
    found = _held(task, units, demand, made, demand.k)
    if found is None or demand.average_risk is None:
        return found
    if demand.average(found[0], demand.sizes(*found)) <= demand.average_risk + _ROUNDING:
        return found
    # Where no class is smaller than the average's own share nobody's risk is above it.
    return _held(task, units, demand, found, math.ceil(1 / demand.average_risk - _ROUNDING))


def _held(task: Task, units: Units, demand: Demand, made: Classes, k: int) -> Classes | None:
    class_of, classes = _renumbered(made[0])
    while True:
        failing = demand.failing(class_of, classes, k)
        if not failing.any():
            alike = reading_alike(task, units, class_of, classes) if demand.sensitive else None
            if alike is None:
                return class_of, classes
            # Who reads the file sees one class, in which a person may have several values.
            class_of, classes = alike
            continue
        into = put_together(task.costs, units, class_of, classes, failing)
        class_of, classes = _without_dear(task, units, class_of, classes, failing, into)
        if int(units.rows[class_of < 0].sum()) > task.most:
            return None
        class_of, classes = _renumbered(class_of)


def _without_dear(
    task: Task,
    units: Units,
    class_of: NDArray[np.int32],
    classes: int,
    failing: NDArray[np.bool_],
    into: tuple[NDArray[np.int32], NDArray[np.float64]],
) -> Classes:
    """Failing classes join the one that they are put ``into``, or are suppressed where that costs less, within the limit,
    or where there is none."""
    partner, rise = into
    kept = class_of >= 0
    rows = np.bincount(class_of[kept], weights=units.rows[kept], minlength=classes).astype(np.int64)
    cost = class_costs(task.costs, covering(task.costs.columns, units.cells, class_of, classes))
    alone = failing & ((partner < 0) | (rise > (task.whole - cost) * rows + _ROUNDING))
    spare = task.most - int(units.rows[~kept].sum())
    number = np.arange(classes, dtype=np.int32)
    for here in np.flatnonzero(alone)[np.argsort(rows[alone], kind="stable")]:
        if partner[here] < 0 or rows[here] <= spare:
            spare -= rows[here]
            number[here] = -1
    joins = failing & (partner >= 0) & (number >= 0)
    taken = number < 0
    for here in np.flatnonzero(joins)[np.argsort(rise[joins], kind="stable")]:
        there = partner[here]
        if not taken[here] and not taken[there]:
            taken[here] = taken[there] = True
            number[max(here, there)] = min(here, there)
    return np.append(number, np.int32(-1))[class_of], classes


def _renumbered(class_of: NDArray[np.int32]) -> Classes:
    """The classes that are there, from 0 on."""
    kept = class_of >= 0
    used, number = np.unique(class_of[kept], return_inverse=True)
    made = np.full(len(class_of), -1, dtype=np.int32)
    made[kept] = number.reshape(-1)
    return made, len(used)


def reading_alike(task: Task, units: Units, class_of: NDArray[np.int32], classes: int) -> Classes | None:
    """Classes that read the same as one; None where no two do."""
    first, last = covering(task.costs.columns, units.cells, class_of, classes)
    labels = []
    for i, shape in enumerate(task.shapes):
        pairs, at = np.unique(np.column_stack([first[:, i], last[:, i]]), axis=0, return_inverse=True)
        texts = shape.labels(pairs[:, 0], pairs[:, 1])
        known = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        labels.append(np.array([known[text] for text in texts], dtype=np.int32)[at.reshape(-1)])
    keys = TupleKeys([int(one.max(initial=0)) + 1 for one in labels]).encode(labels)
    used, number = np.unique(keys, return_inverse=True)
    if len(used) == classes:
        return None
    return np.append(number.reshape(-1), -1).astype(np.int32)[class_of], len(used)
