"""Classes for (α,l)-diversity k-anonymity: by the paper's Algorithm 1, or by local recoding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from techniques.core.messages import EngineError
from techniques.core.subjects import Persons, persons
from techniques.core.tuples import Codes
from techniques.models.k_anonymity.grouping import looked_up
from techniques.models.k_anonymity.sensitive import Sensitive
from techniques.models.k_anonymity.solution import no_solution, require_enough
from techniques.models.local_recoding.costs import Units
from techniques.models.local_recoding.forming import Classes, Task
from techniques.models.local_recoding.persons import Demand, of_persons, reading_alike
from techniques.models.local_recoding.recoding import Recoded, recode, written
from techniques.models.local_recoding.shapes import Shape
from techniques.models.personalized.sensitivity import Numbers, Sensitivity
from techniques.models.personalized.top_down import clustered

Attribute = tuple[Sensitivity, Numbers]
"""A sensitive attribute and the value of each row."""


@dataclass(frozen=True)
class Goal:
    """What every class has to hold of each sensitive attribute, in rows, or in persons where rows have ``subjects``.

    A class of ``l`` different values has as many rows, so it is the larger of ``k`` and ``l`` that counts.
    """

    k: int
    l: int = 1  # noqa: E741 - the model's own letter
    alpha: float = 1.0

    @property
    def least(self) -> int:
        return max(self.k, self.l)

    @property
    def bare(self) -> bool:
        """Whether it is k-anonymity alone."""
        return self.l <= 1 and self.alpha >= 1


def by_algorithm_1(
    shapes: Sequence[Shape],
    codes: Sequence[Codes],
    attributes: Sequence[Attribute],
    goal: Goal,
    seed: int,
    subjects: NDArray[np.integer] | None = None,
) -> NDArray[np.int32]:
    """The class of each of n rows; where persons are counted, classes that have too few come together where it costs least.

    Raises EngineError ``k_too_large`` and ``no_solution``.
    """
    demand = _demand(attributes, goal, subjects)
    _task, _units, made = _divided(
        shapes, codes, _required(attributes, goal), goal.least, np.random.default_rng(seed), demand
    )
    return made[0]


def recoded_by_algorithm_1(
    shapes: Sequence[Shape],
    codes: Sequence[Codes],
    sensitive: Sequence[tuple[Sensitive, NDArray[np.int32]]],
    k: int,
    random: np.random.Generator,
    demand: Demand | None = None,
    weights: Sequence[float] | None = None,
) -> Recoded:
    """The recoded table of n rows, by conditions of any kind. Raises what :func:`by_algorithm_1` raises."""
    n = len(codes[0])
    task, units, made = _divided(shapes, codes, sensitive, k, random, demand, weights)
    return written(shapes, units, np.arange(n, dtype=np.int32), made, task.costs, n, demand)


def _divided(
    shapes: Sequence[Shape],
    codes: Sequence[Codes],
    sensitive: Sequence[tuple[Sensitive, NDArray[np.int32]]],
    k: int,
    random: np.random.Generator,
    demand: Demand | None,
    weights: Sequence[float] | None = None,
) -> tuple[Task, Units, Classes]:
    """The classes, with what they were formed from: each row is a unit."""
    n = len(codes[0])
    require_enough(k, n, None if demand is None else demand.persons)
    task = Task.of(
        shapes, weights or [1.0] * len(shapes), [one for one, _values in sensitive], k, n, 0.0, None
    )
    cells = np.column_stack(
        [looked_up(shape.place, column) for shape, column in zip(shapes, codes, strict=True)]
    )
    values = np.zeros((n, len(sensitive)), dtype=np.int32)
    first = 0
    for number, (one, numbers) in enumerate(sensitive):
        values[:, number] = numbers + first
        first += one.size
    units = Units(cells.astype(np.uint32), np.ones(n, dtype=np.int64), values)
    made = clustered(task.costs, units, k, task.requirements, random)
    if demand is None:
        return task, units, reading_alike(task, units, *made) or made
    found = of_persons(task, units, demand, made)
    if found is None:
        raise no_solution(k, 0.0, of_persons=True)
    return task, units, found


def by_recoding(
    shapes: Sequence[Shape],
    codes: Sequence[Codes],
    attributes: Sequence[Attribute],
    goal: Goal,
    subjects: NDArray[np.integer] | None = None,
    *,
    moved: bool = True,
) -> NDArray[np.int32]:
    """The same by local recoding, which forms classes from fine to coarse, cuts them and, where rows are ``moved``, moves rows between them.

    Where the table allows, every class has one row (or person) more than the goal asks: for a little of what is gained in detail
    fewer values are recognised than after Algorithm 1.
    """
    demand = _demand(attributes, goal, subjects)
    sensitive = _required(attributes, goal)

    def formed(least: int) -> NDArray[np.int32]:
        more = None if demand is None else replace(demand, k=least)
        return recode(shapes, codes, least, sensitive=sensitive, demand=more, moved=moved).class_of

    try:
        return formed(goal.least + 1)
    except EngineError as refused:
        if refused.code not in ("k_too_large", "no_solution", "effort_used_up"):
            raise
        return formed(goal.least)


def _required(attributes: Sequence[Attribute], goal: Goal) -> list[tuple[Sensitive, NDArray[np.int32]]]:
    if goal.bare:
        return []
    return [sensitivity.conditions(values, goal.l, goal.alpha) for sensitivity, values in attributes]


def _demand(
    attributes: Sequence[Attribute], goal: Goal, subjects: NDArray[np.integer] | None
) -> Demand | None:
    if subjects is None:
        return None
    who, number = persons(subjects)
    of_rows = Persons.of(np.arange(len(who)), subjects, len(who))
    required = [] if goal.bare else [
        sensitivity.conditions_of_persons(values, goal.l, goal.alpha, who, number)
        for sensitivity, values in attributes
    ]  # fmt: skip
    return Demand(of_rows, required, goal.least, None)
