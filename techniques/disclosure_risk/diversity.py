"""How varied a sensitive attribute is within the classes of a table (GB/T 37964 B.1.2, B.1.3).

A cell that is missing or suppressed may hold any value. Each figure is the stricter of two readings: such cells as a
value of their own, and each of them as whichever value is worst. In l such a cell adds nothing: it counts as the most
frequent value of its class. In t those of the class and those elsewhere count as two values as far apart as values can
be. The figures of the second reading are suprema over every way to fill the cells, or bounds of them from above.

Below, p are the shares of the values in a class of n rows, q those in the table of N rows, w = n/N, μ the share of
unknown cells in the class, and u = (1-w)·μ and v = q₀ - w·μ what those of the class and those elsewhere can move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.core.subjects import persons
from techniques.core.tuples import numbered_keys

_TOLERANCE = 1e-12
MOST_RECURSIVE = 10
"""The largest l whose smallest c of recursive diversity is reported."""
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Diversity:
    """The worst class of each kind; a table without classes has l = 0 and t = 0.

    ``distinct`` is l by distinct values, ``entropy`` e to the lowest entropy, ``t`` the greatest distance
    with all values equally far apart, ``t_ordered`` that by the order of the value numbers, ``beta`` the
    greatest relative gain (share in class - share in table) / share in table, ``delta`` the greatest
    |log(share in class / share in table)| over values that occur in a class, ``alpha`` the greatest share of one value
    in a class, so the chance of who guesses the most frequent one.
    """

    distinct: int
    entropy: float
    t: float
    t_ordered: float
    beta: float
    delta: float
    alpha: float

    def as_dict(self) -> dict[str, float]:
        """JSON-ready values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True)
class Guesses:
    """How often a guess at the most frequent value of a record's class is right (GB/T 37964 4.3.1 c): on ``average`` over
    ``number`` records, in the ``highest`` of the classes, and ``certain``, the share of records whose class leaves no other value.

    Where persons are counted, each has the class of theirs that tells most. Cells that are unknown count as guessed right, so
    with some of them each figure is an upper bound.
    """

    number: int
    average: float
    highest: float
    certain: float


@dataclass(frozen=True)
class ByClass:
    """The pairs of class and value that occur: ``place`` the class from 0, in rising order, ``value`` and ``number`` of
    rows. By class ``rows`` and ``lost``, the rows whose cell is unknown.

    ``reference`` are the shares in the table of ``total`` rows; ``unknown`` is the number of the unknown value, which
    stands before all others, or -1. Of persons (:mod:`techniques.disclosure_risk.persons`) the rows are persons and
    ``total`` is infinite where somebody has several values: those unknown in a class then need not be those of the table.
    """

    place: NDArray[np.int64]
    value: NDArray[np.int64]
    number: Numbers
    rows: Numbers
    lost: Numbers
    reference: Numbers
    total: float
    unknown: int

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which pairs are of a value that is there."""
        found: NDArray[np.bool_] = self.value != self.unknown
        return found

    def summed(self, pairs: Any) -> Numbers:
        """One number for each pair, summed by class."""
        return _summed(self.place, pairs, len(self.rows))

    def far(self) -> tuple[Numbers, Numbers]:
        """(u, v) by class: the mass that unknown cells of the class and those elsewhere can move."""
        if self.unknown < 0:
            return np.zeros(len(self.rows)), np.zeros(len(self.rows))
        u = self.lost / self.rows - self.lost / self.total
        v = np.maximum(self.reference[self.unknown] - self.lost / self.total, 0.0)
        return u, v


def by_class(
    class_of: NDArray[Any],
    values: NDArray[Any],
    counts: NDArray[Any] | None = None,
    reference: Numbers | None = None,
    unknown: int = -1,
    total: float | None = None,
) -> ByClass:
    """Count n rows, or n combinations with ``counts``, by class and value (numbers from 0); at least one row.

    ``reference`` are the shares of the values in the table to compare with, of ``total`` rows; by default those of
    these rows.
    """
    weights = None if counts is None else counts.astype(np.float64)
    rows = float(len(class_of) if weights is None else weights.sum())
    size = int(values.max()) + 1
    if reference is None:
        reference = np.bincount(values, weights=weights) / rows
    size = max(size, len(reference))
    pairs = class_of.astype(np.int64) * size
    pairs += values
    if weights is None:
        pairs, occurring = np.unique(pairs, return_counts=True)
        number = occurring.astype(np.float64)
    else:
        pairs, inverse = numbered_keys(pairs)
        number = _summed(inverse, weights)
    of = pairs // size  # in rising order
    place = np.cumsum(np.append(False, of[1:] != of[:-1]))
    value = pairs % size
    return ByClass(
        place=place, value=value, number=number, rows=_summed(place, number),
        lost=_summed(place, np.where(value == unknown, number, 0.0)),
        reference=reference, total=rows if total is None else float(total), unknown=unknown,
    )  # fmt: skip


def diversity(
    class_of: NDArray[Any],
    values: NDArray[Any],
    counts: NDArray[Any] | None = None,
    reference: Numbers | None = None,
    unknown: int = -1,
    total: float | None = None,
) -> Diversity:
    """Measure n rows, or n combinations with ``counts``, as :func:`by_class` counts them.

    Work n log n, memory a few numbers per pair of class and value that occurs.
    """
    if len(class_of) == 0:
        return Diversity(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return measured(by_class(class_of, values, counts, reference, unknown, total))


def measured(found: ByClass) -> Diversity:
    """The figures of classes that are counted."""
    known = found.known
    share = found.number / found.rows[found.place]
    entropy = found.summed(-share * np.log(share))
    distinct = np.bincount(found.place, minlength=len(found.rows))
    alpha = float(share.max())
    if found.lost.any():
        mine = found.lost / found.rows
        entropy += _each(mine)
        distinct = np.maximum(distinct - (mine > 0), 1)
        frequent = np.zeros(len(found.rows))
        np.maximum.at(frequent, found.place[known], share[known])
        grown = frequent + mine
        entropy += _each(frequent) - _each(grown)
        alpha = float(grown.max())
    beta, delta = _gains(found, share)
    return Diversity(
        distinct=int(distinct.min()),
        entropy=float(np.exp(max(entropy.min(), 0.0))),
        t=float((_equal(found, found.value, found.reference) + np.minimum(*found.far())).max()),
        t_ordered=_ordered(found, share),
        beta=beta,
        delta=delta,
        alpha=alpha,
    )


def guesses(
    found: ByClass, class_of: NDArray[np.integer], subjects: NDArray[np.integer] | None = None
) -> Guesses:
    """The guesses at n rows, whose classes ``class_of`` (n,) ``found`` has counted, by persons where ``subjects`` (n,) says
    whose each row is (-1: a person of its own); at least one row."""
    right = np.zeros(len(found.rows))
    known = found.known
    np.maximum.at(right, found.place[known], found.number[known])
    of_class = (right + found.lost) / found.rows
    chances = of_class[class_of]
    if subjects is not None:
        chances = _highest(chances, subjects)
    certain = float((chances >= 1 - _TOLERANCE).mean())
    return Guesses(len(chances), float(chances.mean()), float(of_class.max()), certain)


def _highest(chances: Numbers, subjects: NDArray[np.integer]) -> Numbers:
    """The highest of the ``chances`` of each subject's rows."""
    alone = subjects < 0
    known = subjects[~alone]
    who, number = persons(known)
    highest = np.full(number, -np.inf)
    np.maximum.at(highest, who, chances[~alone])
    found: Numbers = np.concatenate([-np.sort(-chances[alone]), highest])
    return found


def hierarchical(found: ByClass, levels: Sequence[NDArray[np.int64]]) -> float:
    """Greatest earth mover's distance by a value tree with H levels below its root.

    ``levels[h]`` (h = 0 … H-1) holds the node of each value at level h, the value itself at 0. Two values are apart by
    the level of their nearest common node, divided by H; so the distance is the mean over the levels of the distance
    with all nodes equally far apart. The unknown value hangs below the root by itself.
    """
    distance = np.zeros(len(found.rows))
    for nodes in levels:
        distance += _equal(found, nodes[found.value], _summed(nodes, found.reference))
    return float((distance / max(len(levels), 1) + np.minimum(*found.far())).max())


def recursive_bounds(found: ByClass, most: int = MOST_RECURSIVE) -> dict[int, float]:
    """For l = 2 … ``most`` the greatest r1 / (r_l + … + r_m) of a class: (c,l)-diversity holds for every c above it.

    Those l are left out for which some class has fewer values, so that no c is enough.
    """
    place, at, largest, tail = _falling(found)
    bounds = {}
    for l in range(2, most + 1):  # noqa: E741 - the model's own letter
        here = at == l - 1
        if int(here.sum()) < len(found.rows):
            break
        bounds[l] = float((largest[place[here]] / tail[here]).max())
    return bounds


def recursive_l(found: ByClass, c: float) -> int:
    """The greatest l for which every class is (c,l)-diverse: r1 < c·(r_l + … + r_m); 0 if none."""
    place, _at, largest, tail = _falling(found)
    holds = c * tail - largest[place] > _TOLERANCE
    # The tail shrinks with l, so those that hold are the first ones; unknown cells alone are one value.
    held = np.bincount(place, weights=holds, minlength=len(found.rows))
    held[found.lost == found.rows] = c > 1
    return int(held.min())


def _falling(found: ByClass) -> tuple[NDArray[np.int64], NDArray[np.int64], Numbers, Numbers]:
    """(class, how many values of it are more frequent, rows of each class's first one, rows from here on) of each known
    pair; unknown cells count as the most frequent value."""
    known = found.known
    order = np.lexsort((-found.number[known], found.place[known]))
    place, number = found.place[known][order], found.number[known][order].copy()
    first = np.append(True, place[1:] != place[:-1])[: len(place)]
    number[first] += found.lost[place[first]]
    begin = np.flatnonzero(first)
    at = np.arange(len(place)) - np.repeat(begin, np.diff(np.append(begin, len(place))))
    largest = np.zeros(len(found.rows))
    largest[place[first]] = number[first]
    passed = np.cumsum(number) - number
    tail = found.rows[place] - (passed - passed[np.arange(len(place)) - at])
    return place, at, largest, tail


def _each(share: Numbers) -> Numbers:
    """share · log share, 0 for 0."""
    found: Numbers = share * np.log(np.where(share > 0, share, 1.0))
    return found


def _equal(found: ByClass, node: NDArray[np.int64], reference: Numbers) -> Numbers:
    """Half the L1 distance of each class between the shares of the nodes that the values fall under."""
    place, number = found.place, found.number
    if node is not found.value:
        keys, inverse = numbered_keys(place * len(reference) + node)
        place, node = keys // len(reference), keys % len(reference)
        number = _summed(inverse, number)
    expected = reference[node]
    apart = np.abs(number / found.rows[place] - expected)
    classes = len(found.rows)
    return (_summed(place, apart, classes) + 1 - _summed(place, expected, classes)) / 2


def _gains(found: ByClass, share: Numbers) -> tuple[float, float]:
    """(β, δ): unknown cells as a value of their own, and all of them where they raise or lower a ratio most."""
    q = found.reference
    # Values of persons who have several are unknown in a class without being missing in the table.
    seen = q[found.value] > 0
    own = share[seen] / q[found.value[seen]]
    high, low = float(own.max(initial=1.0)), float(own.min(initial=1.0))
    known = np.flatnonzero(q > 0)
    known = known[known != found.unknown]
    if _some_unknown(found) and len(known):
        pairs = found.known
        of = found.place[pairs]
        lost, rows = found.lost, found.rows
        elsewhere = found.far()[1]
        p, there = share[pairs], q[found.value[pairs]]
        ratios = [(p + lost[of] / rows[of]) / (there + lost[of] / found.total), p / (there + elsewhere[of])]
        # Where cells of a class are unknown, also values that are not seen in it.
        some = np.flatnonzero(lost)
        rare, common = q[known].min(), q[known].max()
        ratios.append((lost[some] / rows[some]) / (rare + lost[some] / found.total))
        ratios.append((1 / rows[some]) / (common + 1 / found.total + elsewhere[some]))
        every = np.concatenate(ratios)
        high, low = max(high, float(every.max())), min(low, float(every.min()))
    return max(high - 1, 0.0), max(float(np.log(high)), -float(np.log(low)))


def _some_unknown(found: ByClass) -> bool:
    return found.unknown >= 0 and bool(found.reference[found.unknown] > 0 or found.lost.any())


def _used(found: ByClass) -> NDArray[np.int64]:
    """The values that stand in the table, the unknown one among them where some cell is."""
    used = found.reference > 0
    if _some_unknown(found):
        used[found.unknown] = True
    places: NDArray[np.int64] = np.flatnonzero(used)
    return places


def _ordered(found: ByClass, share: Numbers) -> float:
    """Greatest earth mover's distance over neighbouring steps, the whole range being 1.

    With c = u - v, the unknown value before all others moves c over every step; filled in, at the worst
    |running sum of the known + c/2| + (u+v)/2 over each step between known values.
    """
    steps = len(_used(found)) - 1
    if steps < 1:
        return 0.0
    distance = _moved(found, share, np.zeros(len(found.rows)), 0) / steps
    if _some_unknown(found) and steps > 1:
        u, v = found.far()
        filled = _moved(found, share, (v - u) / 2, 1) / (steps - 1) + (u + v) / 2
        distance = np.maximum(distance, filled)
    return float(distance.max())


def _moved(found: ByClass, share: Numbers, shift: Numbers, begin: int) -> Numbers:
    """By class the sum over steps from ``begin`` on of |own running sum + ``shift`` - that of the reference|.

    Between two values that occur in a class its own running sum stands still, so the difference is integrated
    over the steps between them by running sums of the reference.
    """
    used = _used(found)
    steps = len(used) - 1
    rank = np.zeros(len(found.reference), dtype=np.int64)
    rank[used] = np.arange(len(used))
    rising = np.cumsum(found.reference[used])
    area = np.concatenate([[0.0], np.cumsum(rising)])
    place, here = found.place, rank[found.value]
    first = np.append(True, place[1:] != place[:-1])
    last = np.append(first[1:], True)
    total = np.cumsum(share)
    own = total - np.repeat((total - share)[first], np.diff(np.append(np.flatnonzero(first), len(place))))
    # The class's sum is `own` on the steps from a value to before its next one, and 0 before the first.
    low = np.maximum(here, begin)
    high = np.maximum(np.where(last, steps, np.append(here[1:], 0)), begin)
    moved = _summed(place, _between(own + shift[place], low, high, rising, area), len(shift))
    none = np.full(len(shift), begin)
    return moved + _between(shift, none, np.maximum(here[first], begin), rising, area)


def _between(
    own: Numbers, low: NDArray[np.int64], high: NDArray[np.int64], rising: Numbers, area: Numbers
) -> Numbers:
    """Sum of |own - rising| over the steps from ``low`` to before ``high``; ``area`` are the running sums of rising."""
    cross = np.clip(np.searchsorted(rising, own), low, high)
    inside = own * (cross - low) - (area[cross] - area[low])
    found: Numbers = inside + (area[high] - area[cross]) - own * (high - cross)
    return found


def _summed(place: NDArray[Any], weights: Any, size: int = 0) -> Numbers:
    return np.bincount(place, weights=weights, minlength=size).astype(np.float64, copy=False)
