"""The innermost loop: which class each combination falls into, and how many rows each class has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile at first use; keep the machine code on disk where a folder for it can be written."""
    compiled: Callable[..., Any]
    try:
        compiled = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        compiled = njit(nogil=True)(function)
    return compiled


@_compiled
def _classes_dense(cells, table, counts, space):  # type: ignore[no-untyped-def]
    rows, columns = cells.shape
    number = np.full(space, -1, np.int32)
    class_of = np.empty(rows, np.int32)
    sizes = np.zeros(rows, np.int64)
    found = 0
    for row in range(rows):
        key = 0
        for column in range(columns):
            key += table[cells[row, column]]
        here = number[key]
        if here < 0:
            here = found
            number[key] = here
            found += 1
        class_of[row] = here
        sizes[here] += counts[row]
    return class_of, sizes[:found]


@_compiled
def _classes_hashed(cells, table, counts):  # type: ignore[no-untyped-def]
    rows, columns = cells.shape
    capacity = 16
    while capacity < 2 * rows:
        capacity *= 2
    mask = capacity - 1
    slots = np.full(capacity, -1, np.int32)
    keys = np.empty(rows, np.int64)
    class_of = np.empty(rows, np.int32)
    sizes = np.zeros(rows, np.int64)
    found = 0
    for row in range(rows):
        key = 0
        for column in range(columns):
            key += table[cells[row, column]]
        spread = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64((spread ^ (spread >> np.uint64(32))) & np.uint64(mask))
        while True:
            here = slots[slot]
            if here < 0:
                here = found
                slots[slot] = here
                keys[here] = key
                found += 1
                break
            if keys[here] == key:
                break
            slot = (slot + 1) & mask
        class_of[row] = here
        sizes[here] += counts[row]
    return class_of, sizes[:found]


@_compiled
def _weighted_sums(cells, values, counts, rows):  # type: ignore[no-untyped-def]
    columns = cells.shape[1]
    sums = np.zeros(columns, np.float64)
    for row in rows:
        for column in range(columns):
            sums[column] += counts[row] * values[cells[row, column]]
    return sums


def class_of_rows(
    cells: NDArray[np.int32], table: NDArray[np.int64], counts: NDArray[np.int64], space: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Class of each of T combinations (numbered as they appear) and the rows of each class.

    ``table[cells[t, i]]`` is what attribute i adds to the key of combination t; ``cells`` is (T, m).
    ``space`` is the number of possible keys where a direct table is to be used, 0 for a hash table.
    """
    if space:
        class_of, sizes = _classes_dense(cells, table, counts, space)
    else:
        class_of, sizes = _classes_hashed(cells, table, counts)
    return class_of, sizes


def weighted_sums(
    cells: NDArray[np.int32],
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Per attribute the sum of ``values[cells[t, i]] * counts[t]`` over the combinations t in ``rows``."""
    sums: NDArray[np.float64] = _weighted_sums(cells, values, counts, rows)
    return sums
