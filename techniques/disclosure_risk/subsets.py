"""Which columns together tell records apart: every subset of the quasi-identifiers.

For each subset its distinct combinations are counted from those of a subset with one column more, so that the rows are
read once; 9 columns are 511 subsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import factorial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from techniques.core.compiling import compiled
from techniques.core.messages import EngineError, _
from techniques.core.tuples import numbered_keys
from techniques.disclosure_risk.classes import encode
from techniques.disclosure_risk.report import SuppressedRows

MOST_COLUMNS = 14
"""More columns have too many subsets."""
_RADIX_LIMIT = 1 << 62
_SPARSE = 16
"""Times as many records, or codes, as those that are few among them."""
Made = TypeVar("Made")


@dataclass(frozen=True)
class Subset:
    """How far a set of columns tells n records apart.

    ``distinction`` is α: distinct combinations / n. ``separation`` is the share of pairs of records that differ.
    ``unique`` is the share of records that are alone with their combination, ``k`` the smallest class.
    """

    columns: tuple[str, ...]
    combinations: int
    distinction: float
    separation: float
    unique: float
    k: int

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {**self.__dict__, "columns": list(self.columns)}


@dataclass(frozen=True)
class Subsets:
    """All subsets that are not empty; ``contribution`` shares out the distinction of all columns together (Shapley:
    what a column adds, averaged over every order in which the columns may become known)."""

    columns: tuple[str, ...]
    rows: int
    by_mask: dict[int, Subset]
    contribution: dict[str, float]

    def minimal(self, unique: float = 1.0) -> list[Subset]:
        """Sets of columns by which at least the share ``unique`` of the records is unique, none of them containing
        another, the fewest columns first."""
        found: list[int] = []
        for mask in sorted(self.by_mask, key=lambda one: (one.bit_count(), one)):
            enough = self.by_mask[mask].unique >= unique - 1e-12
            if enough and not any(inner & mask == inner for inner in found):
                found.append(mask)
        return [self.by_mask[mask] for mask in found]


def subsets(
    batches: Iterable[pa.RecordBatch],
    qi: Sequence[str],
    suppressed: SuppressedRows = "own_class",
    counts: npt.NDArray[np.integer] | None = None,
) -> Subsets:
    """Measure every subset of ``qi``. A missing value is a value of its own; rows that are ``*`` in all of ``qi`` count
    as such or are left out. Where none is left every figure is 0. ``counts``: how many rows each row stands for; None: one
    each.

    Raises EngineError ``too_many_columns``, ``no_rows`` and what :func:`encode` raises. Work: classes of a set with one
    column more, per subset; memory: at most as many tables of the classes as columns.
    """
    if len(qi) > MOST_COLUMNS:
        text = _("At most %(most)d columns can be looked at in all combinations.")
        raise EngineError("too_many_columns", text, most=MOST_COLUMNS)
    coded = encode(batches, qi)
    if coded.rows == 0:
        raise EngineError("no_rows", _("The table has no rows, so there is no risk to measure."))
    weights = np.ones(coded.rows, np.int64) if counts is None else counts.astype(np.int64)
    if suppressed == "own_class":
        return of_codes(coded.codes, coded.cardinality, tuple(qi), weights)
    kept = ~coded.suppressed_rows()
    return of_codes(coded.codes[:, kept], coded.cardinality, tuple(qi), weights[kept])


def of_codes(
    codes: npt.NDArray[np.int32],
    cardinality: Sequence[int],
    names: tuple[str, ...],
    weights: npt.NDArray[np.int64] | None = None,
) -> Subsets:
    """The same from codes (m, r), each from 0 to below its column's ``cardinality``, of ``weights`` (r,) records each; None: one."""
    m = len(codes)
    weights = np.ones(codes.shape[1], np.int64) if weights is None else weights
    n = int(weights.sum())
    full = (1 << m) - 1
    if n == 0:
        nothing = _subset(np.empty(0, np.int64), 0)
        by_mask = {mask: _about(nothing, names, mask) for mask in range(1, full + 1)}
        return Subsets(names, 0, by_mask, dict.fromkeys(names, 0.0))
    every = sums_by_subset(codes, weights, cardinality, lambda sums: _subset(sums, n))
    found = {mask: _about(one, names, mask) for mask, one in every}
    fewer = (left_out for size in range(m) for left_out in combinations(range(m), size))
    masks = [full - sum(1 << column for column in left_out) for left_out in fewer]
    return Subsets(names, n, {mask: found[mask] for mask in masks}, _shapley(found, names, n))


def sums_by_subset(
    codes: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    cardinality: Sequence[int],
    figure: Callable[[npt.NDArray[Any]], Made],
    *,
    are_different: bool = False,
) -> Iterator[tuple[int, Made]]:
    """(mask, ``figure`` of the sums of the ``weights`` (n,) of the records of each combination) of every set of columns that is not
    empty; bit i of the mask is column i of ``codes`` (m, n). ``are_different``: no two records have the same combination of all.
    Memory: at most m tables of the combinations of all columns, and the figures."""
    m = len(codes)
    sizes = np.array(cardinality, dtype=np.int64)
    # Half of all sets are made of a table without the column of the most values, a quarter without the next.
    order = sorted(range(m), key=lambda column: -cardinality[column])
    ambiguous = _ambiguous_by_column(codes, sizes)
    follows = [sum(1 << one for one, several in others if not several.any()) for others in ambiguous]
    known: dict[int, Made] = {}

    @cache
    def closed(mask: int) -> int:
        """The set with all columns that follow from one of it: these tell no record from another one."""
        return mask | sum(1 << column for column, by in enumerate(follows) if by & mask)

    def below(
        mask: int, columns: list[int], cells: npt.NDArray[np.int32], weights: npt.NDArray[Any], left: int
    ) -> None:
        """Enter what is not known yet of the sets without some of the columns in place ``left`` and behind it."""
        # Most sets without a column that follows from another one are known from those with it.
        for place in sorted(range(left, m), key=lambda place: bool(follows[order[place]] & mask)):
            column = order[place]
            inner = mask & ~(1 << column)
            if all(closed(one) in known for one in _within(inner, order, place + 1)):
                continue
            rest = [row for row, one in enumerate(columns) if one != column]
            others = [columns[row] for row in rest]
            if follows[column] & mask:
                below(inner, others, cells[rest], weights, place + 1)
                continue
            beside = next((one for one in ambiguous[column] if mask >> one[0] & 1), None)
            # Only records beside which that column's values differ can become one without it.
            at = None if beside is None else _where(beside[1][cells[columns.index(beside[0])]])
            if at is not None and _SPARSE * len(at) <= len(weights):
                first, sums = _merged_at(_taken(cells, rest, at), weights, sizes[others], at)
            else:
                first, sums, _place = merged(cells, weights, sizes[columns], sum(1 << row for row in rest))
                del _place
            del at
            if closed(inner) not in known:
                known[closed(inner)] = figure(sums)
            if place + 1 < m:
                left_over = _taken(cells, rest, first)
                del first
                below(inner, others, left_over, sums, place + 1)
                del left_over

    whole = (1 << m) - 1
    if not are_different:
        first, weights, _place = merged(codes, weights, sizes, whole)
        codes = _taken(codes, range(m), first)
        del first, _place
    known[whole] = figure(weights)
    below(whole, [*range(m)], codes, weights, 0)
    return ((mask, known[closed(mask)]) for mask in _within(whole, order, 0))


def _within(mask: int, order: Sequence[int], left: int) -> Iterator[int]:
    """The set and those without some of the columns in place ``left`` and behind it, none of them empty."""
    if mask:
        yield mask
        for place in range(left, len(order)):
            yield from _within(mask & ~(1 << order[place]), order, place + 1)


def _ambiguous_by_column(
    codes: npt.NDArray[np.int32], sizes: npt.NDArray[np.int64]
) -> list[list[tuple[int, npt.NDArray[np.bool_]]]]:
    """For each of m columns (m, n) the others from which it follows but for few of their codes, with these (codes,), the fewest first."""
    found = []
    for column, values in enumerate(codes):
        others = []
        for other, left in enumerate(codes):
            if other != column:
                several = _ambiguous(left, values, sizes[other], sizes[other] // _SPARSE)
                others += [(other, several)] if len(several) else []
        found.append(sorted(others, key=lambda one: int(one[1].sum())))
    return found


@compiled
def _ambiguous(left, right, size, most):  # type: ignore[no-untyped-def]
    """Beside which codes of ``left`` (n,), below ``size``, different ones of ``right`` (n,) stand; none at all where they are more than
    ``most``."""
    beside = np.full(size, -1, np.int32)
    found = np.zeros(size, np.bool_)
    number = 0
    for row in range(len(left)):
        code = left[row]
        if beside[code] < 0:
            beside[code] = right[row]
        elif beside[code] != right[row] and not found[code]:
            found[code] = True
            number += 1
            if number > most:
                return found[:0]
    return found


def _merged_at(
    cells: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    sizes: npt.NDArray[np.int64],
    at: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
    """(a record, the sum of the ``weights`` (n,)) of each combination, where none but the records ``at`` (k,) may have that of an earlier
    one; ``cells`` (m, k) are theirs."""
    once, sums, _place = merged(cells, weights[at], sizes, (1 << len(cells)) - 1)
    is_first = np.ones(len(weights), np.bool_)
    is_first[at] = False
    is_first[at[once]] = True
    whole = weights.copy()
    whole[at[once]] = sums
    first = _where(is_first)
    return first, whole[first]


def _where(chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """The places of those of n that are chosen."""
    return np.flatnonzero(chosen).astype(np.int32)


@compiled
def determines(left, right, size):  # type: ignore[no-untyped-def]
    """Whether in no two records the same code of ``left`` (n,), below ``size``, stands beside different ones of ``right`` (n,)."""
    beside = np.full(size, -1, np.int32)
    for row in range(len(left)):
        if beside[left[row]] < 0:
            beside[left[row]] = right[row]
        elif beside[left[row]] != right[row]:
            return False
    return True


def _taken(
    cells: npt.NDArray[np.int32], rows: Sequence[int], places: npt.NDArray[np.int32]
) -> npt.NDArray[np.int32]:
    """Some rows of ``cells`` at some places."""
    found = np.empty((len(rows), len(places)), np.int32)
    for row, taken in zip(rows, found, strict=True):
        # With another mode NumPy writes to a buffer first.
        np.take(cells[row], places, out=taken, mode="clip")
    return found


def merged(
    cells: npt.NDArray[np.int32], weights: npt.NDArray[Any], sizes: npt.NDArray[np.int64], mask: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any], npt.NDArray[np.int32]]:
    """(a record, the sum of the ``weights``) of each combination in the columns of ``mask``, and which of these each
    record has. ``cells`` (m, n) are codes from 0 to below ``sizes``."""
    chosen = np.array([i for i in range(len(cells)) if mask >> i & 1], dtype=np.int64)
    span = 1
    for i in chosen:
        span *= int(sizes[i])
    if span < _RADIX_LIMIT:
        first, sums, place = _grouped(
            cells, weights, sizes, chosen, span if span <= 4 * cells.shape[1] else 0
        )
        return first, sums, place
    place, span = cells[chosen[0]].astype(np.int64), int(sizes[chosen[0]])
    for i in chosen[1:]:
        if span * int(sizes[i]) >= _RADIX_LIMIT:
            distinct, place = numbered_keys(place)
            span = len(distinct)
        place *= sizes[i]
        place += cells[i]
        span *= int(sizes[i])
    distinct, place = numbered_keys(place)
    first = np.empty(len(distinct), np.int32)
    first[place[::-1]] = np.arange(len(place) - 1, -1, -1, dtype=np.int32)
    sums = np.bincount(place, weights=weights).astype(weights.dtype, copy=False)
    return first, sums, place.astype(np.int32)


@compiled
def _grouped(cells, weights, sizes, chosen, span):  # type: ignore[no-untyped-def]
    """What :func:`merged` gives; ``span`` is the number of possible keys for a table by key, 0 for hashing."""
    rows = cells.shape[1]
    keys = np.zeros(rows, np.int64)
    for column in chosen:
        size = sizes[column]
        for row in range(rows):
            keys[row] = keys[row] * size + cells[column, row]
    capacity = span
    if span == 0:
        capacity = 16
        while capacity < 2 * rows:
            capacity *= 2
    slots = np.full(capacity, -1, np.int32)
    first = np.empty(rows, np.int32)
    place = np.empty(rows, np.int32)
    sums = np.zeros(rows, weights.dtype)
    found = 0
    for row in range(rows):
        key = keys[row]
        if span:
            at = key
        else:
            spread = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
            at = np.int64((spread >> np.uint64(32)) & np.uint64(capacity - 1))
        while True:
            here = slots[at]
            if here < 0:
                here = found
                slots[at] = here
                first[here] = row
                found += 1
                break
            if span or keys[first[here]] == key:
                break
            at = (at + 1) & (capacity - 1)
        place[row] = here
        sums[here] += weights[row]
    return first[:found].copy(), sums[:found].copy(), place


def _subset(counts: npt.NDArray[np.int64], n: int) -> Subset:
    """The figures of combinations of ``counts`` records each, of ``n`` in all, of columns that are not named."""
    pairs = n * (n - 1) / 2
    alike = float((counts.astype(np.float64) * (counts - 1)).sum() / 2)
    return Subset(
        columns=(),
        combinations=len(counts),
        distinction=len(counts) / max(n, 1),
        separation=1 - alike / pairs if pairs else 0.0,
        unique=int((counts == 1).sum()) / max(n, 1),
        k=int(counts.min()) if n else 0,
    )


def _about(figures: Subset, names: tuple[str, ...], mask: int) -> Subset:
    """The same figures of the columns of ``mask``."""
    return replace(figures, columns=tuple(name for i, name in enumerate(names) if mask >> i & 1))


def _shapley(found: dict[int, Subset], names: tuple[str, ...], n: int) -> dict[str, float]:
    m = len(names)
    weight = [factorial(size) * factorial(m - size - 1) / factorial(m) for size in range(m)]
    value = {0: 1 / n} | {mask: one.distinction for mask, one in found.items()}
    return {
        name: sum(
            weight[mask.bit_count()] * (value[mask | 1 << i] - value[mask])
            for mask in value
            if not mask >> i & 1
        )
        for i, name in enumerate(names)
    }
