"""Whether the rows of a result stand in the order of its source: two releases of one source could then be joined by place.

Nothing but the two files is read. Rows may be gone; those that are left stand in order or they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from techniques.core.compiling import compiled
from techniques.core.tuples import distinct_keys, numbered_keys
from techniques.identification.traces.values import STARS, Shares, texts_of
from techniques.tables.dictionary import EncodedColumn
from techniques.values.lookup import places

Numbers = npt.NDArray[np.int64]
LEAST_ROWS = 20
"""Fewer rows stand in order by chance."""
_SAME = 0.9
_APART = 0.5
_STAYED = 0.99


def in_order(
    source: Mapping[str, EncodedColumn], result: Mapping[str, EncodedColumn], shares: Shares | None = None
) -> bool | None:
    """Whether the n rows of ``result`` follow those of ``source``, forwards or backwards; None where the columns do not tell.

    A few rows that were moved do not hide it. Each comparison is made with the rows of the result in a random order too:
    only what that does not give is a sign. ``shares`` are those of both, where they are wanted of others too.
    """
    names = [name for name in result if name in source and len(source[name])]
    if not names or len(result[names[0]]) < LEAST_ROWS:
        return None
    before = {name: source[name] for name in names}
    after = {name: result[name] for name in names}
    stayed = _Stayed(before, after, shares or Shares(before, after))
    forwards = _read_forwards(before, after, lambda: stayed.rows)
    if forwards:
        return True
    turned = {name: EncodedColumn(cells.codes[::-1], cells.values) for name, cells in after.items()}
    return _read_forwards(before, turned, lambda: stayed.turned) or forwards


def _read_forwards(
    source: Mapping[str, EncodedColumn],
    result: Mapping[str, EncodedColumn],
    stayed: Callable[[], tuple[Numbers, Numbers] | None],
) -> bool | None:
    """By columns that both have; ``stayed`` gives :attr:`_Stayed.rows`."""
    rows, before = (len(next(iter(columns.values()))) for columns in (result, source))
    mixed = np.random.default_rng(rows).permutation(rows)
    depends = False
    if rows == before:
        for name, cells in source.items():
            found = _depends(cells, result[name], mixed)
            if found:
                return True
            depends = depends or found is False
    numbers = stayed()
    followed = None if numbers is None else _follows(*numbers, mixed)
    return followed if followed is not None else (False if depends else None)


def _depends(source: EncodedColumn, result: EncodedColumn, mixed: npt.NDArray[np.int64]) -> bool | None:
    """Whether the value in a row follows from the source's in the same row, as a label or pseudonym of it does."""
    starred = np.append(np.asarray(masked(result)), True)[result.codes]
    used = ~starred & (source.codes >= 0)
    left, right = source.codes[used].astype(np.int64), result.codes[used].astype(np.int64)
    floor = max(_count(left), _count(right))
    width = max(len(result.values), 1)
    chance = _count(source.codes[used] * np.int64(width) + result.codes[mixed][used])
    if len(left) < LEAST_ROWS or min(_count(left), _count(right)) < 2 or chance - floor < 2:
        return None
    return _count(left * width + right) <= floor + (1 - _SAME) * (chance - floor)


def masked(column: EncodedColumn) -> npt.NDArray[np.bool_]:
    """Which distinct values are nothing but a mask."""
    found: npt.NDArray[np.bool_] = np.asarray(pc.match_substring_regex(texts_of(column), STARS)).astype(bool)
    return found


def _count(numbers: npt.NDArray[np.int64]) -> int:
    return len(distinct_keys(numbers))


@dataclass(frozen=True)
class _Stayed:
    """The columns of ``source`` whose values stayed in ``result``."""

    source: Mapping[str, EncodedColumn]
    result: Mapping[str, EncodedColumn]
    shares: Shares

    @cached_property
    def rows(self) -> tuple[Numbers, Numbers] | None:
        """The rows of source and result numbered by them, alike where they read the same; None without such a column."""
        stayed = [name for name in self.source if self.shares.of(name) >= _STAYED]
        if not stayed:
            return None
        before = np.zeros(len(self.source[stayed[0]]), dtype=np.int64)
        after = np.zeros(len(self.result[stayed[0]]), dtype=np.int64)
        for name in stayed:
            source, result = self.source[name], self.result[name]
            where = places(texts_of(result), texts_of(source))
            strange = len(source.values) + 1  # a value that the source has not
            here = np.append(np.where(where < 0, strange, where), strange - 1)[result.codes]
            there = np.where(source.codes < 0, strange - 1, source.codes)
            both = np.concatenate([before * (strange + 1) + there, after * (strange + 1) + here])
            _values, numbered = numbered_keys(both)
            before, after = numbered[: len(before)], numbered[len(before) :]
        return before, after

    @property
    def turned(self) -> tuple[Numbers, Numbers] | None:
        """The same with the result read backwards."""
        return None if self.rows is None else (self.rows[0], self.rows[1][::-1])


def _follows(before: Numbers, after: Numbers, mixed: Numbers) -> bool | None:
    """Whether the result's rows, numbered by the columns whose values stayed, are found one after the other in the source."""
    known = np.isin(after, before)
    if known.sum() < LEAST_ROWS:
        return None
    found = int(_taken(before, after[known]))
    chance = int(_taken(before, after[mixed][known[mixed]]))
    rows = int(known.sum())
    place = _places_of_unique(before)
    alone = place[after[known]]
    alone = alone[alone >= 0]
    if len(alone) >= LEAST_ROWS:
        # In order but for a few rows, or in order piece by piece.
        steps = float(np.mean(np.diff(alone) > 0))
        return int(_rising(alone)) >= _SAME * len(alone) or steps >= _SAME
    if chance >= _APART * rows:
        return None
    return found >= _SAME * rows


def _places_of_unique(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Number → the one row that has it, -1 where several have."""
    place = np.full(int(numbers.max(initial=0)) + 1, -1, dtype=np.int64)
    place[numbers] = np.arange(len(numbers))
    place[np.bincount(numbers, minlength=len(place)) > 1] = -1
    return place


@compiled
def _rising(places: npt.NDArray[np.int64]) -> int:
    """How many of n places at most rise one after the other when the others are passed over."""
    ends = np.empty(len(places), dtype=np.int64)
    length = 0
    for place in places:
        at = np.searchsorted(ends[:length], place)
        ends[at] = place
        if at == length:
            length += 1
    return length


@compiled
def _taken(source: npt.NDArray[np.int64], result: npt.NDArray[np.int64]) -> int:
    """How many of ``result`` (n,) are found in ``source`` one after the other, until one is not."""
    place = 0
    for number in range(len(result)):
        while place < len(source) and source[place] != result[number]:
            place += 1
        if place == len(source):
            return number
        place += 1
    return len(result)
