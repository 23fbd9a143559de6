"""Numbers of whole columns, and whole columns from numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.operations import StringArray, Unfit, Whole
from techniques.core.settings import UnfitPolicy
from techniques.core.tuples import Codes
from techniques.values.numbers import DEFAULT_SCALE, format_numbers, parse_numbers
from techniques.values.unfit import NOT_A_NUMBER

Reals = NDArray[np.float64]
_LIMIT = 10.0**12
"""What lies beyond cannot be read again, and is cut off there."""


def reals(values: StringArray) -> tuple[Reals, NDArray[np.bool_]]:
    """Distinct values as numbers (0 where they are none), and which are numbers."""
    numbers = parse_numbers(values)
    return np.where(numbers.valid, numbers.unscaled, 0) / 10.0**numbers.scale, numbers.valid


def texts(numbers: Reals, decimals: int) -> StringArray:
    """Numbers rounded to ``decimals`` places, half to even, in their shortest notation."""
    bounded = np.clip(numbers, -_LIMIT, _LIMIT)
    return format_numbers(np.rint(bounded * 10.0**decimals).astype(np.int64), decimals)


def table_reals(
    table: Whole, unfit: UnfitPolicy, columns: Sequence[int] | None = None
) -> tuple[Reals, NDArray[np.bool_]]:
    """All or some columns of a table as (rows, m) numbers, and which cells hold one; Unfit where that is to stop the run."""
    chosen = range(len(table.codes)) if columns is None else columns
    numbers = np.zeros((table.rows, len(chosen)))
    known = np.zeros((table.rows, len(chosen)), dtype=bool)
    for place, i in enumerate(chosen):
        dictionary, codes = table.dictionaries[i], table.codes[i]
        values, valid = reals(dictionary)
        if unfit == "error":
            used = np.unique(codes[codes >= 0])
            bad = used[~valid[used]]
            if len(bad):
                raise Unfit(i, bad.astype(np.int64), NOT_A_NUMBER)
        numbers[:, place] = np.append(values, 0.0)[codes]
        known[:, place] = np.append(valid, False)[codes]
    return numbers, known


def encoded(cells: StringArray, known: NDArray[np.bool_]) -> tuple[StringArray, Codes]:
    """Dictionary and codes of n cells, missing where not ``known``."""
    masked = pa.array(np.arange(len(cells)), mask=~known)
    found: Any = cells.take(masked).dictionary_encode()
    return found.dictionary, np.array(found.indices.fill_null(-1)).astype(np.int32)


def encoded_numbers(
    numbers: NDArray[np.int64], known: NDArray[np.bool_], write: Callable[[NDArray[np.int64]], StringArray]
) -> tuple[StringArray, Codes]:
    """Dictionary and codes of n whole numbers, missing where not ``known``; each distinct one is written once."""
    found, places = np.unique(numbers[known], return_inverse=True)
    # Different numbers may be written alike, where they are cut off.
    written: Any = write(found).dictionary_encode()
    codes = np.full(len(numbers), -1, dtype=np.int32)
    codes[known] = np.asarray(written.indices)[places]
    return written.dictionary, codes


def moments(values: Reals, counts: NDArray[np.int64]) -> tuple[float, float]:
    """Mean and standard deviation of numbers that occur ``counts`` times; 0, 0 for none at all."""
    rows = int(counts.sum())
    if not rows:
        return 0.0, 0.0
    mean = float((values * counts).sum()) / rows
    return mean, float(np.sqrt((counts * (values - mean) ** 2).sum() / rows))


__all__ = ["DEFAULT_SCALE", "Reals", "encoded", "encoded_numbers", "moments", "reals", "table_reals", "texts"]
