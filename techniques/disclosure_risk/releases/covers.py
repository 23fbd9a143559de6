"""Which persons of a source a released row may be of, by its quasi-identifiers.

A released cell stands for the source values that it covers (:mod:`techniques.data_utility.covering`): the value itself, the
leaves of a hierarchy's label, the numbers of an interval, what a mask fits. An empty cell and ``*`` stand for every value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.tuples import TupleKeys
from techniques.data_utility.covering import Hierarchy, coverings

Numbers = NDArray[np.int64]
SUPPRESSED = "*"
_MOST_CELLS = 200_000_000
_BLOCK = 20_000_000


@dataclass(frozen=True)
class Combinations:
    """The different rows of some columns: ``codes`` (columns, d) into ``values``, -1 where missing, and which of the d each of
    n rows has, ``of_row`` (n,)."""

    columns: tuple[str, ...]
    values: tuple[pa.Array, ...]
    codes: NDArray[np.int32]
    of_row: Numbers

    @classmethod
    def of(cls, table: pa.Table, columns: Sequence[str]) -> Combinations:
        """The combinations of ``columns`` in a table of texts; an empty text is a missing value."""
        values, coded = [], []
        for name in columns:
            texts = table.column(name).combine_chunks().cast(pa.string())
            texts = pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)
            found = texts.dictionary_encode()
            values.append(found.dictionary)
            coded.append(pc.fill_null(found.indices, -1).to_numpy(zero_copy_only=False).astype(np.int32))
        if not coded:
            return cls((), (), np.empty((0, 1), np.int32), np.zeros(table.num_rows, np.int64))
        keys = TupleKeys([len(one) for one in values]).encode(coded)
        _keys, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
        codes = np.vstack([one[first] for one in coded])
        return cls(tuple(columns), tuple(values), codes, of_row.reshape(-1).astype(np.int64))

    @property
    def number(self) -> int:
        return int(self.codes.shape[1])

    def tells_nothing(self) -> NDArray[np.bool_]:
        """(d,): combinations that are empty or ``*`` in every column."""
        blank = np.ones(self.number, dtype=np.bool_)
        for values, codes in zip(self.values, self.codes, strict=True):
            star = pc.index(values, SUPPRESSED).as_py()
            blank &= (codes < 0) | (codes == star) & (star >= 0)
        return blank


def known_columns(table: pa.Table, columns: Sequence[str]) -> set[str]:
    """Those of ``columns`` of which some row of ``table`` says something."""
    found = {name: table.column(name).unique().to_pylist() for name in columns if name in table.column_names}
    return {name for name, values in found.items() if {*values} - {None, "", SUPPRESSED}}


class Cover:
    """Which combinations of a release fit which of a source, column by column."""

    def __init__(
        self, source: Combinations, released: Combinations, hierarchies: Mapping[str, Hierarchy]
    ) -> None:
        """``released`` has some of the columns of ``source``. Raises EngineError ``label_unknown`` where a released value stands
        for no value of the source, ``too_many_values`` where a column has too many to compare."""
        self._source, self._released = source, released
        places = [source.columns.index(name) for name in released.columns]
        self._at = [source.codes[place] for place in places]
        self._covers = [
            _covers(name, source.values[place], values, hierarchies.get(name))
            for name, place, values in zip(released.columns, places, released.values, strict=True)
        ]

    def pairs(self) -> Iterator[tuple[Numbers, Numbers]]:
        """(combinations of the source, combinations of the release that each fits), in blocks by combinations of the source."""
        step = max(1, _BLOCK // max(self._released.number, 1))
        for start in range(0, self._source.number, step):
            yield self.pairs_of(start, start + step)

    def pairs_of(self, start: int, stop: int) -> tuple[Numbers, Numbers]:
        """:meth:`pairs` of the combinations ``start`` to ``stop`` of the source."""
        stop = min(stop, self._source.number)
        fits = np.ones((stop - start, self._released.number), dtype=np.bool_)
        for at, covers, labels in zip(self._at, self._covers, self._released.codes, strict=True):
            # The last row and the last column stand for a missing value: -1.
            fits &= covers[at[start:stop]][:, labels]
        here, there = np.nonzero(fits)
        return here.astype(np.int64) + start, there.astype(np.int64)


def _covers(
    column: str, source: pa.Array, labels: pa.Array, hierarchy: Hierarchy | None
) -> NDArray[np.bool_]:
    """(values of the source + 1, labels + 1): whether a label stands for a value, missing ones last."""
    if (len(source) + 1) * (len(labels) + 1) > _MOST_CELLS:
        text = _("Column %(column)s has too many different values to compare releases by.")
        raise EngineError("too_many_values", text, column=column)
    found = np.zeros((len(source) + 1, len(labels) + 1), dtype=np.bool_)
    found[:, -1] = True
    own, foreign = coverings(source, labels, hierarchy)
    known = np.flatnonzero(own >= 0)
    found[own[known], known] = True
    for place, covered in foreign:
        found[covered, place] = True
    star = pc.index(labels, SUPPRESSED).as_py()
    if star >= 0:
        found[:, star] = True
    unknown = int((~found[:-1, :-1].any(axis=0)).sum())
    if unknown:
        text = _(
            "In column %(column)s, %(number)d released values stand for no value of the source: give its hierarchy, or leave "
            "the column out where its values were replaced."
        )
        raise EngineError("label_unknown", text, column=column, number=unknown)
    return found
