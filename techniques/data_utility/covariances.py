"""How numeric columns vary together, measured in one pass over a table (A.6.2: noise shall leave means, variances and covariances)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.settings import Frozen
from techniques.data_utility.numbers import values_of

Figures = npt.NDArray[np.float64]
MOST_COLUMNS = 8
"""More columns are not taken two by two: each adds as many pairs as there were columns before it."""


class Together(Frozen):
    """Two columns in the rows in which both are numbers; None where there are not two such rows, or of ``correlation`` where one
    of them is the same in all of those."""

    columns: tuple[str, str]
    covariance: float | None
    correlation: float | None


def together(batches: Iterable[pa.RecordBatch], columns: Sequence[str]) -> list[Together]:
    """Covariance (with n − 1) and Pearson's correlation of each pair of ``columns``, in their order."""
    found = _Sums.of_nothing(len(columns))
    for batch in batches:
        found = found.with_more(np.array([_numbers(batch.column(name)) for name in columns]))
    return [_pair(columns, one, other, found) for one, other in combinations(range(len(columns)), 2)]


@dataclass(frozen=True)
class _Sums:
    """By two columns, over the rows in which both are numbers: how many those are; of the first column the mean, the squared
    distances from it, the least and the greatest; of both the products of their distances.

    Portions are joined by their own means (Chan, Golub and LeVeque 1979), so that sums keep their digits wherever numbers lie.
    """

    rows: Figures
    mean: Figures
    spread: Figures
    product: Figures
    least: Figures
    greatest: Figures

    @classmethod
    def of_nothing(cls, size: int) -> _Sums:
        nothing = np.zeros((size, size))
        return cls(nothing, nothing, nothing, nothing, nothing + np.inf, nothing - np.inf)

    def with_more(self, values: Figures) -> _Sums:
        """With the rows of ``values``, a line for each column, NaN where a cell is no number."""
        known = ~np.isnan(values)
        counted = known.astype(np.float64)
        near = np.where(known, values, 0.0).sum(axis=1, keepdims=True)
        near /= np.maximum(known.sum(axis=1, keepdims=True), 1)
        moved = np.where(known, values - near, 0.0)
        rows = counted @ counted.T
        beside = moved @ counted.T / np.maximum(rows, 1)
        total = self.rows + rows
        gap = near + beside - self.mean
        weight = self.rows * rows / np.maximum(total, 1)
        least = [np.where(known, one, np.inf).min(axis=1, initial=np.inf) for one in values]
        greatest = [np.where(known, one, -np.inf).max(axis=1, initial=-np.inf) for one in values]
        return _Sums(
            total,
            self.mean + gap * rows / np.maximum(total, 1),
            self.spread + (moved * moved) @ counted.T - rows * beside**2 + weight * gap**2,
            self.product + moved @ moved.T - rows * beside * beside.T + weight * gap * gap.T,
            np.fmin(self.least, least),
            np.fmax(self.greatest, greatest),
        )


def _numbers(column: pa.Array) -> npt.NDArray[np.float64]:
    """The number of each cell, NaN where it is none; of each different text once."""
    coded = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if not pa.types.is_dictionary(coded.type):
        coded = coded.cast(pa.string()).dictionary_encode()
    numbers = values_of(coded.dictionary.cast(pa.string()))
    codes = pc.fill_null(coded.indices, len(numbers)).to_numpy(zero_copy_only=False)
    found: npt.NDArray[np.float64] = np.append(numbers, np.nan)[codes]
    return found


def _pair(columns: Sequence[str], one: int, other: int, found: _Sums) -> Together:
    both, names = found.rows[one, other], (columns[one], columns[other])
    if both < 2:
        return Together(columns=names, covariance=None, correlation=None)
    # By its least and greatest, for what sums of squares leave by rounding is not 0.
    if any(found.least[place] == found.greatest[place] for place in ((one, other), (other, one))):
        return Together(columns=names, covariance=0.0, correlation=None)
    product, spread = found.product[one, other], found.spread[one, other] * found.spread[other, one]
    correlation = float(np.clip(product / np.sqrt(spread), -1, 1)) if spread > 0 else None
    return Together(columns=names, covariance=float(product / (both - 1)), correlation=correlation)
