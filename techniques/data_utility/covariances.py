"""How numeric columns vary together, measured in one pass over a table (A.6.2: noise shall leave means, variances and covariances)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.settings import Frozen
from techniques.data_utility.numbers import values_of

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
    size = len(columns)
    rows, sums, squares, products = (np.zeros((size, size)) for _figure in range(4))
    shift: npt.NDArray[np.float64] | None = None
    for batch in batches:
        values = np.array([_numbers(batch.column(name)) for name in columns])
        known = ~np.isnan(values)
        if shift is None and known.any():
            # Near the mean, so that sums of squares keep their digits.
            shift = np.where(known, values, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
        if shift is None:
            continue
        moved = np.where(known, values - shift[:, None], 0.0)
        counted = known.astype(np.float64)
        rows += counted @ counted.T
        sums += moved @ counted.T
        squares += (moved * moved) @ counted.T
        products += moved @ moved.T
    return [
        _pair(columns, one, other, rows, sums, squares, products)
        for one, other in combinations(range(size), 2)
    ]


def _numbers(column: pa.Array) -> npt.NDArray[np.float64]:
    """The number of each cell, NaN where it is none; of each different text once."""
    coded = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if not pa.types.is_dictionary(coded.type):
        coded = coded.cast(pa.string()).dictionary_encode()
    numbers = values_of(coded.dictionary.cast(pa.string()))
    codes = pc.fill_null(coded.indices, len(numbers)).to_numpy(zero_copy_only=False)
    found: npt.NDArray[np.float64] = np.append(numbers, np.nan)[codes]
    return found


def _pair(
    columns: Sequence[str],
    one: int,
    other: int,
    rows: npt.NDArray[np.float64],
    sums: npt.NDArray[np.float64],
    squares: npt.NDArray[np.float64],
    products: npt.NDArray[np.float64],
) -> Together:
    both, names = rows[one, other], (columns[one], columns[other])
    if both < 2:
        return Together(columns=names, covariance=None, correlation=None)
    mean_one, mean_other = sums[one, other] / both, sums[other, one] / both
    product = products[one, other] - both * mean_one * mean_other
    spread = (squares[one, other] - both * mean_one**2) * (squares[other, one] - both * mean_other**2)
    correlation = float(np.clip(product / np.sqrt(spread), -1, 1)) if spread > 0 else None
    return Together(columns=names, covariance=float(product / (both - 1)), correlation=correlation)
