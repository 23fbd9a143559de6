"""Local recoding of a table: from codes to classes to labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.messages import _
from techniques.core.operations import StringArray
from techniques.core.tuples import Codes, TupleKeys
from techniques.hierarchies import ROOT
from techniques.models.k_anonymity.grouping import grouped, looked_up
from techniques.models.k_anonymity.sensitive import Sensitive
from techniques.models.k_anonymity.solution import most_persons, no_solution, require_enough
from techniques.models.local_recoding.costs import Units, covering
from techniques.models.local_recoding.forming import Classes, Task, cheapest, formed, sizes_to_try
from techniques.models.local_recoding.hidden import settled
from techniques.models.local_recoding.persons import Demand, allowed, of_persons
from techniques.models.local_recoding.shapes import SET, Costs, Shape
from techniques.models.local_recoding.starting import no_worse

Tick = Callable[[float], None]


@dataclass(frozen=True)
class Recoded:
    """A recoded table of T entries: ``codes[i]`` (T, -1 missing) into ``dictionaries[i]``, the class of each
    (-1 for none); ``suppressed`` marks those whose cells are all ``*``, ``suppressed_rows`` are their rows."""

    dictionaries: list[StringArray]
    codes: list[Codes]
    class_of: NDArray[np.int32]
    suppressed: NDArray[np.bool_]
    suppressed_rows: int
    classes: int
    smallest: int
    """Rows, or persons, of the smallest class."""
    shares: NDArray[np.float64]
    """Per column the mean share of its values under a cell, a value kept being one of them."""
    ncp: float
    """Mean normalised certainty penalty of a cell: 0 where the value is kept, 1 where it is suppressed."""
    average_risk: float
    """Classes per row that is kept; of persons the mean of 1 / smallest class of each who is left."""


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
    effort: int = 100_000,
    tick: Tick = lambda share: None,
    demand: Demand | None = None,
    stay: bool = True,
    moved: bool = True,
) -> Recoded:
    """Generalise a table of m columns class by class, so that all conditions hold and little is lost.

    ``codes[i]`` (T, -1 missing) are rows, or combinations that ``counts`` (T) rows share; ``sensitive`` are attributes
    with their conditions and the number of each entry's value. At most ``limit`` (0 … 1) of the rows are suppressed,
    and at most so many of the persons have no other, where no class can take them or the others keep more by it. ``average_risk`` bounds classes / rows. No full-domain
    solution keeps more detail, as far as ``effort`` (nodes) and the size of the table allow to look at them all. The
    order of the entries changes nothing. ``demand``: what has to hold of the persons of the entries. ``stay``: suppressed rows are
    left in the table. Not ``moved``: no row moves between classes once they are formed, which is faster and loses a little more.
    Raises EngineError ``k_too_large`` and ``no_solution``.
    """
    entries = len(codes[0]) if codes else 0
    n = entries if counts is None else int(counts.sum())
    if limit < 1 or not n:
        require_enough(k, n, None if demand is None else demand.persons)
    weights = [1.0] * len(shapes) if weights is None else weights
    task = Task.of(
        shapes, weights, [one for one, _values in sensitive], k, n, limit, average_risk, stay, moved
    )
    units, of_row = _units(
        shapes,
        codes,
        [values for _one, values in sensitive],
        [one.size for one, _values in sensitive],
        counts,
    )
    whose = None if demand is None else demand.of_units(of_row, len(units.rows))
    tick(0.1)
    tried: list[Classes | None] = []
    sizes = sizes_to_try(k, average_risk, len(units.rows))
    for number, least in enumerate(sizes):
        if any(tried) and number == len(sizes) - 1 > 0:
            break  # the last one, of classes that hold the average anyway, is for want of another
        made = _tried(task, units, least, whose)
        if whose is not None and made is not None and not allowed(task, units, made, whose):
            # Nobody is without a row who has not lost one: so few rows leave no more persons without one.
            fewer = most_persons(limit, whose.persons)
            made = _tried(replace(task, most=min(task.most, fewer)), units, least, whose)
        made = made if allowed(task, units, made, whose) else None
        tried.append(settled(task, units, made, whose))
        tick(0.1 + 0.7 * (number + 1) / len(sizes))
    best = cheapest(task, units, tried)
    found, proved = no_worse(task, units, best, effort, lambda share: tick(0.8 + 0.15 * share), whose)
    if found is not best:
        found = settled(task, units, found, whose) or best
    if found is None:
        unproved = _(
            "Local recoding found no classes that reach k = %(k)d and all other conditions with at most "
            "%(limit)s %% of the rows suppressed. Allow higher levels or more suppression."
        )
        if whose is not None:
            unproved = _(
                "Local recoding found no classes of k = %(k)d persons that hold all other conditions with at most %(limit)s %% of the "
                "rows, and of the persons, suppressed. Allow higher levels or more suppression."
            )
        raise no_solution(k, limit, "" if proved else unproved, of_persons=whose is not None)
    return written(shapes, units, of_row, found, task.costs, n, whose)


def _tried(task: Task, units: Units, least: int, whose: Demand | None) -> Classes | None:
    made = formed(task, units, least)
    return made if whose is None else of_persons(task, units, whose, made)


def _units(
    shapes: Sequence[Shape], codes: Sequence[Codes], values: list[NDArray[np.int32]], sizes: list[int],
    counts: NDArray[np.int64] | None,
) -> tuple[Units, NDArray[np.int32]]:  # fmt: skip
    """Distinct combinations in the order of their values, whatever the order of the entries, and that of each entry."""
    places = [looked_up(shape.place, column) for shape, column in zip(shapes, codes, strict=True)]
    keys = TupleKeys([*(shape.size for shape in shapes), *sizes]).encode([*places, *values])
    weights = np.ones(len(keys), dtype=np.int64) if counts is None else counts
    if keys.dtype.names is None:
        of_row, rows, sample = _numbered(keys, weights)
        first = sample.astype(np.intp)  # once for all columns
    else:
        _keys, first, at = np.unique(keys, return_index=True, return_inverse=True)
        of_row = at.reshape(-1).astype(np.int32)
        rows = np.bincount(of_row, weights=weights).astype(np.int64)
    cells = np.empty((len(first), len(places)), dtype=np.uint32)
    for i, column in enumerate(places):
        cells[:, i] = column[first]
    held = np.zeros((len(first), len(values)), dtype=np.int32)
    start = 0
    for i, column in enumerate(values):
        held[:, i] = column[first] + start
        start += sizes[i]
    return Units(cells, rows, held), of_row


def _numbered(
    keys: NDArray[np.int64], weights: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """(number of each entry's key in the order of keys; per key the sum of the weights, and an entry that has it)."""
    number, sums, first = grouped(keys, weights)
    order = np.argsort(keys[first])
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[number], sums[order], first[order]


def written(
    shapes: Sequence[Shape], units: Units, of_row: NDArray[np.int32], found: Classes, costs: Costs, n: int,
    whose: Demand | None,
) -> Recoded:  # fmt: skip
    """Labels of the classes as dictionaries, codes of the rows, and the figures."""
    class_of, classes = found
    first, last = covering(costs.columns, units.cells, class_of, classes)
    lost = class_of < 0
    rows = np.bincount(class_of[~lost], weights=units.rows[~lost], minlength=classes).astype(np.int64)
    used = np.flatnonzero(rows)  # classes that have lost their last unit drop out
    rows, first, last = rows[used], first[used], last[used]
    renumber = np.full(classes + 1, -1, dtype=np.int32)
    renumber[used] = np.arange(len(used), dtype=np.int32)
    row_class = renumber[class_of][of_row]
    suppressed = row_class < 0
    gone = n - int(rows.sum())
    dictionaries, codes, labels, shares = [], [], [], []
    penalty = 0.0
    for i, shape in enumerate(shapes):
        key = first[:, i] if shape.kind == SET else first[:, i] * shape.size + last[:, i]
        at, here, sample = _numbered(np.ascontiguousarray(key), rows)
        a, b = first[sample, i], last[sample, i]
        texts = shape.labels(a, b)
        encoded = pa.array([*texts, ROOT], pa.string()).dictionary_encode()
        own = np.asarray(encoded.indices.fill_null(-1)).astype(np.int32)
        labels.append(own[:-1][at])
        dictionaries.append(encoded.dictionary)
        codes.append(looked_up(np.append(own[-1], labels[-1]), row_class))
        shares.append((float(shape.under(a, b) @ here) / shape.leaves + gone) / n)
        penalty += (float(shape.penalty(a, b) @ here) + gone) / n
    # Classes that read the same are one.
    keys = TupleKeys([len(dictionary) for dictionary in dictionaries]).encode(labels)
    _keys, same = np.unique(keys, return_inverse=True)
    class_number: NDArray[np.int32] = np.append(same.reshape(-1), -1).astype(np.int32)
    number = np.bincount(class_number[:-1], weights=rows).astype(np.int64)
    kept = n - gone
    average = len(number) / kept if kept else 0.0
    if whose is not None:
        of_units = class_number[renumber[class_of]]
        number = whose.sizes(of_units, len(number))
        average = whose.average(of_units, number)
    return Recoded(
        dictionaries, codes, class_number[row_class], suppressed, gone, len(number),
        int(number.min()) if len(number) else 0, np.array(shares), penalty / max(len(shapes), 1), average,
    )  # fmt: skip
