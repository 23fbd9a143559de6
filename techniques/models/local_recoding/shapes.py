"""The cover of a class in one column, and its cost per row.

The values of a column are numbered so that two numbers say what a class covers: in a tree, leaves side by
side, the common ancestor of the first and the last leaf is that of all between; numbers are in their order; of a
column without order the first number holds a bit per value. A missing value is a value of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core import faults
from techniques.core.operations import StringArray
from techniques.hierarchies import ROOT
from techniques.hierarchies.build import Hierarchy, automatic, build
from techniques.models.k_anonymity.problem import Attribute
from techniques.values.numbers import parse_numbers

TABLE, CLIMB, NUMBER, SET = range(4)
MOST_IN_A_SET = 63
"""Values of a column without order that a set may hold; a column of more is cut into runs of its order."""
_TABLE_VALUES = 1500


Places = NDArray[np.int64]


@dataclass(frozen=True)
class Shape:
    """One quasi-identifier of codes (0 a missing value, v+1 the v-th of its dictionary) that have n places.

    ``place[code]`` is the code's number from 0; codes that may never be told apart share one. ``levels`` (L, n) holds
    for a tree the code at each level by place and ``shares`` (L, n) the share of leaves under it; ``position`` (n) the
    place of a number on the scale 0 … 1. ``labels(first, last)`` writes what classes cover, None for a missing value.
    """

    kind: int
    place: NDArray[np.int32]
    levels: NDArray[np.int64]
    shares: NDArray[np.float64]
    position: NDArray[np.float64]
    leaves: int
    labels: Callable[[Places, Places], list[str | None]]
    by_levels: Callable[[], Attribute]
    """The same column as a full-domain search has it."""

    @property
    def size(self) -> int:
        """Number of places, that of the missing value included."""
        return int(self.levels.shape[1])

    def under(self, first: Places, last: Places) -> NDArray[np.float64]:
        """Number of leaves under what classes cover."""
        if self.kind == SET:
            return np.array([int(mask).bit_count() for mask in first], dtype=np.float64)
        if self.kind == NUMBER:
            whole = (first == 0) & (last > 0)
            return np.where(whole, self.leaves, last - first + 1).astype(np.float64)
        level = (self.levels[:, first] == self.levels[:, last]).argmax(axis=0)
        found: NDArray[np.float64] = np.rint(self.shares[level, first] * self.leaves)
        return found

    def penalty(self, first: Places, last: Places) -> NDArray[np.float64]:
        """Normalised certainty penalty of what classes cover: 0 for a value kept, 1 for everything."""
        if self.kind == NUMBER:
            spread = self.position[last] - self.position[first]
            return np.where((first == 0) & (last > 0), 1.0, spread)
        under = self.under(first, last)
        return np.where(under <= 1, 0.0, under / self.leaves)


def of_hierarchy(
    hierarchy: Hierarchy, missing: bool, column: str, lowest: int = 0, highest: int | None = None
) -> Shape:
    """A column by its hierarchy, of which classes use the levels ``lowest`` … ``highest`` alone.

    Values have their places in the order of their labels, whatever the order of the rows. Raises EngineError
    ``hierarchy_no_tree`` where a value has two parents.
    """
    attribute = Attribute.from_hierarchy(hierarchy, missing, 0, hierarchy.levels - 1)
    if not attribute.nested:
        raise faults.hierarchy_no_tree(column)
    used = range(lowest, hierarchy.levels if highest is None else highest + 1)
    _, sample, number = np.unique(attribute.maps[lowest], return_index=True, return_inverse=True)
    codes = np.array([attribute.maps[level][sample] for level in used], dtype=np.int64)
    ranks = [_ranks(hierarchy.labels[level])[row] for level, row in zip(used, codes, strict=True)]
    order = np.lexsort(tuple(ranks))  # the coarsest level decides first
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    levels = np.ascontiguousarray(codes[:, order])
    shares = np.array([attribute.shares[level][row] for level, row in zip(used, levels, strict=True)])
    texts = [hierarchy.labels[level].to_pylist() for level in used]

    def written(first: Places, last: Places) -> list[str | None]:
        level = (levels[:, first] == levels[:, last]).argmax(axis=0)
        return [
            texts[at][code] if code < len(texts[at]) else None
            for at, code in zip(level.tolist(), levels[level, first].tolist(), strict=True)
        ]

    kind = TABLE if len(order) <= _TABLE_VALUES else CLIMB
    return Shape(
        kind, place[number.reshape(-1)], levels, shares, np.zeros(len(order)), attribute.leaves, written,
        lambda: replace(attribute, lowest=used[0], highest=used[-1]),
    )  # fmt: skip


def _ranks(labels: StringArray) -> NDArray[np.int64]:
    """Place of each label in their order, with one more behind all for what has no label."""
    ranks = np.full(len(labels) + 1, len(labels), dtype=np.int64)
    ranks[np.asarray(pc.sort_indices(labels))] = np.arange(len(labels))
    return ranks


def free(values: StringArray, missing: bool) -> Shape:
    """A column without hierarchy: intervals of numbers, or sets of other values."""
    numbers = parse_numbers(values)
    if len(values) and numbers.valid.all():
        return _numbers(values, np.asarray(numbers.unscaled, dtype=np.float64), missing)
    if len(values) < MOST_IN_A_SET:
        return _sets(values, missing)
    ranks = np.empty(len(values), dtype=np.float64)
    ranks[np.asarray(pc.sort_indices(values))] = np.arange(len(values))
    return _numbers(values, ranks, missing, text=True)


def _numbers(values: StringArray, numbers: NDArray[np.float64], missing: bool, text: bool = False) -> Shape:
    place = np.zeros(len(values) + 1, dtype=np.int32)
    order = np.argsort(numbers, kind="stable")
    place[order + 1] = np.arange(1, len(values) + 1, dtype=np.int32)
    ordered = numbers[order]
    width = float(ordered[-1] - ordered[0]) or 1.0
    position = np.append(0.0, (ordered - ordered[0]) / width)
    names = values.take(pa.array(order)).to_pylist()

    def label(first: int, last: int) -> str | None:
        if first == 0:
            return None if last == 0 else ROOT
        low, high = names[first - 1], names[last - 1]
        if low == high:
            return str(low)
        return f"{low} … {high}" if text else f"[{low},{high}]"

    return Shape(
        NUMBER,
        place,
        *_no_levels(len(place)),
        position,
        len(values) + missing,
        lambda a, b: _each(label, a, b),
        lambda: _automatic(values, missing),
    )


def _sets(values: StringArray, missing: bool) -> Shape:
    order = np.asarray(pc.sort_indices(values))
    place = np.full(len(values) + 1, len(values), dtype=np.int32)
    place[order + 1] = np.arange(len(values), dtype=np.int32)
    names: list[Any] = [*values.take(pa.array(order)).to_pylist(), ""]

    def label(first: int, _last: int) -> str | None:
        held = [names[i] for i in range(len(names)) if first >> i & 1]
        if len(held) == 1:
            return held[0] or None
        return "{" + ";".join(sorted(held)) + "}"

    return Shape(
        SET, place, *_no_levels(len(place)), np.zeros(len(place)), len(values) + missing,
        lambda a, b: _each(label, a, b), lambda: _automatic(values, missing),
    )  # fmt: skip


def _automatic(values: StringArray, missing: bool) -> Attribute:
    hierarchy = build(automatic(values), values)
    return Attribute.from_hierarchy(hierarchy, missing, 0, hierarchy.levels - 1)


def _no_levels(n: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    return np.zeros((1, n), dtype=np.int64), np.zeros((1, n))


def _each(label: Callable[[int, int], str | None], first: Places, last: Places) -> list[str | None]:
    return [label(a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)]


COLUMN = np.dtype([(name, np.int64) for name in ("kind", "size", "amounts", "codes", "levels")], align=True)
"""A column in a kernel: its kind, the number of its values, where its amounts and its codes start, and the number of
its levels."""


class Costs(NamedTuple):
    """What it costs a row that its class covers several values, for all columns, as the kernels take it."""

    columns: NDArray[Any]
    """(m,) of the type :data:`COLUMN`."""
    amounts: NDArray[np.float64]
    """Costs by first and last place (TABLE), by the number of values (SET), places on the scale from 0 behind the cost
    of everything (NUMBER), or level by level (CLIMB)."""
    codes: NDArray[np.int64]
    """Codes of the values level by level (CLIMB)."""


def costs_of(shapes: Sequence[Shape], weights: Sequence[float], ncp: bool) -> Costs:
    """The costs of columns of these ``shapes``, multiplied by ``weights``.

    With ``ncp`` a value kept costs nothing and several cost their share of all; otherwise the cost is the
    share less that of one leaf.
    """
    columns, amounts, codes = [], [], []
    amount = code = 0
    for shape, weight in zip(shapes, weights, strict=True):
        kind, own = _amounts(shape, ncp)
        levels = shape.levels.ravel() if kind == CLIMB else np.empty(0, np.int64)
        columns.append((kind, shape.size, amount, code, len(shape.levels)))
        amounts.append(weight * own)
        codes.append(levels)
        amount += len(own)
        code += len(levels)
    return Costs(np.array(columns, COLUMN), np.concatenate(amounts), np.concatenate(codes))


def whole_cost(shapes: Sequence[Shape], weights: Sequence[float], ncp: bool) -> float:
    """Cost of a row of which nothing is told."""
    return sum(w * (1.0 if ncp else 1.0 - 1.0 / s.leaves) for s, w in zip(shapes, weights, strict=True))


def _amounts(shape: Shape, ncp: bool) -> tuple[int, NDArray[np.float64]]:
    n = shape.size
    if shape.kind == SET:
        amounts = np.arange(n + 1) / shape.leaves
        amounts[:2] = 0.0
        return SET, amounts
    if shape.kind == NUMBER:
        if n > _TABLE_VALUES:
            return NUMBER, np.append(1.0, shape.position[1:])
        cost = np.maximum(shape.position[None, :] - shape.position[:, None], 0.0)
        cost[0, 1:] = 1.0
        return TABLE, cost.ravel()
    # Beyond the highest level allowed nothing is covered at any cost.
    own = shape.shares - 1.0 / shape.leaves
    if ncp:
        own = np.where(shape.shares * shape.leaves > 1 + 1e-9, shape.shares, 0.0)
    if shape.kind == CLIMB:
        return CLIMB, own.ravel()
    cost = np.full((n, n), np.inf)
    for codes, amounts in zip(shape.levels[::-1], own[::-1], strict=True):
        cost = np.where(codes[:, None] == codes[None, :], amounts[:, None], cost)
    return TABLE, cost.ravel()
