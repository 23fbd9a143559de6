"""Positions on the earth out of two columns of degrees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.core.operations import Unfit, Whole
from techniques.core.settings import UnfitPolicy
from techniques.values.numbers import parse_numbers
from techniques.values.unfit import NOT_A_POSITION

Degrees = NDArray[np.float64]
LIMITS = (90.0, 180.0)
"""Largest latitude and longitude."""


def positions(
    table: Whole, columns: tuple[int, int], unfit: UnfitPolicy
) -> tuple[Degrees, Degrees, NDArray[np.bool_]]:
    """Latitude and longitude of n rows (0 where unknown), and which rows have both; Unfit where that is to stop."""
    degrees, known = [], np.ones(table.rows, dtype=bool)
    for i, limit in zip(columns, LIMITS, strict=True):
        numbers = parse_numbers(table.dictionaries[i])
        values = np.where(numbers.valid, numbers.unscaled, 0) / 10.0**numbers.scale
        valid = numbers.valid & (np.abs(values) <= limit)
        codes = table.codes[i]
        used = np.unique(codes[codes >= 0])
        if unfit == "error" and not valid[used].all():
            raise Unfit(i, used[~valid[used]].astype(np.int64), NOT_A_POSITION)
        degrees.append(np.append(values, 0.0)[codes])
        known &= np.append(valid, False)[codes]
    return degrees[0], degrees[1], known
