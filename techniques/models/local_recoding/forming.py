"""Forming classes: from fine to coarse, what is left where it costs least, then one improvement after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from techniques.models.conditions.judging import CLOSENESS, DISTINCT, EQUAL, all_hold
from techniques.models.conditions.values import Requirements
from techniques.models.k_anonymity.sensitive import Sensitive
from techniques.models.local_recoding.costs import Units, class_costs, covering
from techniques.models.local_recoding.merging import merged
from techniques.models.local_recoding.moving import improve, orders
from techniques.models.local_recoding.nodes import nodes_by_loss, together
from techniques.models.local_recoding.peeling import TellingValues, peel
from techniques.models.local_recoding.placing import place_left
from techniques.models.local_recoding.shapes import (
    CLIMB,
    NUMBER,
    SET,
    TABLE,
    Costs,
    Shape,
    costs_of,
    whole_cost,
)
from techniques.models.local_recoding.splitting import split

_NODES_PER_UNIT = 1 / 20
"""Share of the nodes of the lattice at which a unit is looked at on average."""
_MOST_VISITS = 60_000_000
_DEFAULT_K = 5
_CLOSENESS = 10
"""Both limits grow with k above the usual one and, so many times, for closeness: more units stay in for longer."""
_WHOLE_LATTICE = 60_000
"""Nodes from which on not all are tried, so that classes may be left that can be split."""
FEW = 2_000
"""Units up to which every improvement is tried, because it takes no time."""
_PRICES = (4.0, 1.0)
"""Whole rows that a row left over has to save by being suppressed; the second is tried too where units are few."""
_STRICTER = 0.93
"""Share of t that classes are formed with, so that rows left over still find a place in them."""
_MOST_FOR_MOVES = 200_000
"""Units up to which classes are improved unit by unit."""
_BITS = 64
_ROUNDING = 1e-9
Classes = tuple[NDArray[np.int32], int]
"""(class of each unit, -1 for a suppressed one; number of classes, of which some may be empty)."""


@dataclass(frozen=True)
class Task:
    """The conditions of classes and their cost. A class has ``k`` of the ``n`` rows at least; ``most`` rows, which are
    ``limit`` (0 … 1) of them, may be suppressed, and classes / rows of what is left may not be above ``average_risk``. ``stay``:
    suppressed rows stay in the table, ``*`` in every column. ``moved``: rows move between classes that are formed.
    """

    shapes: Sequence[Shape]
    weights: list[float]
    sensitive: Sequence[Sensitive]
    k: int
    n: int
    most: int
    average_risk: float | None
    ncp: bool
    costs: Costs
    whole: float
    requirements: Requirements
    limit: float
    stay: bool
    moved: bool = True

    @classmethod
    def of(
        cls, shapes: Sequence[Shape], weights: Sequence[float], sensitive: Sequence[Sensitive], k: int, n: int,
        limit: float, average_risk: float | None, stay: bool = True, moved: bool = True,
    ) -> Task:  # fmt: skip
        """The task for columns of these ``shapes`` with ``limit`` (0 … 1) of the rows to suppress at most."""
        weights = list(weights)
        ncp = any(shape.kind in (NUMBER, SET) for shape in shapes)
        return cls(
            shapes, weights, sensitive, k, n, int(limit * n + _ROUNDING), average_risk, ncp,
            costs_of(shapes, weights, ncp), whole_cost(shapes, weights, ncp), Requirements.of(sensitive), limit, stay, moved,
        )  # fmt: skip

    def most_classes(self, suppressed: int) -> int:
        """As many classes as the average allows once so many rows are suppressed."""
        kept = self.n - suppressed
        return kept if self.average_risk is None else int(kept * self.average_risk + _ROUNDING)

    def spare(self, suppressed: int, classes: int) -> int:
        """Rows that may be suppressed beyond those that are."""
        room = self.most - suppressed
        if self.average_risk is None:
            return room
        return min(room, self.n - suppressed - math.ceil(classes / self.average_risk - _ROUNDING))


def sizes_to_try(k: int, average_risk: float | None, units: int) -> list[int]:
    """Class sizes to form classes with: k, and larger ones where the average is bounded. The middle one mostly loses
    less; the largest holds the average by itself if putting classes together does not."""
    most = k if average_risk is None else max(k, math.ceil(1 / average_risk - 1e-9))
    if most == k:
        return [k]
    between = [round((k * most) ** 0.5)] if units <= _MOST_FOR_MOVES else []
    return sorted({k, *between, most})


def formed(task: Task, units: Units, least: int) -> Classes | None:
    """Classes formed of at least ``least`` rows; None where more rows than allowed are left over or too many classes
    stay."""
    class_of, classes = _peeled(task, units, least, stricter(task.requirements))
    if classes == 0 and task.n >= least:
        _try_as_one(task, units, class_of)
        classes = int(class_of.max(initial=-1)) + 1
    nodes = np.prod([float(len(shape.levels)) for shape in task.shapes])
    cut = task.ncp or bool(nodes > _WHOLE_LATTICE)
    return improved(task, units, class_of, classes, least, cut)


def stricter(requirements: Requirements) -> Requirements:
    """The conditions to form classes with: where equal closeness is asked for, every t a little lower."""
    if EQUAL not in requirements.kinds:
        return requirements
    conditions = requirements.conditions.copy()
    conditions["limit"][np.isin(conditions["kind"], CLOSENESS)] *= _STRICTER
    return requirements._replace(conditions=conditions)


def improved(
    task: Task, units: Units, class_of: NDArray[np.int32], classes: int, least: int, cut: bool
) -> Classes | None:
    """Classes made better: units without one get one where that costs less than suppressing them, classes are cut
    (``cut``) into parts of ``least`` rows, put together for the average, and units move.

    None where more rows than allowed are left over or too many classes stay.
    """
    few = len(units.rows) <= FEW
    if not (few and task.most and (class_of < 0).any()):
        return _improved(task, units, class_of.copy(), classes, least, cut or few, _PRICES[0])
    made = [_improved(task, units, class_of.copy(), classes, least, True, price) for price in _PRICES]
    return cheapest(task, units, made)


def _improved(
    task: Task, units: Units, class_of: NDArray[np.int32], classes: int, least: int, cut: bool, price: float
) -> Classes | None:
    over = _placed(task, units, class_of, classes, price, task.most)
    if over > task.most:
        return None
    if cut:
        classes = split(task.costs, units, task.requirements, class_of, classes, least)
    most = task.most_classes(over)
    if classes > most:
        class_of, classes = merged(task.costs, units, class_of, classes, most)
        if classes > most:
            return None
    few = len(units.rows) <= FEW
    moves = few or task.ncp or task.requirements.kinds - {DISTINCT} or task.average_risk is not None
    if task.moved and moves and len(units.rows) <= _MOST_FOR_MOVES:
        order = orders(units.cells, task.costs.columns["size"])
        spare = task.spare(over, classes)
        improve(task.costs, units, task.requirements, class_of, classes, order, task.k, task.whole, spare)
    return _without_roots(task, units, class_of, classes), classes


def _costs(task: Task, units: Units, class_of: NDArray[np.int32], classes: int) -> NDArray[np.float64]:
    found: NDArray[np.float64] = class_costs(
        task.costs, covering(task.costs.columns, units.cells, class_of, classes)
    )
    return found


def cost_of(task: Task, units: Units, made: Classes) -> float:
    """Cost of all rows, a suppressed one losing everything."""
    class_of, classes = made
    cost = _costs(task, units, class_of, classes)
    return float((np.append(cost, task.whole)[class_of] * units.rows).sum())


def cheapest(task: Task, units: Units, made: Sequence[Classes | None]) -> Classes | None:
    """Which of these costs least, the first of those that cost as little; None where there is none."""
    there = [one for one in made if one is not None]
    if len(there) < 2:
        return there[0] if there else None
    costs = [cost_of(task, units, one) for one in there]
    least = min(costs)
    return next(one for one, cost in zip(there, costs, strict=True) if cost <= least + _ROUNDING)


def _try_as_one(task: Task, units: Units, class_of: NDArray[np.int32]) -> None:
    """The table as one class, if that is allowed and holds the conditions."""
    one = np.zeros(len(class_of), dtype=np.int32)
    if hold(task, units, one == 0) and np.isfinite(_costs(task, units, one, 1)[0]):
        class_of[:] = 0


def hold(task: Task, units: Units, inside: NDArray[np.bool_]) -> bool:
    """Whether these units hold the conditions together."""
    rows, values = units.rows[inside], units.values[inside]
    counts = np.bincount(
        values.ravel(), weights=np.repeat(rows, values.shape[1]), minlength=len(task.requirements.shares)
    )
    return bool(all_hold(counts.astype(np.int64), int(rows.sum()), task.requirements))


def _placed(
    task: Task, units: Units, class_of: NDArray[np.int32], classes: int, price: float, bearable: int
) -> int:
    """Give units without a class one where possible, in place; the rows left over."""
    over = place_left(task.costs, units, task.requirements, class_of, classes, task.whole, price, bearable)
    return int(over)


def _without_roots(task: Task, units: Units, class_of: NDArray[np.int32], classes: int) -> NDArray[np.int32]:
    """Dissolve classes that show nothing, which are suppressed in all but name. Their units move where they lose
    less; the others are suppressed, or stay if the limit or the bound of the average does not allow that."""
    cost = _costs(task, units, class_of, classes)
    roots = (
        np.append(cost >= task.whole - _ROUNDING, False)
        if task.whole > 0
        else np.zeros(classes + 1, dtype=bool)
    )
    out = roots[class_of]
    if not out.any():
        return class_of
    tried = np.where(out, np.int32(-1), class_of)
    over = _placed(task, units, tried, classes, 1.0, task.n)
    if over > task.most:
        out &= tried < 0
        if int(units.rows[out].sum()) < task.k or not hold(task, units, out):
            return class_of
        tried[out] = np.flatnonzero(roots)[0]
        over -= int(units.rows[out].sum())
    if len(np.unique(tried[tried >= 0])) > task.most_classes(over):
        return class_of
    return tried


def _peeled(task: Task, units: Units, k: int, requirements: Requirements) -> Classes:
    ladders, losses = [], []
    total = units.rows.sum()
    for i, (shape, weight) in enumerate(zip(task.shapes, task.weights, strict=True)):
        levels, shares = _ladder(shape, k)
        rows = np.bincount(units.cells[:, i], weights=units.rows, minlength=shape.size)
        ladders.append(levels)
        losses.append(weight * (shares @ rows) / total)
    nodes = nodes_by_loss(losses)
    keys = together(units.cells, ladders, nodes)
    longer = max(k / _DEFAULT_K, 1.0) * (_CLOSENESS if requirements.kinds - {DISTINCT} else 1)
    budget = longer * min(_NODES_PER_UNIT * len(nodes) * len(units.rows), _MOST_VISITS)
    found, classes = peel(units, keys, telling_values(units, requirements), requirements, k, budget)
    return found, int(classes)


def telling_values(units: Units, requirements: Requirements) -> TellingValues:
    """The values that the first condition on a number of distinct ones tells apart, unless they are too many."""
    for condition in requirements.conditions:
        number = int(condition["end"] - condition["first"])
        if condition["kind"] == DISTINCT and number <= _BITS:
            of = units.values - condition["first"]
            inside = (of >= condition["missing"]) & (of < number)
            one = np.where(inside, of, 0).max(axis=1)
            bits = np.where(inside.any(axis=1), np.uint64(1) << one.astype(np.uint64), np.uint64(0))
            return TellingValues(bits, int(np.ceil(condition["limit"])))
    return TellingValues(np.zeros(1, np.uint64), 0)


def _ladder(shape: Shape, k: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Levels (L, n) to form classes by, and what a value is expected to cost at each."""
    if shape.kind in (TABLE, CLIMB):
        return shape.levels, shape.shares
    n = shape.size
    same, none = np.arange(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    if shape.kind == SET:
        return np.array([same, none]), np.array([np.zeros(n), np.full(n, min(k, n) / 2 / shape.leaves)])
    levels, shares = [same], [np.zeros(n)]
    width = 2.0 / max(n - 1, 1)
    while width < 1:
        step = 1 + np.floor(shape.position / width).astype(np.int64)
        step[0] = 0
        levels.append(step)
        shares.append(np.full(n, width / 2))
        width *= 2
    return np.array([*levels, none]), np.array([*shares, np.full(n, 0.6)])
