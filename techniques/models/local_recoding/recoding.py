"""Local recoding of a table: from codes to classes to labels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.hierarchies import ROOT
from techniques.messages import EngineError, gettext_noop
from techniques.models.k_anonymity.kernels import grouped
from techniques.models.k_anonymity.sensitive import DISTINCT, EQUAL, Sensitive
from techniques.models.local_recoding.holding import conditions_of, holds
from techniques.models.local_recoding.merging import merged
from techniques.models.local_recoding.moving import class_costs, covering, improve, orders
from techniques.models.local_recoding.peeling import key_ladder, nodes_by_loss, peel
from techniques.models.local_recoding.placing import place_left
from techniques.models.local_recoding.shapes import CLIMB, NUMBER, SET, TABLE, Shape, packed, whole_cost
from techniques.models.local_recoding.splitting import split
from techniques.operations import StringArray
from techniques.tuples import Codes, TupleKeys

_NODES_PER_UNIT = 1 / 45
"""Share of the nodes of the lattice at which a unit is looked at on average."""
_MOST_VISITS = 20_000_000
_USUAL_K = 5
_CLOSENESS = 10
"""Both limits grow with k above the usual one and, so many times, for closeness: more units stay in for longer."""
_WHOLE_LATTICE = 60_000
"""Nodes from which on not all are tried, so that classes may be left that can be split."""
_SWEEPS = 3
_WINDOW = 2
_STRICTER = 0.93
"""Share of t that classes are formed with, so that rows left over still find a place in them."""
_MOST_FOR_MOVES = 200_000
"""Units up to which classes are improved unit by unit."""
Tick = Callable[[float], None]


@dataclass(frozen=True)
class Recoded:
    """What became of a table of T entries: ``codes[i]`` (T, -1 missing) into ``dictionaries[i]``, the class of each
    (-1 for none); ``suppressed`` marks those whose cells are all ``*``, ``suppressed_rows`` are their rows."""

    dictionaries: list[StringArray]
    codes: list[Codes]
    class_of: NDArray[np.int32]
    suppressed: NDArray[np.bool_]
    suppressed_rows: int
    classes: int
    smallest: int
    shares: NDArray[np.float64]
    """Per column the mean share of its values under a cell, a value kept being one of them."""
    ncp: float
    """Mean normalised certainty penalty of a cell: 0 where the value is kept, 1 where it is suppressed."""


@dataclass
class _Units:
    """Distinct combinations: ``cells`` (T, m) places, ``rows`` of each, ``values`` (T, s) sensitive ones."""

    cells: NDArray[np.uint32]
    rows: NDArray[np.int64]
    values: NDArray[np.int32]
    of_row: NDArray[Any]


@dataclass(frozen=True)
class _Task:
    """What classes have to hold, and the arrays that the kernels take."""

    shapes: Sequence[Shape]
    weights: list[float]
    ncp: bool
    arrays: tuple[NDArray[Any], ...]
    whole: float
    conditions: tuple[Any, ...]
    share_of: NDArray[np.float64]
    size: int
    sizes: NDArray[np.int64]

    @property
    def judged(self) -> tuple[int, tuple[Any, ...], NDArray[np.float64]]:
        return self.size, self.conditions, self.share_of


def recode(
    shapes: Sequence[Shape],
    codes: Sequence[Codes],
    k: int,
    *,
    counts: NDArray[np.int64] | None = None,
    sensitive: Sequence[tuple[Sensitive, NDArray[np.int32]]] = (),
    limit: float = 0.0,
    average_risk: float | None = None,
    weights: Sequence[float] | None = None,
    tick: Tick = lambda share: None,
) -> Recoded:
    """Generalise a table of m columns class by class, so that all conditions hold and little is lost.

    ``codes[i]`` (T, -1 missing) are rows, or combinations that ``counts`` (T) rows share; ``sensitive`` are attributes
    with their conditions and the number of each entry's value. Rows are suppressed only where no class can take them,
    at most ``limit`` (0 … 1) of them. ``average_risk`` bounds classes / rows. The order of the entries changes
    nothing. Raises EngineError ``k_too_large`` and ``no_solution``.
    """
    entries = len(codes[0]) if codes else 0
    n = entries if counts is None else int(counts.sum())
    if n < k:
        raise EngineError(
            "k_too_large",
            gettext_noop("k is %(k)d, but only %(rows)d rows are left to form a class."),
            k=k,
            rows=n,
        )
    weights = [1.0] * len(shapes) if weights is None else list(weights)
    ncp = any(shape.kind in (NUMBER, SET) for shape in shapes)
    task = _Task(
        shapes, weights, ncp, packed(shapes, weights, ncp), whole_cost(shapes, weights, ncp),
        *conditions_of([one for one, _ in sensitive]), np.array([shape.size for shape in shapes]),
    )  # fmt: skip
    units = _units(
        shapes, codes, [values for _, values in sensitive], [one.size for one, _ in sensitive], counts
    )
    tick(0.1)
    best: tuple[float, NDArray[np.int32], int] | None = None
    tries = _sizes_to_try(k, average_risk, len(units.rows))
    for number, least in enumerate(tries):
        if best is not None and number == len(tries) - 1 > 0:
            break  # the last one, of classes that hold the average anyway, is for want of another
        made = _classes(task, units, k, least, n, limit, average_risk)
        tick(0.1 + 0.8 * (number + 1) / len(tries))
        if made is None:
            continue
        cost = _total(task, units, *made)
        if best is None or cost < best[0] - 1e-9:
            best = (cost, *made)
    if best is None:
        raise EngineError(
            "no_solution",
            gettext_noop(
                "No allowed generalisation reaches k = %(k)d and all other conditions with at most %(limit)s %% of "
                "the rows suppressed. Allow higher levels or more suppression."
            ),
            k=k,
            limit=f"{100 * limit:g}",
        )
    return _written(shapes, units, best[1], best[2], task.arrays, n)


def _sizes_to_try(k: int, average_risk: float | None, units: int) -> list[int]:
    """Class sizes to form classes with: k, and where the average is bounded larger ones, that in the middle because it
    mostly loses less, the one that holds the average by itself if putting classes together does not get there."""
    most = k if average_risk is None else max(k, math.ceil(1 / average_risk - 1e-9))
    if most == k:
        return [k]
    between = [round((k * most) ** 0.5)] if units <= _MOST_FOR_MOVES else []
    return sorted({k, *between, most})


def _classes(
    task: _Task, units: _Units, k: int, formed: int, n: int, limit: float, average_risk: float | None
) -> tuple[NDArray[np.int32], int] | None:
    """(class of each unit, number of classes) with classes formed of at least ``formed`` rows; None where more than
    ``limit`` of the rows are left over or too many classes stay."""
    kinds = set(task.conditions[0].tolist())
    stricter = task.conditions
    if EQUAL in kinds:
        stricter = (*stricter[:3], stricter[3] * _STRICTER, *stricter[4:])
    class_of, classes = _peeled(task, units, formed, stricter)
    if classes == 0 and n >= formed:
        _try_as_one(task, units, class_of, n)
        classes = int(class_of.max(initial=-1)) + 1
    over = _placed(task, units, class_of, classes, 0)
    if over > limit * n + 1e-9:
        return None
    nodes = np.prod([float(len(shape.levels)) for shape in task.shapes])
    if task.ncp or nodes > _WHOLE_LATTICE:
        classes = split(
            *task.arrays, units.cells, units.rows, units.values, class_of, classes, formed, *task.judged
        )
    most = classes if average_risk is None else int((n - over) * average_risk + 1e-9)
    if classes > most:
        class_of, classes = merged(task.arrays, units.cells, task.sizes, units.rows, class_of, classes, most)
        if classes > most:
            return None
    if (task.ncp or kinds - {DISTINCT} or average_risk is not None) and len(units.rows) <= _MOST_FOR_MOVES:
        order = orders(units.cells, task.sizes)
        improve(
            *task.arrays, units.cells, units.rows, units.values, class_of, classes, order, _WINDOW, _SWEEPS,
            k, *task.judged,
        )  # fmt: skip
    _dissolve_roots(task, units, class_of, classes, int(limit * n + 1e-9), average_risk)
    return class_of, classes


def _try_as_one(task: _Task, units: _Units, class_of: NDArray[np.int32], n: int) -> None:
    """The table as one class, if that is allowed and holds the conditions."""
    counts = np.bincount(
        units.values.ravel(), weights=np.repeat(units.rows, units.values.shape[1]), minlength=task.size
    )
    one = np.zeros(len(class_of), dtype=np.int32)
    if holds(counts.astype(np.int64), n, task.conditions, task.share_of) and np.isfinite(
        class_costs(*task.arrays, *covering(task.arrays[0], units.cells, one, 1))[0]
    ):
        class_of[:] = 0


def _placed(task: _Task, units: _Units, class_of: NDArray[np.int32], classes: int, bearable: int) -> int:
    """Give units without a class one where possible, in place; the rows left over."""
    over = place_left(
        *task.arrays, units.cells, units.rows, units.values, class_of, classes, task.whole, bearable, *task.judged
    )  # fmt: skip
    return int(over)


def _total(task: _Task, units: _Units, class_of: NDArray[np.int32], classes: int) -> float:
    """Cost of all rows, a suppressed one losing everything."""
    cost = class_costs(*task.arrays, *covering(task.arrays[0], units.cells, class_of, classes))
    return float((np.append(cost, task.whole)[class_of] * units.rows).sum())


def _dissolve_roots(
    task: _Task,
    units: _Units,
    class_of: NDArray[np.int32],
    classes: int,
    most: int,
    average_risk: float | None,
) -> None:
    """A class of which nothing is told is suppressed in all but name: its units find another place or are
    suppressed, as far as the limit of ``most`` rows and the bound of the average allow."""
    cost = class_costs(*task.arrays, *covering(task.arrays[0], units.cells, class_of, classes))
    roots = (
        np.append(cost >= task.whole - 1e-9, False) if task.whole > 0 else np.zeros(classes + 1, dtype=bool)
    )
    if not roots.any():
        return
    tried = np.where(roots[class_of], np.int32(-1), class_of)
    over = _placed(task, units, tried, classes, most)
    if over > most:
        return
    left = len(np.unique(tried[tried >= 0]))
    if average_risk is None or left <= (int(units.rows.sum()) - over) * average_risk + 1e-9:
        class_of[:] = tried


def _units(
    shapes: Sequence[Shape], codes: Sequence[Codes], values: list[NDArray[np.int32]], sizes: list[int],
    counts: NDArray[np.int64] | None,
) -> _Units:  # fmt: skip
    """Distinct combinations in the order of their values, whatever the order of the entries."""
    places = [shape.place[column + 1] for shape, column in zip(shapes, codes, strict=True)]
    keys = TupleKeys([*(shape.size for shape in shapes), *sizes]).encode([*places, *values])
    weights = np.ones(len(keys), dtype=np.int64) if counts is None else counts
    if keys.dtype.names is None:
        of_row, rows, first = grouped(keys, weights)
        order = np.argsort(keys[first])
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        of_row, rows, first = rank[of_row], rows[order], first[order]
    else:
        _, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
        rows = np.bincount(of_row, weights=weights)
    cells = np.empty((len(first), len(places)), dtype=np.uint32)
    for i, column in enumerate(places):
        cells[:, i] = column[first]
    held = np.zeros((len(first), len(values)), dtype=np.int32)
    start = 0
    for i, column in enumerate(values):
        held[:, i] = column[first] + start
        start += sizes[i]
    return _Units(cells, rows.astype(np.int64), held, of_row)


def _peeled(task: _Task, units: _Units, k: int, conditions: tuple[Any, ...]) -> tuple[NDArray[np.int32], int]:
    ladders, losses = [], []
    total = units.rows.sum()
    for i, (shape, weight) in enumerate(zip(task.shapes, task.weights, strict=True)):
        levels, shares = _ladder(shape, k)
        rows = np.bincount(units.cells[:, i], weights=units.rows, minlength=shape.size)
        ladders.append(levels)
        losses.append(weight * (shares @ rows) / total)
    ladder, exact = key_ladder(ladders)
    starts = np.cumsum([0, *(levels.size for levels in ladders)]).astype(np.int64)
    widths = np.array([shape.size for shape in task.shapes], dtype=np.int64)
    nodes = nodes_by_loss(losses)
    longer = max(k / _USUAL_K, 1.0) * (_CLOSENESS if set(conditions[0].tolist()) - {DISTINCT} else 1)
    budget = longer * min(_NODES_PER_UNIT * len(nodes) * len(units.rows), _MOST_VISITS)
    found, classes = peel(
        units.cells, units.rows, units.values, ladder, exact, starts, widths, nodes, k, budget,
        task.size, conditions, task.share_of,
    )  # fmt: skip
    return found, int(classes)


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


def _written(
    shapes: Sequence[Shape], units: _Units, class_of: NDArray[np.int32], classes: int, arrays: tuple[NDArray[Any], ...],
    n: int,
) -> Recoded:  # fmt: skip
    """Labels of the classes as dictionaries, codes of the rows, and the figures."""
    first, last = covering(arrays[0], units.cells, class_of, classes)
    lost = class_of < 0
    rows = np.bincount(class_of[~lost], weights=units.rows[~lost], minlength=classes).astype(np.int64)
    used = np.flatnonzero(rows)  # classes that have lost their last unit drop out
    rows, first, last = rows[used], first[used], last[used]
    renumber = np.full(classes + 1, -1, dtype=np.int32)
    renumber[used] = np.arange(len(used), dtype=np.int32)
    row_class = renumber[class_of][units.of_row]
    suppressed = row_class < 0
    gone = n - int(rows.sum())
    dictionaries, codes, labels, shares = [], [], [], []
    penalty = 0.0
    for i, shape in enumerate(shapes):
        key = first[:, i] if shape.kind == SET else first[:, i] * shape.size + last[:, i]
        _, sample, at = np.unique(key, return_index=True, return_inverse=True)
        a, b = first[sample, i], last[sample, i]
        texts = shape.labels(a, b)
        encoded = pa.array([*texts, ROOT], pa.string()).dictionary_encode()
        own = np.asarray(encoded.indices.fill_null(-1)).astype(np.int32)
        labels.append(own[:-1][at.reshape(-1)])
        dictionaries.append(encoded.dictionary)
        codes.append(np.append(labels[-1], own[-1])[row_class])
        here = np.bincount(at.reshape(-1), weights=rows, minlength=len(a))
        shares.append((float(shape.under(a, b) @ here) / shape.leaves + gone) / n)
        penalty += (float(shape.penalty(a, b) @ here) + gone) / n
    # Classes that read the same are one.
    keys = TupleKeys([len(dictionary) for dictionary in dictionaries]).encode(labels)
    _, same = np.unique(keys, return_inverse=True)
    same = same.reshape(-1).astype(np.int32)
    number = np.bincount(same, weights=rows).astype(np.int64)
    return Recoded(
        dictionaries, codes, np.append(same, np.int32(-1))[row_class], suppressed, gone, len(number),
        int(number.min()) if len(number) else 0, np.array(shares), penalty / max(len(shapes), 1),
    )  # fmt: skip
